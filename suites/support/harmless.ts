// For every operation: a request that does nothing, whoever sends it and whether or not it is let in.
import type { Operation } from '../../matrix/api/index.js';
import type { Call } from './calls.js';
import { fill, type Scope } from './scope.js';

const nothing = 'labelSelector=kube-api-conformance%2Fnothing%3Dnothing';
/** No selector: what would be a stream ends as a refusal. */
const malformed = 'labelSelector=%21%21';

/**
 * Asks for an object that does not exist, sends a body that fails validation, selects what nothing carries. A watch
 * asks with a selector that is none, so that it ends at once where it is let in.
 */
export function harmlessCall({ method, path, query, body, verb }: Operation, scope: Scope, namespace: string): Call {
  const filled = fill(path, namespace, scope.name());
  const selector = verb === 'deleteCollection' ? nothing : malformed;
  return {
    method,
    path: query === 'LW' ? `${filled}?${selector}&timeoutSeconds=1` : filled,
    ...(body === 'none' ? {} : { headers: { 'content-type': 'application/json' }, body: '{}' }),
  };
}
