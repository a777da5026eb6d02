// The configuration of an apply, from the body of a request.
import { badRequest } from '../../errors.js';
import type { ApiRequest } from '../../request.js';
import { repeatedFields } from '../../schema/body.js';
import { fieldCheckOf } from '../../schema/fieldValidation.js';
import { isRecord } from '../../schema/object.js';
import { typeName } from '../../schema/scalars.js';
import type { ApplyRequest } from './change.js';
import { isForced, managerOf } from './manager.js';

/**
 * Returns what a request applies, and who applies it. Throws 400 for a body that is not an object, and for repeated fields
 * if the request asks for that; 422 like `managerOf`.
 */
export function applyOf(request: ApiRequest, subresource?: string): ApplyRequest {
  const manager = managerOf(request, 'PatchOptions', subresource);
  const check = fieldCheckOf(request);
  const { body } = request;
  if (body === undefined) throw badRequest('an apply needs a body');
  const config = body.value ?? {};
  if (!isRecord(config)) throw badRequest(`error decoding YAML: an object is expected, not ${typeName(config)}`);
  const repeated = repeatedFields(body);
  if (check?.isStrict === true && repeated.length > 0) {
    throw badRequest(`error strict decoding YAML: ${repeated.join(', ')}`);
  }
  for (const mistake of check === undefined ? [] : repeated) check?.warn(mistake);
  return { config, manager, force: isForced(request), isLong: body.isLong === true };
}
