// How watches of servers since 1.34 begin, as kube-apiserver 1.36.2 does: the end of the current state is always marked.
import { expect, it } from 'vitest';
import { ask } from '../testing/standIn.js';
import { startFullServer } from './index.js';

const path = '/api/v1/namespaces/default/configmaps';
const annotations = { 'k8s.io/initial-events-end': 'true' };

async function eventsOf(kubeVersion: string, query: string) {
  await using server = await startFullServer({ kubeVersion });
  const body = JSON.stringify({ metadata: { name: 'a' } });
  await ask(server, path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { text } = await ask(server, `${path}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=a${query}`);
  const events = text.trim().split('\n').filter(Boolean);
  return events.map((line) => JSON.parse(line)).map(({ type, object }) => [type, object.metadata] as const);
}

it.each([
  ['1.36', '&allowWatchBookmarks=true', ['ADDED', 'BOOKMARK']],
  ['1.36', '&allowWatchBookmarks=true&resourceVersion=0', ['ADDED', 'BOOKMARK']],
  ['1.36', '', ['ADDED']],
  ['1.36', '&allowWatchBookmarks=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan', []],
  ['1.33', '&allowWatchBookmarks=true', ['ADDED']],
])('%s, %s: %j', async (version, query, types) => {
  const events = await eventsOf(version, query);
  // A bookmark before the end of a watch has no annotations.
  const seen = events.filter(([type, { annotations }]) => type !== 'BOOKMARK' || annotations !== undefined);
  expect(seen.map(([type]) => type)).toEqual(types);
});

it.each([
  ['1.36', { resourceVersion: expect.any(String), annotations }],
  ['1.33', { resourceVersion: expect.any(String), creationTimestamp: null, annotations }],
])('the metadata of a bookmark of %s', async (version, metadata) => {
  const query = '&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
  expect((await eventsOf(version, query))[1]).toEqual(['BOOKMARK', metadata]);
});
