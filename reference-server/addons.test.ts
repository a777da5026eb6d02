// Tests the seam: what an addon registers is there, and without addons there is nothing but the interface.
import { expect, it } from 'vitest';
import { pageOf } from '../matrix/api/index.js';
import type { Addon } from './addons.js';
import { startServer } from './server.js';
import { ask } from './testing/standIn.js';

const page = pageOf('/hello', ['json'], true);
const configMaps = '/api/v1/namespaces/default/configmaps';

it('a server without addons has only the groups of the interface', async () => {
  await using server = await startServer();
  const { groups } = JSON.parse((await ask(server, '/apis')).text) as { groups: { name: string }[] };
  expect(groups.map(({ name }) => name).sort()).toEqual([
    'authentication.k8s.io',
    'autoscaling',
    'batch',
    'extensions',
  ]);
  for (const path of ['/openapi/v2', '/metrics', '/hello']) expect((await ask(server, path)).status).toBe(404);
  const patch = { method: 'PATCH', headers: { 'content-type': 'application/apply-patch+yaml' }, body: 'a: b' };
  expect((await ask(server, `${configMaps}/a`, patch)).status).toBe(415);
});

it('an addon adds pages, plug-ins, observers and a version, unless the server lacks its feature', async () => {
  const paths: string[] = [];
  const closed: string[] = [];
  const addon: Addon = {
    feature: 'custom-resources',
    kubeVersion: '1.20',
    partsOf: () => ({
      admission: [
        {
          resources: ['core/configmaps'],
          async mutate({ object }) {
            object.data = { set: 'by the addon' };
          },
        },
      ],
    }),
    serve({ surface, observers }) {
      surface.add({
        operations: [page],
        listed: [page.path],
        handler: () => ({ status: 200, raw: 'hello', mediaType: 'text/plain' }),
      });
      observers.add({ answered: ({ locals }) => void paths.push(locals.pathname) });
      return { close: () => void closed.push('addon') };
    },
  };
  const server = await startServer({}, [addon]);
  expect((await ask(server, '/hello')).text).toBe('hello');
  expect(JSON.parse((await ask(server, '/')).text).paths).toContain('/hello');
  expect(JSON.parse((await ask(server, '/version')).text).minor).toBe('20');
  const created = await ask(server, configMaps, { method: 'POST', body: '{"metadata":{"name":"a"}}' });
  expect(JSON.parse(created.text).data).toEqual({ set: 'by the addon' });
  expect(paths).toEqual(['/hello', '/', '/version', configMaps]);
  await server.close();
  expect(closed).toEqual(['addon']);

  await using without = await startServer({ without: ['custom-resources'] }, [addon]);
  expect((await ask(without, '/hello')).status).toBe(404);
});
