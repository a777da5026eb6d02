// Which responses are objects of a kind without a message in protobuf.
import type { Operation, Verb } from '../../../matrix/api/index.js';

/** Reports whether the response to a verb is an object without a message in protobuf. */
export function isUntyped({ resource, responseTypes }: Operation, verb: Verb): boolean {
  if (resource === undefined || resource.bodyKinds[verb] !== undefined || isStatus(verb)) return false;
  return responseTypes !== 'any' && !responseTypes.includes('protobuf') && resource.modern === true;
}

/** A delete may be answered by a Status, which has a message. */
const isStatus = (verb: Verb): boolean => verb === 'delete';
