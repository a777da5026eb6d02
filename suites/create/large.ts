// An object of 900 KB: below what Kubernetes stores, and above what the parsers and gateways of many servers take.

import { holds, success } from '../client/expect.js';
import { type JsonObject, merge } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import { observe, placesOf, seenIn, stateIn } from '../objects/effects/index.js';
import { sendBody } from '../objects/writes.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';

/** The bytes of the texts: with them, a body is smaller than the mebibyte that a gateway takes by default. */
const sizes = { data: 700_000, annotation: 200_000 };

/** Numbered words, whose characters of two, three and four bytes a chunk divides anywhere. */
function longText(word: string, size: number): string {
  const words: string[] = [];
  for (let length = 0; length < size; ) {
    const next = `${word} ${words.length} é€𝄞;`;
    words.push(next);
    length += Buffer.byteLength(next);
  }
  return words.join('');
}

/** Creates a large ConfigMap, gives it another large text by a replace and by a patch, and deletes it. */
async function writeLarge({ operation }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const namespace = await sandbox.namespace();
  const name = sandbox.name();
  const written = { resource, name, namespace };
  const object = pathTo(resource, 'read', namespace, name);
  const large = (word: string): JsonObject => ({
    metadata: { annotations: { 'conformance.example/large': longText(word, sizes.annotation) } },
    data: { large: longText(word, sizes.data) },
  });
  const created = large('created');
  const body = merge(sandbox.body(resource, name, namespace), created);
  const create = () => sendBody(sandbox, 'POST', fill(operation.path, namespace), body);
  const writes = [{ sent: created, observed: await observe(sandbox, written, create) }];
  for (const [method, word] of [
    ['PUT', 'replaced'],
    ['PATCH', 'patched'],
  ] as const) {
    const current = await sandbox.current(written);
    if (current === undefined) break;
    const sent = large(word);
    const write = (now: JsonObject) =>
      method === 'PUT'
        ? sendBody(sandbox, 'PUT', object, merge(now, sent))
        : sendBody(sandbox, 'PATCH', object, sent, 'mergePatch');
    writes.push({ sent, observed: await observe(sandbox, { ...written, object: current }, write) });
  }
  // The lists of later cases stay short.
  await client.send({ method: 'DELETE', path: object });
  return writes;
}

export const largeGroups = [
  group({
    subjects: 'largeObjects',
    setup: writeLarge,
    checks: {
      large: (writes) => {
        for (const { sent, observed } of writes) {
          success(observed.reply);
          for (const place of placesOf(observed)) holds(stateIn(observed, place), sent, seenIn(observed, place));
        }
      },
    },
  }),
];
