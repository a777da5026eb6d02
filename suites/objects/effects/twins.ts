// Twins: objects that were made of one body. What differs between them, the server allocates.
import type { Resource } from '../../../matrix/api/index.js';
import type { JsonObject } from '../../client/json.js';
import type { MakeOptions, Sandbox } from '../sandbox.js';
import { pathsThatDiffer } from './compare.js';

export interface Twins {
  readonly one: JsonObject;
  /** The paths that the server allocates, identifies or counts. */
  readonly allocated: ReadonlySet<string>;
}

/** Creates two objects of one body, but for the name. Compares the server with itself: no table of fields decides. */
export async function makeTwins(sandbox: Sandbox, resource: Resource, options: MakeOptions = {}): Promise<Twins> {
  const one = await sandbox.make(resource, options);
  const other = await sandbox.make(resource, options);
  return { one: one.object, allocated: new Set(pathsThatDiffer(one.object, other.object)) };
}
