// JSON patch: RFC 6902. Its cost grows with the patch and the document, not with their product.
import { badRequest, rejectedPatch } from '../errors.js';
import { excerpt } from '../excerpt.js';
import { isRecord } from '../schema/object.js';
import { StatusError } from '../statusError.js';
import type { Steps } from '../turns.js';
import { PatchedDocument } from './patchedDocument.js';
import { stepsOf } from './pointer.js';

const mostOperations = 10_000;

/** The cause of a failed patch whose test found another value. */
export class TestFailed extends Error {}

/** Returns the patched document; the given one does not change. Throws if an operation fails. */
export function* jsonPatch(document: unknown, patch: unknown): Steps<unknown> {
  if (!Array.isArray(patch)) throw badRequest('a JSON patch is an array of operations');
  if (patch.length > mostOperations) {
    const message = `The allowed maximum operations in a JSON patch is ${mostOperations}, got ${patch.length}`;
    throw new StatusError(413, 'RequestEntityTooLarge', message);
  }
  const patched = new PatchedDocument(document, patch);
  let number = 0;
  try {
    for (const operation of patch) {
      number += 1;
      apply(patched, operation);
      yield;
    }
    return patched.result();
  } catch (error) {
    const why = `operation ${number}: ${error instanceof Error ? error.message : String(error)}`;
    throw Object.assign(rejectedPatch(why), { cause: error });
  }
}

type Fields = Readonly<Record<string, unknown>>;

const operations = new Map<unknown, (document: PatchedDocument, path: readonly string[], operation: Fields) => void>([
  ['add', (document, path, operation) => document.add(path, given(operation))],
  ['remove', (document, path) => void document.remove(path)],
  ['replace', (document, path, operation) => document.replace(path, given(operation))],
  ['move', (document, path, operation) => move(document, pointer(operation, 'from'), path)],
  ['copy', (document, path, operation) => document.add(path, document.copyOf(pointer(operation, 'from')))],
  ['test', (document, path, operation) => test(document, path, given(operation))],
]);

function apply(document: PatchedDocument, operation: unknown): void {
  if (!isRecord(operation)) throw new Error('an operation is an object');
  const perform = operations.get(operation.op);
  if (perform === undefined) throw new Error(`the op ${excerpt(operation.op)} is none of ${known}`);
  perform(document, pointer(operation, 'path'), operation);
}

const known = [...operations.keys()].join(', ');

function move(document: PatchedDocument, from: readonly string[], path: readonly string[]): void {
  if (from.every((step, depth) => path[depth] === step)) {
    if (path.length > from.length) throw new Error('a value cannot be moved into itself');
    // The value is already at its target, but it must exist.
    document.require(from);
    return;
  }
  document.add(path, document.remove(from));
}

function test(document: PatchedDocument, path: readonly string[], value: unknown): void {
  if (!document.holds(path, value)) throw new TestFailed(`the value is not ${excerpt(value)}`);
}

function given(operation: Fields): unknown {
  if (operation.value === undefined) throw new Error(`${String(operation.op)} needs a value`);
  return operation.value;
}

function pointer(operation: Fields, name: 'path' | 'from'): readonly string[] {
  const text = operation[name];
  if (typeof text !== 'string') throw new Error(`${String(operation.op)} needs ${name}, which is a JSON pointer`);
  return stepsOf(text);
}
