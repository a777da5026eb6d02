// Tests the first lines of a run: the server, its missing features, and aliases of resources.
import { expect, it } from 'vitest';
import { introduction } from './introduction.js';

const target = { name: 'kube-apiserver-1.36', url: 'https://127.0.0.1:6443' };
const reason = 'it is so';

it('prints the URL of an unnamed server, and only known facts', () => {
  const unnamed = { ...target, name: '127.0.0.1:6443' };
  expect(introduction({ target: unnamed, notSupported: [], aliases: [] })).toEqual([
    'server: at https://127.0.0.1:6443',
  ]);
});

it('names features before resources, and the aliases', () => {
  const alias = { groupVersion: 'extensions/v1beta1', to: 'apps/v1' };
  expect(
    introduction({
      target,
      serverVersion: 'v1.36.2',
      notSupported: [
        { capability: 'resource:extensions/deployments', reason },
        { capability: 'group:extensions', reason },
        { capability: 'feature:export', reason },
      ],
      aliases: [
        { ...alias, resource: 'daemonsets' },
        { ...alias, resource: 'deployments' },
      ],
    }),
  ).toEqual([
    'server: kube-apiserver-1.36 v1.36.2 at https://127.0.0.1:6443',
    'not supported: export, group extensions, extensions/deployments',
    'tested under an alias, not scored: daemonsets, deployments as apps/v1',
  ]);
});

it('counts the names that do not fit', () => {
  const notSupported = Array.from(
    { length: 20 },
    (_, index) => ({ capability: `operation:GET /${index}`, reason }) as const,
  );
  expect(introduction({ target, notSupported, aliases: [] })[1]).toMatch(/^not supported: GET \/0, .*, 12 more$/);
});
