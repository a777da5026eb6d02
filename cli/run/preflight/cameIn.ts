// What came in a response, in a few words: the status, the type and the start of the body.
import { firstLine } from '../../../reports/safeText.js';
import type { Client, Reply } from '../../../suites/index.js';

/** Returns `200 text/plain, "{…"` without secrets; for bytes that are not text, their number instead of the start. */
export function cameIn({ redactor }: Client, reply: Reply): string {
  const { status, headers, bytes } = reply;
  const type = headers['content-type'] ?? 'without Content-Type';
  if (bytes.length === 0) return `${status} ${type}, an empty body`;
  const isText = !bytes.subarray(0, 100).some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20));
  const start = isText ? firstLine(redactor.redact(reply.excerpt()), 120) : `${bytes.length} bytes that are not text`;
  return `${status} ${type}, ${start}`;
}
