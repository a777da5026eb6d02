// Selects the exchange of a case that its message is about.
import type { Exchange } from '../../suites/requirements/index.js';
import type { JudgedCase } from '../counts.js';

/** Returns the last exchange whose request the message names; otherwise the last exchange. */
export function proofOf({ message = '', exchanges }: Pick<JudgedCase, 'message' | 'exchanges'>): Exchange | undefined {
  return exchanges.findLast((exchange) => namedIn(message, exchange)) ?? exchanges.at(-1);
}

function namedIn(message: string, { request: { method, url } }: Exchange): boolean {
  if (!URL.canParse(url)) return false;
  const { pathname, search } = new URL(url);
  const name = `${method} ${pathname}${search}`;
  const at = message.indexOf(name);
  // A longer path belongs to another request.
  return at !== -1 && !/[\w/?&-]/.test(message[at + name.length] ?? '');
}
