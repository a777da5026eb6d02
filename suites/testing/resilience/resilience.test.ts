// For every behaviour of a server, each case gets a verdict with its evidence, in bounded time and memory.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CaseResult } from '../../requirements/index.js';
import { Context } from '../../run/context.js';
import { bareTarget } from '../bareTarget.js';
import type { WireReply, WireRequest } from '../faults/wire/fault.js';
import { type FaultyProxy, startFaultyProxy } from '../faults/wire/faultyProxy.js';
import { failure } from '../faults/wire/requests.js';
import {
  type BadServer,
  endlessResponses,
  endlessWatches,
  gigabytes,
  type Misbehavior,
  startBadServer,
  useless,
} from './badServers.js';
import { runChosen, useGoodServer } from './chosenRuns.js';

const good = useGoodServer(['create', 'read', 'list', 'watch', 'connect', 'errors']);
let context: Context;
let bad: BadServer | undefined;
let proxy: FaultyProxy | undefined;
let runs = 0;
let started = 0;
beforeEach(() => {
  started = Date.now();
});
afterEach(async () => {
  await context.client.close();
  await bad?.close();
  await proxy?.close();
  [bad, proxy] = [undefined, undefined];
});

/** Milliseconds for a reply, and for the first bytes of a stream. */
const answerTimeout = 1_500;
const timeout = 500;
/** Milliseconds in which a server that is gone may recover. */
const recoveryTimeout = 1_000;

function contextAt(url: string, milliseconds = answerTimeout): Context {
  const credentials = { staticToken: { token: good.token } };
  const target = bareTarget(url, { name: 'bad', ca: good.ca, credentials });
  runs += 1;
  const runId = runs.toString(16).padStart(6, '0');
  const run = { runId, target, directory: good.folder, timeout, answerTimeout: milliseconds, recoveryTimeout };
  return new Context(run, String(runs));
}

/** Runs the first cases whose id contains the text, and checks that each has a verdict and evidence. */
async function run(grep: string, most = 8): Promise<CaseResult[]> {
  const isWanted = (id: string) => id.includes(grep);
  const results = await runChosen(good, context, isWanted, ({ length }) => length >= most);
  expect(results.length).toBeGreaterThan(0);
  return results;
}

const behindBad = async (misbehavior: Misbehavior): Promise<void> => {
  bad = await startBadServer(misbehavior);
  context = contextAt(bad.url);
};
const verdicts = (results: readonly CaseResult[]): string[] =>
  [...new Set(results.map(({ verdict }) => verdict))].sort();

