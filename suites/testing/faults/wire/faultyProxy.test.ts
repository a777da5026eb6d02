// The proxy that breaks a good server has no faults of its own.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startReferenceServer } from '../../referenceServer.js';
import { composed } from './fault.js';
import { type FaultyProxy, startFaultyProxy } from './faultyProxy.js';
import { after, status } from './replies.js';
import { every } from './requests.js';

let good: Awaited<ReturnType<typeof startReferenceServer>>;
let proxy: FaultyProxy;
let received = 0;
beforeAll(async () => {
  good = await startReferenceServer(['--nodes', '0']);
  const request = <Request>(given: Request): Request => {
    received += 1;
    return given;
  };
  proxy = await startFaultyProxy(good, { request });
});
afterAll(async () => {
  await proxy.close();
  await good.stop();
});

it('answers after many clients have left watches that it does not know as such', async () => {
  const headers = { authorization: `Bearer ${good.token}` };
  const leaving = new AbortController();
  const watches = Array.from({ length: 100 }, () =>
    fetch(`${proxy.url}/api/v1/configmaps?watch=yes`, { headers, signal: leaving.signal }).catch(() => 'left'),
  );
  await expect.poll(() => received).toBe(100);
  leaving.abort();
  expect(new Set(await Promise.all(watches))).toEqual(new Set(['left']));
  expect((await fetch(`${proxy.url}/api/v1/namespaces/default`, { headers })).status).toBe(200);
});

it('answers beside hundreds of watches', async () => {
  const headers = { authorization: `Bearer ${good.token}` };
  const leaving = new AbortController();
  const watches = Array.from({ length: 200 }, () =>
    fetch(`${proxy.url}/api/v1/configmaps?watch=true`, { headers, signal: leaving.signal }),
  );
  expect(new Set((await Promise.all(watches)).map(({ status }) => status))).toEqual(new Set([200]));
  expect((await fetch(`${proxy.url}/api/v1/namespaces/default`, { headers })).status).toBe(200);
  leaving.abort();
});

it('begins without what an earlier server of the same fault was asked', async () => {
  const broken = composed([after(/namespaces\/default$/, status(every, 200, 500))]);
  const headers = { authorization: `Bearer ${good.token}` };
  const seen = async (): Promise<number[]> => {
    const one = await startFaultyProxy(good, broken);
    const statuses: number[] = [];
    for (const path of ['/version', '/api/v1/namespaces/default', '/version'])
      statuses.push((await fetch(one.url + path, { headers })).status);
    await one.close();
    return statuses;
  };
  expect([await seen(), await seen()]).toEqual([
    [200, 500, 500],
    [200, 500, 500],
  ]);
});
