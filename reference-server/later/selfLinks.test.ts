// `metadata.selfLink`: servers up to 1.19 have it, later ones nowhere.
import { expect, test } from 'vitest';
import { ask } from '../testing/standIn.js';
import { startControlled } from './testing/controlled.js';
import { definition, version } from './testing/customResources.js';

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const boats = '/apis/example.com/v1/namespaces/default/boats';
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const spec = { selector: { matchLabels: { a: 'b' } }, template };
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

/** Returns the bodies of every kind of response that has metadata of the server, by what was asked for. */
async function answersOf(options: { kubeVersion?: string; modern?: boolean }): Promise<ReadonlyMap<string, string>> {
  await using started = await startControlled(options);
  const { server, send } = started;
  const answers = new Map<string, string>();
  const note = async (what: string, method: string, path: string, body?: object, type?: string) => {
    const { status, body: answer } = await send(method, path, body, type);
    expect(status, `${what}: ${JSON.stringify(answer)}`).toBeLessThan(300);
    answers.set(what, JSON.stringify(answer));
  };
  const link = { selfLink: '/x' };
  await note('a create', 'POST', `${core}/configmaps`, { metadata: { name: 'one', ...link } });
  await note('a generated name', 'POST', `${core}/configmaps`, { metadata: { generateName: 'two-' } });
  await note('a dry run', 'POST', `${core}/configmaps?dryRun=All`, { metadata: { name: 'three' } });
  await note('a read', 'GET', `${core}/configmaps/one`);
  await note('an update', 'PUT', `${core}/configmaps/one`, { metadata: { name: 'one', ...link }, data: { a: 'b' } });
  await note('a patch', 'PATCH', `${core}/configmaps/one`, { metadata: link }, 'application/merge-patch+json');
  await note('a list', 'GET', `${core}/configmaps?limit=1`);
  await note('a namespace', 'GET', '/api/v1/namespaces/default');
  await note('component statuses', 'GET', '/api/v1/componentstatuses');
  await note('a component status', 'GET', '/api/v1/componentstatuses/etcd-0');
  const watch = await ask(server, `${core}/configmaps?watch=1&timeoutSeconds=1&resourceVersion=0`);
  answers.set('a watch', watch.text);
  if (options.modern !== false) {
    await note('an object in a later version', 'POST', `${apps}/deployments`, { metadata: { name: 'web' }, spec });
    await note('its status', 'GET', `${apps}/deployments/web/status`);
    await note('its scale', 'GET', `${apps}/deployments/web/scale`);
    await started.controls.load(definition('boats', 'Boat', [version('v1', {})]));
    await expect.poll(async () => (await send('GET', boats)).status).toBe(200);
    await note('a custom resource', 'POST', boats, {
      ...{ apiVersion: 'example.com/v1', kind: 'Boat' },
      metadata: { name: 'tub' },
    });
    await note('custom resources', 'GET', boats);
  }
  answers.set('a table', (await ask(server, `${core}/configmaps`, { headers: table })).text);
  await note('a collection that is deleted', 'DELETE', `${core}/configmaps`);
  return answers;
}

test.each([{}, { kubeVersion: '1.20' }])('a server with %o has none', async (options) => {
  const found = [...(await answersOf(options))].filter(([, text]) => text.includes('selfLink'));
  expect(found).toEqual([]);
});

test.each([{ modern: false }, { kubeVersion: '1.19' }])('a server with %o has them', async (options) => {
  const missing = [...(await answersOf(options))].filter(([, text]) => !text.includes('"selfLink":"/api'));
  expect(missing).toEqual([]);
});
