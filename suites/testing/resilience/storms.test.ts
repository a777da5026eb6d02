// Histories on a right server behind a bad network, which delays and loses responses and cuts watches: no violation.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Random, randomOf } from '../../objects/random.js';
import { Context } from '../../run/context.js';
import { bareTarget } from '../bareTarget.js';
import type { Broken, WireRequest } from '../faults/wire/fault.js';
import { startFaultyProxy } from '../faults/wire/faultyProxy.js';
import { line } from '../faults/wire/watches.js';
import { runChosen, useGoodServer } from './chosenRuns.js';

const kinds = [
  '/api/v1/namespaces/{namespace}/configmaps',
  '/apis/extensions/v1beta1/namespaces/{namespace}/deployments',
];
const histories = 3;

const good = useGoodServer(['histories']);

/** What the network did. */
interface Counts {
  dropped: number;
  lost: number;
  failed: number;
  cut: number;
}

/** Requests of the histories, not those that prepare them. */
const isOfHistory = ({ path, body }: WireRequest): boolean =>
  /\/(configmaps|deployments)/.test(path) &&
  /kube-api-conformance(\/|%2F)history|"gracePeriodSeconds":0/.test(path + body);

/** Delays everything, loses requests and responses, answers 500 after the write, and cuts watches. */
function storm(random: Random, counts: Counts): Broken {
  // Not by chance alone: of some hundred requests, a few must have each trouble.
  const spared = new Map<keyof Counts, number>();
  const strikes = (what: keyof Counts, share: number): boolean => {
    const left = spared.get(what) ?? random.below(2 / share);
    spared.set(what, left > 0 ? left - 1 : random.below(2 / share));
    if (left === 0) counts[what] += 1;
    return left === 0;
  };
  // A client tries again once: the second try of a request that was lost arrives.
  const again = new Set<string>();
  return {
    delay: () => random.below(30),
    request: (request) => {
      const what = `${request.method} ${request.path}`;
      if (again.delete(what) || !isOfHistory(request) || !strikes('dropped', 0.05)) return request;
      again.add(what);
      throw new Error('the request is lost');
    },
    reply: (reply, request) => {
      if (!isOfHistory(request) || /watch=true/.test(request.path)) return reply;
      if (strikes('lost', 0.06)) throw new Error('the response is lost');
      if (!strikes('failed', 0.05)) return reply;
      return { status: 500, headers: { 'content-type': 'text/plain' }, body: 'no upstream' };
    },
    watch: () => async (event) => {
      if (event === undefined) return [];
      await pause(random.below(20));
      if (strikes('cut', 0.08)) throw new Error('the watch is cut');
      return [line(event)];
    },
  };
}

it('is silent on a right server whose network delays, loses and cuts', async () => {
  const counts: Counts = { dropped: 0, lost: 0, failed: 0, cut: 0 };
  const proxy = await startFaultyProxy(good, storm(randomOf(1), counts));
  const target = bareTarget(proxy.url, { credentials: { staticToken: { token: good.token } } });
  const context = new Context({ runId: 'dddd01', target, directory: good.folder, seed: 1, histories }, '1');
  try {
    const subjects = kinds.map((kind) => `› GET ${kind}`);
    const results = await runChosen(good, context, (id) => subjects.some((subject) => id.endsWith(subject)));
    const wrong = results.filter(({ verdict }) => verdict !== 'passed');
    expect(wrong.map(({ message }) => message)).toEqual([]);
    expect(results).toHaveLength(21);
    expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(5);
  } finally {
    await context.client.close();
    await proxy.close();
  }
});
