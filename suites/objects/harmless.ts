// For every operation: a request that changes nothing, for every user, whether it is accepted or refused.
import type { Operation } from '../../matrix/api/index.js';
import type { Call } from '../client/calls.js';
import { fill } from '../client/paths.js';
import type { Sandbox } from './sandbox.js';

const nothing = 'labelSelector=kube-api-conformance%2Fnothing%3Dnothing';
/** An invalid selector, so that a watch ends with a refusal. */
const malformed = 'labelSelector=%21%21';

/**
 * Returns a call that names an object that does not exist, sends a body that fails validation, or selects nothing. A
 * watch has an invalid selector, so that it ends at once if it is accepted.
 */
export function harmlessCall(
  { method, path, query, body, verb }: Operation,
  sandbox: Sandbox,
  namespace: string,
): Call {
  const filled = fill(path, namespace, sandbox.name());
  const selector = verb === 'deleteCollection' ? nothing : malformed;
  return {
    method,
    path: query === 'LW' ? `${filled}?${selector}&timeoutSeconds=1` : filled,
    ...(body === 'none' ? {} : { headers: { 'content-type': 'application/json' }, body: '{}' }),
  };
}
