// JSON patch: RFC 6902, by a library that keeps to it.
import fastJsonPatch, { type Operation, type Validator } from 'fast-json-patch';
import { badRequest, rejectedPatch, StatusError } from '../errors.js';

const mostOperations = 10_000;
/** Bytes that the copies of one patch may add: a few copies of copies would otherwise fill the memory. */
const mostCopied = 3 * 1024 * 1024;

/** The document after the operations; itself unchanged. One that fails undoes them all. */
export function jsonPatch(document: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw badRequest('a JSON patch is an array of operations');
  if (patch.length > mostOperations) {
    const message = `The allowed maximum operations in a JSON patch is ${mostOperations}, got ${patch.length}`;
    throw new StatusError(413, 'RequestEntityTooLarge', message);
  }
  try {
    return fastJsonPatch.applyPatch(document, patch as Operation[], validator(), false).newDocument;
  } catch (error) {
    throw rejectedPatch(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
}

/** As the library does, and RFC 6901: an index has no leading zeros. Copies are counted. */
function validator(): Validator<unknown> {
  let copied = 0;
  return (operation, index, document, existing) => {
    fastJsonPatch.validator(operation, index, document, existing);
    valueAt(document, operation.path);
    if (operation.op !== 'copy') return;
    copied += JSON.stringify(valueAt(document, operation.from) ?? null).length;
    if (copied > mostCopied) throw new Error(`the copies of the patch add more than ${mostCopied} bytes`);
  };
}

function valueAt(document: unknown, pointer: string): unknown {
  let value: unknown = document;
  for (const step of pointer.split('/').slice(1)) {
    if (Array.isArray(value) && /^0\d/.test(step)) throw new Error(`"${step}" is not an index`);
    value = (value as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return value;
}
