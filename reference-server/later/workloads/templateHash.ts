// The label by which pods of one template are told from pods of another.
import { createHash } from 'node:crypto';

/** The label of pods with the hash of their template. */
export const hashLabel = 'controller-revision-hash';

/** Returns a short hash of a template, the same for the same template. */
export function hashOf(template: unknown): string {
  return createHash('sha256').update(JSON.stringify(template)).digest('hex').slice(0, 10);
}