describe('a server that', () => {
  it.each(Object.entries(useless))('%s is given up, with the reason', async (_, misbehavior) => {
    await behindBad(misbehavior);
    const results = await run('configmaps');
    expect(verdicts(results)).not.toContain('passed');
    expect(results[0]?.exchanges.length).toBeGreaterThan(0);
    expect(context.client.takeExchanges().some(({ error }) => error !== undefined)).toBe(true);
    expect(context.client.health.stop).toEqual({
      kind: 'gone',
      reason: expect.stringMatching(/no longer responds.*GET .*no answer: .+: start it again/),
    });
    expect(results.at(-1)?.message).toBe(context.client.health.stop?.reason);
  });

  it.each(Object.entries(endlessResponses))('%s fails, and is still tested', async (_, misbehavior) => {
    await behindBad(misbehavior);
    const results = await run('configmaps', 30);
    expect(verdicts(results)).not.toContain('passed');
    expect(context.client.health.stop).toBeUndefined();
  });

  it('sends gigabytes is read up to a limit', async () => {
    bad = await startBadServer(gigabytes);
    context = contextAt(bad.url, 30_000);
    const before = process.memoryUsage().rss;
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - before);
    }, 20);
    await Promise.all(['read.', 'list.', 'create.', 'errors.'].map((chapter) => run(chapter, 2)));
    clearInterval(watch);
    expect(context.client.takeExchanges().some(({ error }) => /larger than \d+ bytes/.test(error ?? ''))).toBe(true);
    expect(most).toBeLessThan(600 * 1024 * 1024);
  });

  it.each(Object.entries(endlessWatches))('sends %s on every watch fails in time', async (_, misbehavior) => {
    const server = await startBadServer(misbehavior);
    proxy = await startFaultyProxy(good, {});
    context = contextAt(proxy.url);
    // watches go to the babbling server
    const { client } = context;
    const stream = client.stream.bind(client);
    const { client: elsewhere } = contextAt(server.url);
    client.stream = (call, read) => (call.path.includes('watch') ? elsewhere.stream(call, read) : stream(call, read));
    const results = await run('watch.', 2);
    expect(verdicts(results).join()).toMatch(/failed|blocked/);
    await elsewhere.close();
    await server.close();
  });

  it('never upgrades a connection fails in time', async () => {
    await behindBad((socket, { head }) => {
      if (!/upgrade:/i.test(head)) socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
    });
    const opened = [
      context.client.webSocket({ path: '/api/v1/namespaces/a/pods/b/exec' }, async () => undefined),
      context.client.spdy(
        { method: 'POST', path: '/api/v1/namespaces/a/pods/b/exec', protocols: ['v4.channel.k8s.io'] },
        async () => undefined,
      ),
    ];
    for (const { status, reason } of (await Promise.allSettled(opened)) as PromiseRejectedResult[])
      expect([status, String(reason)]).toEqual(['rejected', expect.stringMatching(/no answer/)]);
    await context.recovery.look({ cuts: () => [], wasRefused: false });
    expect(context.client.health.stop).toBeUndefined();
  });

  it('refuses a stream with an endless response fails in time', async () => {
    await behindBad((socket) => socket.write('HTTP/1.1 403 Forbidden\r\ncontent-length: 100\r\n\r\nno'));
    await expect(
      context.client.stream({ method: 'GET', path: '/api/v1/pods?watch=true' }, async () => undefined),
    ).rejects.toThrow(/not complete after/);
  });
});

/** Starts a good server behind an edit of its requests. */
const through = async (request: (passing: WireRequest) => WireRequest | WireReply): Promise<void> => {
  proxy = await startFaultyProxy(good, { request });
  context = contextAt(proxy.url);
};
const busy = (after: string) => {
  const { status, body, headers } = failure(429, 'TooManyRequests');
  return { status, body, headers: { ...headers, 'retry-after': after } };
};

describe('a server that is busy', () => {
  it('is retried after its Retry-After', async () => {
    let count = 0;
    await through((passing) => {
      count += 1;
      return count % 4 === 1 && count < 10 ? busy('1') : passing;
    });
    expect(verdicts(await run('read.', 2))).toEqual(['passed']);
    expect(Date.now() - started).toBeGreaterThan(1_900);
  });
});

describe('a server that refuses nearly everything', () => {
  it.each([401, 403])('with %i is given up early', async (status) => {
    let count = 0;
    await through((passing) => {
      count += 1;
      // a token that expires during the run
      return count < 40 || count % 20 === 0 ? passing : failure(status, 'Refused');
    });
    const results = await run('configmaps', 400);
    expect(context.client.health.stop).toEqual({
      kind: 'refused',
      reason: expect.stringMatching(/4[5-9] of the last \d+ requests/),
    });
    expect(results.at(-1)?.message).toContain('credentials that last as long as the run');
    expect(count).toBeLessThan(160);
  });
});

describe('a server that is slow', () => {
  it('is tested to the end', async () => {
    await behindBad((socket, { count }) => {
      // every seventh request gets no response, and all others a slow one
      if (count % 7 !== 0)
        setTimeout(() => socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'), answerTimeout * 0.3);
    });
    await run('errors.unknown-path', 12);
    expect(context.client.health.stop).toBeUndefined();
  });
});
