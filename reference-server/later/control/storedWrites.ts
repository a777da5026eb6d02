// Whether a request has stored something, from its answer.
import type { Answer, ApiRequest } from '../../request.js';
import { isRecord, type KubeObject } from '../../schema/object.js';
import { ListBody } from '../../versions/views.js';

/**
 * Reports whether an answer, which is no error, is that of a write that was stored after a revision: no dry run, no
 * review, and no update without a change.
 */
export function hasStored(request: ApiRequest, answer: Answer, before: number): boolean {
  if (!('body' in answer)) return false;
  const { body } = answer;
  if (body instanceof ListBody) return body.entries.length > 0 && !isDry(request);
  const { object } = body as { readonly object?: KubeObject };
  if (object?.kind === 'Status') return !isDry(request);
  return Number(object?.metadata?.resourceVersion || 0) > before;
}

/** Reports whether a delete, an eviction or a binding is a dry run. */
function isDry({ query, body }: ApiRequest): boolean {
  const options = isRecord(body?.value) ? body.value : {};
  const nested = isRecord(options.deleteOptions) ? options.deleteOptions : {};
  return [query.getAll('dryRun'), options.dryRun, nested.dryRun].some(
    (value) => Array.isArray(value) && value.length > 0,
  );
}
