// Calls of declared operations: valid ones and, of kinds that a run only reads, GETs of what there is.

import { Unchecked } from '../client/expect.js';
import { at } from '../client/json.js';
import { fill, pathTo } from '../client/paths.js';
import type { ValidCall } from '../objects/callParts.js';
import type { DeclaredOperation } from '../objects/declared/operations.js';
import { validCall } from '../objects/validCalls.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/worker.js';

/** Returns a call that a right server answers with success. Throws Unchecked if there is no object to read. */
export async function declaredCall({ operation }: OperationSubject, { sandbox, client }: Context): Promise<ValidCall> {
  const { resource, verb, method, path } = operation;
  const onlyReads = resource?.found?.readOnly !== undefined || client.target.readOnly;
  if (!onlyReads || resource === undefined) return await validCall(operation, sandbox);
  if (method !== 'GET') throw new Unchecked('skipped', `the run only reads ${resource.plural}`, 'not-safe');
  const kinds = [resource.kind];
  const isList = verb === 'list' || verb === 'listAll';
  if (isList && (verb === 'listAll' || !resource.namespaced)) return { method, path, kinds };
  if (isList) return { method, path: fill(path, 'default'), kinds };
  const all = resource.stated.includes('listAll') ? 'listAll' : 'list';
  const listed = resource.stated.includes(all)
    ? await client.send({ method: 'GET', path: pathTo(resource, all, 'default') })
    : undefined;
  const name = at(listed?.tryValue(), 'items', 0, 'metadata', 'name');
  if (typeof name !== 'string')
    throw new Unchecked('skipped', `the run makes no ${resource.plural}, and the server has none to read`);
  const namespace = at(listed?.tryValue(), 'items', 0, 'metadata', 'namespace');
  return { method, path: fill(path, typeof namespace === 'string' ? namespace : undefined, name), kinds };
}

/** Returns what the target declares about an operation. Throws Unchecked if it declares nothing. */
export function declarationOf({ operation }: OperationSubject, { openApi }: Context): DeclaredOperation {
  const declared = openApi.of(operation.method, operation.path);
  if (declared === undefined) throw new Unchecked('not-supported', "the target's OpenAPI does not have the operation");
  return declared;
}
