// Tests long bodies over HTTP: in every media type, valid and invalid, and during the stop of a server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../server.js';
import { startServer } from '../server.js';
import { ask } from '../testing/standIn.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const configMaps = '/api/v1/namespaces/default/configmaps';
const entries = Array.from({ length: 5000 }, (_, index) => [`key-${index}`, `value ${index}`] as const);
const data = Object.fromEntries(entries);
const asYaml = (name: string) =>
  `metadata: {name: ${name}}\ndata:\n${entries.map(([key, value]) => `  ${key}: ${value}\n`).join('')}`;
const asJson = (name: string) => JSON.stringify({ metadata: { name }, data });

test.each([
  ['application/json', asJson],
  ['application/yaml', asYaml],
])('a long %s body is read as a short one is', async (type, body) => {
  const name = `long-${type.slice(12)}`;
  const options = { method: 'POST', headers: { 'content-type': type }, body: body(name) };
  const created = await ask(server, configMaps, options);
  expect([created.status, JSON.parse(created.text).data]).toEqual([200, data]);
  const read = await ask(server, `${configMaps}/${name}`, { headers: { accept: 'application/yaml' } });
  expect(read.text).toContain('\n  key-4999: value 4999\n');
  expect(read.text.split('\n').filter((line) => line.startsWith('  key-'))).toHaveLength(5000);
  expect(read.text.startsWith('apiVersion: v1\ndata:\n')).toBe(true);
});

const patchTypes = ['json-patch', 'merge-patch', 'strategic-merge-patch'];

test('a long object is replaced and patched as a short one is, and no concurrent change is lost', async () => {
  const path = `${configMaps}/changed`;
  const send = async (method: string, type: string, body: unknown) => {
    const headers = { 'content-type': type };
    const { status, text } = await ask(server, path, { method, headers, body: JSON.stringify(body) });
    return { status, data: JSON.parse(text).data };
  };
  await ask(server, configMaps, { method: 'POST', body: asJson('changed') });
  expect(await send('PUT', 'application/json', { metadata: { name: 'changed' }, data: { ...data, put: '1' } })).toEqual(
    {
      status: 200,
      data: { ...data, put: '1' },
    },
  );
  const added = Array.from({ length: 12 }, (_, index) => `added-${index}`);
  const sent = added.map((key, index) => {
    const type = patchTypes[index % 3];
    const body = index % 3 === 0 ? [{ op: 'add', path: `/data/${key}`, value: '1' }] : { data: { [key]: '1' } };
    return send('PATCH', `application/${type}+json`, body);
  });
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(added.map(() => 200));
  const all = { ...data, put: '1', ...Object.fromEntries(added.map((key) => [key, '1'])) };
  expect(JSON.parse((await ask(server, path)).text).data).toEqual(all);
  const wrong = [{ op: 'add', path: '/data/last', value: 1 }];
  expect((await send('PATCH', 'application/json-patch+json', wrong)).status).toBe(422);
});

test.each([
  ['application/json', `${asJson('x').slice(0, -2)}`, 'json parse error: unexpected end of JSON input'],
  ['application/yaml', `${asYaml('x')}  key-0: again\n`, 'yaml parse error: duplicated mapping key'],
  ['application/json', asJson('x').replace('"value 4999"', '4999'), 'data.key-4999: expected string, got number'],
])('a long invalid %s body is reported with the reason', async (type, body, message) => {
  const refused = await ask(server, configMaps, { method: 'POST', headers: { 'content-type': type }, body });
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.text).message).toContain(message);
});

test('a process ends when its server is closed, without waiting for the YAML thread', async () => {
  const index = new URL('../../dist/reference-server/index.js', import.meta.url).href;
  const program = `
    import { startServer } from ${JSON.stringify(index)};
    import { request } from 'node:https';
    const server = await startServer();
    const body = ${JSON.stringify(asYaml('x'))};
    const headers = { authorization: 'Bearer ' + server.token, 'content-type': 'application/yaml' };
    const options = { method: 'POST', headers, ca: server.caCertificate, agent: false };
    const status = await new Promise((resolve, reject) =>
      request(server.url + ${JSON.stringify(configMaps)}, options, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      }).on('error', reject).end(body));
    process.stdout.write(String(status));
    await server.close();
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([child.stdout.toArray(), once(child, 'exit')]);
  expect([Buffer.concat(output).toString(), code]).toEqual(['200', 0]);
});
