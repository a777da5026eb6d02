// What discovery leaves out is not offered: a group, or one version of it where another is there.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { readNotOffered } from './capabilities.js';
import { Client } from './client.js';

let server: Server;
let client: Client;
afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** What a target lacks whose discovery lists these resources and nothing else, by the path of their version. */
async function lacks(listed: Readonly<Record<string, readonly string[]>>): Promise<string[]> {
  server = createServer((request, response) => {
    const names = listed[request.url ?? ''];
    response.writeHead(names === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'APIResourceList', resources: names?.map((name) => ({ name })) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = new Client({
    name: 'listed',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: {},
    vendor: 'kubernetes',
    domains: { authentication: 'k8s.io', secretType: 'kubernetes.io' },
    notOffered: [],
    deviations: [],
    disposable: false,
  });
  return (await readNotOffered(client)).map(({ capability }) => capability);
}

it('a group that is not served', async () => {
  const found = await lacks({ '/apis/batch/v1': ['jobs', 'jobs/status'] });
  expect(found).toContain('group:extensions');
  expect(found.filter((capability) => capability.includes('batch'))).toEqual([]);
});

it('the resources of a version that is not served, where another version of the group is', async () => {
  const found = await lacks({ '/apis/authentication.k8s.io/v1': ['selfsubjectreviews', 'tokenreviews'] });
  expect(found.filter((capability) => capability.includes('authentication'))).toEqual([
    'resource:authentication.k8s.io/tokenreviews',
  ]);
});

it('a resource that a served group does not list', async () => {
  const found = await lacks({ '/apis/authentication.k8s.io/v1beta1': ['tokenreviews'], '/apis/batch/v1': [] });
  expect(found).toContain('resource:batch/jobs');
  expect(found).toContain('resource:authentication.k8s.io/selfsubjectreviews');
});
