// The representation of a response: which ones an operation has, and its answer in one of them.
import { type Operation, subresourceOf, type Verb } from '../../../matrix/api/index.js';
import type { Locals } from '../../edge/locals.js';
import type { ResponseKind } from '../../edge/negotiation.js';
import { notRepresentable } from '../../errors.js';
import type { Answer } from '../../request.js';
import type { Tables } from './columns/index.js';
import { scales } from './columns/workloads.js';
import { type Form, represent } from './represent.js';
import type { Representation } from './representation.js';
import { inclusionOf } from './table.js';
import { representWatch } from './watch.js';

/** The subresources whose objects clients show as tables, and the resource itself. */
const tabular: readonly (string | undefined)[] = [undefined, 'status', 'scale'];

/** Returns the kind of the response to a verb of a resource. A resource that stores nothing has no table. */
export function kindOfResource({ resource }: Operation, verb: Verb): ResponseKind {
  if (resource === undefined) return 'object';
  const isStored = [...resource.stated, ...resource.unstated].some((own) => own !== 'create');
  return isStored && tabular.includes(subresourceOf(verb)) ? 'resource' : 'action';
}

const lists: readonly string[] = ['list', 'listAll', 'deleteCollection'];
const watches: readonly string[] = ['watchAll', 'watchList', 'watchOne'];

/**
 * Returns the form of a response. Throws 406 for the metadata of one object where there is a list, and the reverse; 400
 * for an invalid `includeObject`.
 */
export function formOf(
  { operation, verb, query }: Pick<Locals, 'operation' | 'verb' | 'query'>,
  { as, apiVersion }: Representation,
  tables: Tables,
): Form {
  const { resource } = operation;
  if (as === 'Table' && resource !== undefined) {
    const isScale = verb !== 'discover' && subresourceOf(verb) === 'scale';
    return {
      table: {
        apiVersion,
        columns: isScale ? scales : tables.of(resource),
        inclusion: inclusionOf(query),
        now: tables.now,
      },
    };
  }
  if (as === 'PartialObjectMetadata' && lists.includes(verb)) throw notRepresentable(as, 'is a list');
  if (as === 'PartialObjectMetadataList' && !lists.includes(verb)) {
    throw notRepresentable(as, watches.includes(verb) ? 'is a watch of single objects' : 'is not a list');
  }
  return { partial: { apiVersion } };
}

/** Returns an answer in another form. An answer without objects, such as a Status, stays as it is. */
export function inForm(answer: Exclude<Answer, { relay: unknown }>, form: Form): Exclude<Answer, { relay: unknown }> {
  if ('body' in answer) return { ...answer, body: represent(answer.body, form) };
  return 'watch' in answer ? { ...answer, watch: representWatch(answer.watch, form) } : answer;
}
