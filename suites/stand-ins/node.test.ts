// The record of the node: whole requests without credentials, which another process reads by path.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectNode, digestOf, type NodeRecord, type SuiteNode, startNodeRecord } from './node.js';

let record: NodeRecord;
let node: SuiteNode;

beforeAll(async () => {
  record = await startNodeRecord();
  node = connectNode('node', record.controlUrl);
});
afterAll(() => record.close());

it('records the requests of a path, in order, with their ends', async () => {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const to = 'node n';
  record.add({
    to,
    method: 'GET',
    path: '/containerLogs/ns/pod/c?tailLines=1&tailLines=2&x=a%20b',
    headers: {},
    ended,
  });
  record.add({ to, method: 'GET', path: '/containerLogs/ns/other/c', headers: {}, ended: Promise.resolve() });
  const query = [
    ['tailLines', '1'],
    ['tailLines', '2'],
    ['x', 'a b'],
  ];
  const path = '/containerLogs/ns/pod/c';
  expect(await node.received('/ns/pod/')).toMatchObject([
    { to, method: 'GET', path, query, headers: {}, ended: false },
  ]);
  end();
  expect(await node.received('/ns/pod/')).toMatchObject([{ ended: true }]);
  expect(await node.received('/containerLogs/')).toHaveLength(2);
  expect(await node.received('/nobody/')).toEqual([]);
});

it('records the input of a program, from a given time', async () => {
  record.add({ to: 'pod ns/program', method: 'GET', path: '//a/../b?c', headers: {}, ended: Promise.resolve() });
  const [seen] = await node.received('pod ns/program');
  expect(seen).toMatchObject({ path: '//a/../b', query: [['c', '']] });
  expect(await node.received('pod ns/program', seen?.at)).toHaveLength(1);
  expect(await node.received('pod ns/program', '2999-01-01T00:00:00.000Z')).toEqual([]);
});

it('keeps no credential', async () => {
  const headers = {
    authorization: 'Bearer secret-token',
    cookie: 'secret-cookie',
    'sec-websocket-protocol': 'base64url.bearer.authorization.k8s.io.secret, v4.channel.k8s.io',
    'user-agent': 'curl',
  };
  record.add({ to: 'node n', method: 'POST', path: '/exec/ns/redacted/c', headers, ended: Promise.resolve() });
  const seen = await node.received('redacted');
  expect(JSON.stringify(seen)).not.toContain('secret');
  expect(seen[0]?.headers).toEqual({
    authorization: digestOf('Bearer secret-token'),
    cookie: digestOf('secret-cookie'),
    'sec-websocket-protocol': `${digestOf('base64url.bearer.authorization.k8s.io.secret')}, v4.channel.k8s.io`,
    'user-agent': 'curl',
  });
});
