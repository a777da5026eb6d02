// Which cases send nothing but GETs.
import type { Case } from './cases.js';

export function readsOnly({ subject: { operation, node } }: Case): boolean {
  return node === undefined && (operation === undefined || operation.method === 'GET');
}
