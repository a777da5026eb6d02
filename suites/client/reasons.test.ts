// The words for a response that did not arrive.
import { expect, it } from 'vitest';
import { reasonOf } from './transport.js';

it.each([
  [{ code: 'UND_ERR_SOCKET', message: 'other side closed' }, 'the server closed the connection'],
  [{ code: 'ECONNRESET', message: 'read ECONNRESET' }, 'read ECONNRESET'],
  [{ code: 'CERT_HAS_EXPIRED', message: 'certificate has expired' }, 'CERT_HAS_EXPIRED: certificate has expired'],
])('%j', ({ code, message }, words) => {
  expect(reasonOf(Object.assign(new Error(message), { code }), 1)).toBe(words);
});
