// A server that asks to wait (429, Retry-After) is slow, not wrong: the run waits, sends less at once, and fails nothing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readEvidence } from '../../../reports/index.js';
import { Pace } from '../../client/backoff.js';
import type { CaseResult } from '../../requirements/index.js';
import { Context } from '../../run/context.js';
import { bareTarget } from '../bareTarget.js';
import type { Broken, WireReply, WireRequest } from '../faults/wire/fault.js';
import { type FaultyProxy, startFaultyProxy } from '../faults/wire/faultyProxy.js';
import { failure } from '../faults/wire/requests.js';
import { call } from '../runCommand.js';
import { runChosen, useGoodServer } from './chosenRuns.js';

const good = useGoodServer(['create', 'read', 'watch', 'errors', 'replace']);
let output: string;
let proxy: FaultyProxy | undefined;
let context: Context | undefined;
beforeAll(() => {
  output = mkdtempSync(join(tmpdir(), 'busy-'));
});
afterAll(() => rmSync(output, { recursive: true, force: true }));
afterEach(async () => {
  await context?.client.close();
  await proxy?.close();
  [context, proxy] = [undefined, undefined];
});

type Request = NonNullable<Broken['request']>;

const busy = (after = '1', status = 429): WireReply => {
  const { body, headers } = failure(status, 'TooManyRequests');
  return { status, body, headers: { ...headers, 'retry-after': after } };
};

/**
 * Answers to more than four requests at once, without watches, that they shall wait. Until there were so many, creates are
 * held: a run that waits for its target begins more cases, however busy the machine is.
 */
function overloaded(): Broken {
  let atOnce = 0;
  let release = (): void => undefined;
  const isOverloaded = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isCounted = ({ path }: WireRequest): boolean => !/watch/.test(path);
  return {
    request: async (passing) => {
      if (!isCounted(passing)) return passing;
      if (atOnce >= 4) {
        release();
        return busy();
      }
      atOnce += 1;
      if (passing.method === 'POST' && /\/namespaces\/[^/]+\/[^/?]+$/.test(passing.path)) await isOverloaded;
      return passing;
    },
    reply: (reply, request) => {
      if (isCounted(request) && reply.status !== 429) atOnce -= 1;
      return reply;
    },
  };
}

/** Asks everything to wait until some time after the nth request. */
function busyFor(milliseconds: number, from: number): Request {
  let requests = 0;
  let since: number | undefined;
  return (passing) => {
    requests += 1;
    if (requests === from) since = Date.now();
    return since !== undefined && Date.now() - since < milliseconds ? busy() : passing;
  };
}

function everyNth(n: number, refusal: WireReply): Request {
  let requests = 0;
  return (passing) => {
    requests += 1;
    return requests % n === 0 ? refusal : passing;
  };
}

describe('a run of the command line', () => {
  it.each<readonly [string, () => Broken, readonly string[]]>([
    [
      'every 40th request',
      () => ({ request: everyNth(40, busy()) }),
      ['--chapter', 'errors,replace', '--grep', 'configmaps'],
    ],
    [
      'every 20th request, and does not say when',
      () => ({ request: everyNth(20, { status: 429, headers: {}, body: 'local_rate_limited' }) }),
      ['--chapter', 'replace', '--grep', 'configmaps'],
    ],
    ['requests with 503', () => ({ request: everyNth(5, busy('1', 503)) }), ['--chapter', 'read', '--grep', 'secrets']],
    [
      'more than four requests at once',
      overloaded,
      ['--chapter', 'create', '--grep', '/api/v1/namespaces/{namespace}/p'],
    ],
    ['everything for a while', () => ({ request: busyFor(8_000, 60) }), ['--chapter', 'watch', '--grep', 'configmaps']],
  ])('fails nothing where the server asks to wait: %s', async (_, broken, choice) => {
    proxy = await startFaultyProxy(good, broken());
    const options = ['--token', good.token, '--disposable', ...choice, '--output', output];
    const { code, stdout, stderr } = await call('run', '--url', proxy.url, ...options);
    const { cases, notes } = await readEvidence(join(output, 'evidence.jsonl'));
    const lacking = [...cases.values()].filter(({ verdict }) => verdict === 'failed' || verdict === 'blocked');
    expect(lacking.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /the target asks to wait \((429|503)(, Retry-After)?\): the run waits, and sends less at once/,
    );
    expect(notes).toEqual([
      expect.stringMatching(
        /^the target asked to wait [\d,]+ times?, [\d,]+ s in all; the run went down to \d+ requests? at once/,
      ),
    ]);
    expect(stdout).toContain(notes[0]);
  });
});

let runs = 0;

/** Runs cases behind an edit of the requests, with little patience. */
async function resultsBehind(request: Request, isWanted: (id: string) => boolean): Promise<CaseResult[]> {
  proxy = await startFaultyProxy(good, { request });
  const target = bareTarget(proxy.url, { credentials: { staticToken: { token: good.token } } });
  runs += 1;
  const run = { runId: `ddddd${runs}`, target, directory: good.folder };
  context = new Context(run, '1', undefined, undefined, undefined, new Pace(undefined, 2_000));
  return await runChosen(good, context, isWanted);
}

describe('a server that asks to wait for ever', () => {
  it('ends the run, and fails no case', async () => {
    let requests = 0;
    const results = await resultsBehind(
      (passing) => {
        requests += 1;
        return requests > 30 ? busy('0') : passing;
      },
      (id) => /^(read|errors)\..*configmaps/.test(id),
    );
    const verdicts = new Set(results.map(({ verdict }) => verdict));
    expect([...verdicts].sort()).toEqual(['blocked', 'passed', 'skipped']);
    expect(context?.client.health.stop).toEqual({
      kind: 'busy',
      reason: expect.stringMatching(
        /^the target is busy: for \d+ s it answered 429 with Retry-After to every request, at last .*lower --workers and --concurrency/,
      ),
    });
  });

  it('with one kind of request blocks the cases that need it, and no others', async () => {
    const results = await resultsBehind(
      (passing) => (passing.method === 'PUT' ? busy('0') : passing),
      (id) => /^(create|replace)\..* › .*\/namespaces\/\{namespace\}\/configmaps(\/\{name\})?$/.test(id),
    );
    const of = (wanted: string) => results.filter(({ verdict }) => verdict === wanted);
    expect([of('passed').length > 0, of('passed').length + of('blocked').length]).toEqual([true, results.length]);
    const messages = new Set(of('blocked').map(({ message }) => message?.replace(/ \d+ s | at last PUT .*/g, ' … ')));
    expect([...messages]).toEqual([
      expect.stringMatching(/^the target is busy: for … it answered 429 .* to this request, … $/),
    ]);
    expect(context?.client.health.stop).toBeUndefined();
  });
});

it('a 429 without Retry-After after some tries, or one that a disruption budget explains, is an answer', async () => {
  for (const [reply, requests] of [
    [failure(429, 'TooManyRequests'), 5],
    [{ ...busy(), body: JSON.stringify({ kind: 'Status', details: { causes: [{ reason: 'DisruptionBudget' }] } }) }, 1],
  ] as const) {
    let count = 0;
    proxy = await startFaultyProxy(good, {
      request: () => {
        count += 1;
        return reply;
      },
    });
    context = new Context({ runId: 'eeeeee', target: bareTarget(proxy.url), directory: good.folder }, '1');
    const { status } = await context.client.send({ method: 'POST', path: '/api/v1/namespaces/a/pods/b/eviction' });
    expect([status, count]).toEqual([429, requests]);
    await context.client.close();
    await proxy.close();
  }
});
