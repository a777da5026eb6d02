// What a faulty server accepts although it is wrong must not bind the objects of later cases.
import { expect, it } from 'vitest';
import type { Client } from '../client/client.js';
import { Reply } from '../client/reply.js';
import { byId } from '../objects/related.js';
import { Sandbox } from '../objects/sandbox.js';
import type { Context } from '../run/context.js';
import { tryCreate } from './refusals.js';

it.each([
  ['core/limitranges', false],
  ['core/resourcequotas', false],
  ['core/configmaps', true],
])('a wrong object of %s is made beside others: %s', async (id, beside) => {
  const paths: string[] = [];
  const send = async ({ method, path }: Parameters<Client['send']>[0]) => {
    paths.push(path);
    return new Reply(`${method} ${path}`, 200, { 'content-type': 'application/json' }, Buffer.from('{}'));
  };
  const client = { send, target: {} } as unknown as Client;
  const sandbox = new Sandbox(client, 'abcdef', '0');
  await tryCreate({ client, sandbox } as Context, byId(id), {});
  const main = await sandbox.namespace();
  expect(paths.some((path) => path.startsWith(`/api/v1/namespaces/${main}/`))).toBe(beside);
});
