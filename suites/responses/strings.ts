// Strings in YAML that look like something else: each is read back as the string that was sent.

import { equal, fail, status } from '../client/expect.js';
import { at, brief, itemsOf, type JsonObject } from '../client/json.js';
import { pathTo, resourceOf } from '../client/paths.js';
import { groupLabel } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';

/** Texts that are another value, or no text at all, unless a writer of YAML quotes them. */
const values: readonly string[] = [
  ...['yes', 'No', 'on', 'off', 'true', 'False', 'null', '~', ''],
  ...['0', '-1', '1.5', '.5', '1e3', '0x1F', '017', '0b11', '1_000', '.inf', '.NaN'],
  ...[
    '# a',
    'a #b',
    'a: b',
    'a:',
    '- a',
    '-',
    '? a',
    '[a]',
    '{a: b}',
    '&a',
    '*a',
    '!a',
    '!!int 1',
    '|',
    '>',
    '%a',
    '@a',
    '`a',
  ],
  ...['"a"', "'a'", "it's", 'a\\n', '---', '...', '<<', '='],
  ...[' a', 'a ', ' ', 'a\nb', 'a\n', '\na', 'a\n\n', '  a\n b\n', 'a\tb', '\ta', 'a\rb', 'é€😀'],
];

/** Texts that are no string as the key of a map, unless they are quoted. */
const keys: readonly string[] = ['yes', 'off', 'true', 'null', '1', '1.5', '1e3', '0x1F', '017', '1_000'];

const annotations: Readonly<Record<string, string>> = Object.fromEntries([
  ...values.map((value, index) => [`text-${index}`, value] as const),
  ...keys.map((key) => [key, `of ${key}`] as const),
]);

/** Reads or lists an object with such annotations, in YAML. */
export async function readStrings({ operation }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const label = sandbox.name();
  const change: JsonObject = { metadata: { annotations } };
  const { name, namespace } = await sandbox.make(resource, { labels: { [groupLabel]: label }, change });
  const isList = operation.verb === 'list';
  const query = isList ? `?labelSelector=${encodeURIComponent(`${groupLabel}=${label}`)}` : '';
  const path = pathTo(resource, isList ? 'list' : 'read', namespace, name) + query;
  return { isList, reply: await client.send({ method: 'GET', path, headers: { accept: 'application/yaml' } }) };
}

/** Throws Failure unless each annotation has its key and its value. */
export function areStrings({ isList, reply }: Awaited<ReturnType<typeof readStrings>>): void {
  status(reply, 200);
  const body = reply.value();
  const shown = at(isList ? itemsOf(body)[0] : body, 'metadata', 'annotations');
  for (const [key, value] of Object.entries(annotations)) {
    if (!Object.hasOwn(Object(shown), key)) fail(`${reply.request}: expected the annotation ${brief(key)}, got none`);
    equal(at(shown, key), value, `${reply.request}: the annotation ${brief(key)}`);
  }
}
