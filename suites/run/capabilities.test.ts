// A group, or one version of a group, that discovery leaves out is not supported.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Client } from '../client/client.js';
import type { Alias } from '../requirements/index.js';
import { bareTarget } from '../testing/bareTarget.js';
import { type Capabilities, readCapabilities } from './capabilities.js';

let server: Server;
let client: Client;
afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Returns the absences of a target whose discovery lists exactly these resources, by the path of their version. */
async function lacks(listed: Readonly<Record<string, readonly string[]>>): Promise<string[]> {
  return (await capabilities(listed)).notSupported.map(({ capability }) => capability);
}

/** Returns the capabilities of such a target with these aliases in its file. */
async function capabilities(
  listed: Readonly<Record<string, readonly string[]>>,
  aliases: readonly Alias[] = [],
  served: readonly string[] = [],
): Promise<Capabilities> {
  server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    const names = served.includes(path) ? [] : listed[path];
    response.writeHead(names === undefined ? 404 : 200, { 'content-type': 'application/json' });
    const groups = names?.map((groupVersion) => ({ versions: [{ groupVersion }] }));
    const resources = names?.map((name) => ({ name }));
    response.end(JSON.stringify(path === '/apis' ? { groups } : { kind: 'APIResourceList', resources }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = new Client(bareTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { aliases }));
  return await readCapabilities(client);
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

const ingresses: Alias = { groupVersion: 'extensions/v1beta1', resource: 'ingresses', to: 'networking.k8s.io/v1' };
const deployments: Alias = { groupVersion: 'extensions/v1beta1', resource: 'deployments', to: 'apps/v1' };

it('an alias of a group that is not served: its resources are found in the other version', async () => {
  const apps = { '/apis/apps/v1': ['deployments', 'deployments/status', 'daemonsets'] };
  const { notSupported, aliases, unlisted } = await capabilities(apps, [deployments, ingresses]);
  expect(notSupported.map(({ capability }) => capability)).toContain('group:extensions');
  expect(aliases).toMatchObject([deployments]);
  expect(unlisted).toEqual([ingresses]);
  const path = '/apis/extensions/v1beta1/namespaces/{namespace}/deployments/{name}';
  expect(aliases[0]?.lacks).toContainEqual({
    capability: `operation:POST ${path}/rollback`,
    reason: 'discovery: /apis/apps/v1 does not list deployments/rollback',
  });
  expect(aliases[0]?.lacks?.map(({ capability }) => capability)).not.toContain(`operation:GET ${path}`);
});

it('an alias of a served resource: it is not used', async () => {
  const both = { '/apis/extensions/v1beta1': ['deployments'], '/apis/apps/v1': ['deployments'] };
  expect(await capabilities(both, [deployments])).toMatchObject({ aliases: [], unlisted: [] });
});

it('not a resource that is left out, and is served', async () => {
  const path = '/apis/batch/v1/jobs';
  const { notSupported } = await capabilities({ '/apis/batch/v1': ['cronjobs'] }, [], [path]);
  expect(notSupported.filter(({ capability }) => capability.includes('batch'))).toEqual([]);
});

it('not a resource of a group that is left out, and is served', async () => {
  const path = '/apis/extensions/v1beta1/ingresses';
  const found = (await capabilities({}, [], [path])).notSupported.map(({ capability }) => capability);
  expect(found).toContain('resource:extensions/daemonsets');
  expect(found).not.toContain('resource:extensions/ingresses');
  expect(found).not.toContain('group:extensions');
});

it('not a group that the list of groups announces', async () => {
  const found = await lacks({ '/apis': ['batch/v1'] });
  expect(found).toContain('group:extensions');
  expect(found.filter((capability) => capability.includes('batch'))).toEqual([]);
});
