// The table of tries: what the tries of a subject find, and the verdict of its case.
import { expect, it } from 'vitest';
import type { CaseResult, CaseVerdict } from '../requirements/index.js';
import type { Found } from './recovery.js';
import { retried, type Try, type TryState } from './retries.js';

/** A try of a subject with one case. `cuts`: the target ended the connection of its request. */
interface Scripted {
  readonly verdict: CaseVerdict;
  readonly found?: Found;
  readonly isCutShort?: boolean;
  readonly cuts?: readonly string[];
  /** Of a case that did not pass; `try <n>` when absent. */
  readonly message?: string;
}

const [passed, failed, blocked] = (['passed', 'failed', 'blocked'] as const).map((verdict) => ({ verdict })) as [
  Scripted,
  Scripted,
  Scripted,
];
const responds = { found: 'responds' } as const;
const recovered = { found: 'recovered', cuts: ['PUT /a: other side closed'] } as const;
const gone = { found: 'gone', cuts: ['PUT /b: other side closed'] } as const;

async function verdictAfter(tries: readonly Scripted[], suspects: number) {
  const states: TryState[] = [];
  let renewed = 0;
  const results = await retried({
    attempt: async (state): Promise<Try> => {
      const {
        verdict,
        message = `try ${states.length + 1}`,
        ...rest
      } = tries[states.length] ?? expect.fail(`a try ${state} after ${states}`);
      states.push(state);
      const result: CaseResult = {
        type: 'case',
        id: 'a',
        requirement: 'a',
        subject: 'a',
        verdict,
        exchanges: [],
        ...(verdict === 'passed' ? {} : { message }),
      };
      return { results: [result], isCutShort: false, outages: 1, cuts: [], ...rest };
    },
    renewSandbox: () => {
      renewed += 1;
    },
    suspects: () => Array.from({ length: suspects }, () => ''),
  });
  return {
    states: states.join(),
    renewed,
    verdict: results[0]?.verdict,
    message: results[0]?.message ?? '',
    retried: results[0]?.retried,
  };
}

const unjudged = /^the target sent no response for more than ten minutes/;
const once = /no other request in flight; the retry succeeded: PUT \/a: other side closed$/;
const lost = 'PUT /b: no answer: other side closed';
const unanswered = /^the target stopped responding while the case ran$/;
const stopped = /no other request in flight, and did not recover: PUT \/b: other side closed$/;
const twice = /^the target stopped responding after this request, twice: PUT/;

it.each<[what: string, tries: Scripted[], verdict: CaseVerdict, message?: string | RegExp, suspects?: number]>([
  ['a pass is a pass', [passed], 'passed'],
  ['a failure without a lost response is a failure', [failed], 'failed', 'try 1'],
  ['a pass with a lost response is a pass', [{ ...passed, ...responds }], 'passed'],
  ['a failure with a lost response is tried again', [{ ...failed, ...responds }, passed], 'passed'],
  ['so is a blocked case', [{ ...blocked, ...responds }, failed], 'failed', 'try 2'],
  [
    'the second failure counts',
    [
      { ...failed, ...responds },
      { ...failed, ...responds },
    ],
    'failed',
    'try 2',
  ],
  ['not if waits were cut short', [{ ...failed, ...responds, isCutShort: true }], 'skipped', unjudged],
  [
    'nor then',
    [
      { ...failed, ...responds },
      { ...failed, ...responds, isCutShort: true },
    ],
    'skipped',
    unjudged,
  ],
  ['a pass after cut waits is a pass', [{ ...passed, ...responds, isCutShort: true }], 'passed'],
  ['the end of the run ends the tries', [{ ...failed, ...gone }], 'failed', 'try 1'],
  [
    'also the second',
    [
      { ...failed, ...responds },
      { ...failed, ...gone },
    ],
    'failed',
    'try 2',
  ],
  [
    'also when waits were cut',
    [
      { ...failed, ...responds },
      { ...failed, ...gone, isCutShort: true },
    ],
    'skipped',
    unjudged,
  ],
  ['a case without a response says nothing then', [{ ...failed, ...gone, message: lost }], 'skipped', unanswered, 2],
  ['nor does a blocked one', [{ ...blocked, ...gone, message: lost }], 'skipped', unanswered, 2],
  ['but the only suspect fails', [{ ...failed, ...gone, message: lost }], 'failed', stopped, 1],
  ['one of several suspects is tried alone', [{ ...failed, ...recovered }, passed], 'passed', '', 2],
  [
    'and fails by its own failure',
    [
      { ...failed, ...recovered },
      { ...failed, ...responds },
    ],
    'failed',
    'try 2',
    2,
  ],
  ['and keeps its pass', [{ ...passed, ...recovered }, failed], 'passed', '', 2],
  ['the only suspect fails', [{ ...failed, ...recovered }, passed], 'failed', once, 1],
  ['also after a second try', [{ ...failed, ...responds }, { ...failed, ...recovered }, passed], 'failed', once, 1],
  ['not a subject that only waited', [{ ...failed, found: 'recovered' }, passed], 'passed', '', 1],
  [
    'a target that is gone twice fails',
    [
      { ...failed, ...recovered },
      { ...passed, ...recovered },
    ],
    'failed',
    twice,
    2,
  ],
  [
    'or gone for good',
    [
      { ...passed, ...recovered },
      { ...failed, ...gone },
    ],
    'failed',
    twice,
    2,
  ],
])('%s', async (_, tries, verdict, message = '', suspects = 0) => {
  const after = await verdictAfter(tries, suspects);
  const isAlone = tries.some(({ found }, index) => found === 'recovered' && index < tries.length - 1);
  expect(after).toMatchObject({ verdict, message: message === '' ? '' : expect.stringMatching(message) });
  // A pass by a retry says why the other try failed.
  const lacking = verdict === 'passed' ? tries.findIndex((one) => one.verdict !== 'passed') : -1;
  expect(after.retried).toBe(lacking < 0 ? undefined : `try ${lacking + 1}`);
  expect(after.states).toBe(
    tries.map((_, index) => (index === 0 ? 'first' : isAlone && index === tries.length - 1 ? 'alone' : 'again')).join(),
  );
});

it('gives the next try new namespaces if a case failed', async () => {
  expect(
    (
      await verdictAfter(
        [
          { ...failed, ...responds },
          { ...failed, ...responds },
        ],
        0,
      )
    ).renewed,
  ).toBe(2);
  expect((await verdictAfter([{ ...passed, ...responds }], 0)).renewed).toBe(0);
});
