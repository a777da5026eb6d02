// Integers of 64 bits that JSON.parse rounds: each response is read as text, digit by digit.
import { fail, success } from '../client/expect.js';
import { at, utf8Of } from '../client/json.js';
import { fill, pathTo, resourceOf, selectingName } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { watching } from '../client/streams/watches.js';
import { conflicts } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';

const digits: Readonly<Record<string, string>> = { '2^53 + 1': '9007199254740993', '2^63 - 1': '9223372036854775807' };
const field = 'terminationGracePeriodSeconds';
/** Stands for the digits in a body until it is text. */
const placeholder = 1_234_567;

const change = { metadata: { labels: { 'kube-api-conformance/changed': 'yes' } } };
const add = [{ op: 'add', path: '/metadata/labels/kube-api-conformance~1changed', value: 'again' }];
const patches = [
  ['application/merge-patch+json', change],
  ['application/json-patch+json', add],
  ['application/strategic-merge-patch+json', change],
] as const;

/** Creates an object with the integer of the variant; reads, lists, watches, patches and replaces it. */
export async function createInteger({ operation, variant = '' }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const namespace = await sandbox.namespace('integers');
  const name = sandbox.name(resource);
  const spec = { [field]: placeholder };
  const wanted = digits[variant] ?? fail(`no integer for ${variant}`);
  const sample = sandbox.body(resource, name, namespace, {
    change: { spec: resource.kind === 'Pod' ? spec : { template: { spec } } },
  });
  const body = JSON.stringify(sample).replace(String(placeholder), wanted);
  const since = String(at(await sandbox.list(resource, namespace), 'metadata', 'resourceVersion'));
  const path = pathTo(resource, 'read', namespace, name);
  const send = (method: string, type: string, text: string, to = path) =>
    client.send({ method, path: to, headers: { 'content-type': type }, body: text });
  const created = await send('POST', 'application/json', body, fill(operation.path, namespace));
  const get = (accept: string, from = path) => client.send({ method: 'GET', path: from, headers: { accept } });
  const fieldSelector = `metadata.name=${name}`;
  const list = pathTo(resource, 'list', namespace);
  const shown: Record<string, Pick<Reply, 'status' | 'bytes'>> = {
    'its response': created,
    'a read': await get('application/json'),
    'a read as YAML': await get('application/yaml'),
    'a list': await get('application/json', `${list}?${selectingName(name)}`),
    'a watch': await watching(client, list, { resourceVersion: since, fieldSelector }, async (stream) => {
      await stream.until((events) => events.length > 0);
      return { status: stream.status, bytes: stream.events[0]?.bytes ?? Buffer.alloc(0) };
    }),
  };
  for (const [type, patch] of patches) {
    shown[`a patch of its labels, ${type}`] = await send('PATCH', type, JSON.stringify(patch));
    shown[`a read after that patch, ${type}`] = await get('application/json');
  }
  for (let attempt = 1; attempt <= conflicts; attempt += 1) {
    const current = await get('application/json');
    const replaced = await send('PUT', 'application/json', utf8Of(current.bytes));
    shown['a replace by what was read'] = replaced;
    if (replaced.status !== 409) break;
  }
  shown['a read after that replace'] = await get('application/json');
  return { wanted, created, shown };
}

/** Throws Failure unless each response has the digits that were sent. */
export function isExact({ wanted, created, shown }: Awaited<ReturnType<typeof createInteger>>): void {
  success(created);
  for (const [where, reply] of Object.entries(shown)) {
    const found = new RegExp(`(?<!f:)${field}"?: ?([^\\s,}]+)`).exec(utf8Of(reply.bytes))?.[1];
    if (found !== wanted)
      fail(`${created.request}, ${field} ${wanted}, then ${where}: ${found ?? `${reply.status}, and no such field`}`);
  }
}
