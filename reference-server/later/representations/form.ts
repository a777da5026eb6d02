// The representations of objects that a client can ask for in place of their own kind: a table, or metadata alone.
import { subresourceOf } from '../../../matrix/api/index.js';
import { notRepresentable } from '../../errors.js';
import type { FormRequest, PlainAnswer, Representation, RepresentationOf, ResponseKind } from '../../request.js';
import type { Tables } from './columns/index.js';
import { scaleColumns } from './columns/workloads.js';
import { type Form, represent } from './represent.js';
import { inclusionOf } from './table.js';
import { representWatch } from './watch.js';

const group = 'meta.k8s.io';
const versions = ['v1', 'v1beta1'];
const names = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'] as const;

/** The kind of a representation, and its version: of a table, and of the metadata in its rows. */
interface Kind {
  readonly as: (typeof names)[number];
  readonly apiVersion: string;
}

/** Makes the representations of a server. Names are case-sensitive. */
export function createRepresentations(tables: Tables): RepresentationOf {
  const known = new Map(
    names.flatMap((as) =>
      versions.map((version): [string, Representation] => {
        const kind: Kind = { as, apiVersion: `${group}/${version}` };
        return [
          `${as} ${group} ${version}`,
          {
            isUntyped: as === 'Table',
            isOf: (response) => isOf(as, response),
            formOf(request) {
              const form = formOf(request, kind, tables);
              return (answer) => inForm(answer, form);
            },
          },
        ];
      }),
    ),
  );
  return (as, ofGroup = '', version = '') => known.get(`${as} ${ofGroup} ${version}`);
}

function isOf(as: Kind['as'], response: ResponseKind): boolean {
  if (response === 'untyped' || response === 'untypedWatch') return true;
  return response === 'resource' || response === 'watch' || (response === 'action' && as !== 'Table');
}

const lists: readonly string[] = ['list', 'listAll', 'deleteCollection'];
const watches: readonly string[] = ['watchAll', 'watchList', 'watchOne'];

/**
 * Returns the form of a response. Throws 406 for the metadata of one object where there is a list, and the reverse; 400
 * for an invalid `includeObject`.
 */
function formOf({ operation, verb, query }: FormRequest, { as, apiVersion }: Kind, tables: Tables): Form {
  const { resource } = operation;
  if (as === 'Table' && resource !== undefined) {
    const isScale = verb !== 'discover' && subresourceOf(verb) === 'scale';
    return {
      table: {
        apiVersion,
        columns: isScale ? scaleColumns : tables.of(resource),
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
function inForm(answer: PlainAnswer, form: Form): PlainAnswer {
  if ('body' in answer) return { ...answer, body: represent(answer.body, form) };
  return 'watch' in answer ? { ...answer, watch: representWatch(answer.watch, form) } : answer;
}
