// A few cases, chosen by a seed, against a server with random responses: in this process, without the command line.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../client/client.js';
import { NoAnswer } from '../../client/reply.js';
import { tryDeletes } from '../../objects/deletes.js';
import { randomOf } from '../../objects/random.js';
import type { CaseVerdict, Subject } from '../../requirements/index.js';
import { readCapabilities } from '../../run/capabilities.js';
import { runCases } from '../../run/cases.js';
import { tryCleanUp } from '../../run/cleanup.js';
import { Context } from '../../run/context.js';
import { type Group, groups } from '../../run/group.js';
import { bareTarget } from '../bareTarget.js';
import { startFuzzServer } from './fuzzServer.js';

interface Good {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

export interface FuzzedRun {
  readonly seed: number;
  readonly share: number;
  readonly seconds: number;
  readonly requests: number;
  readonly bad: number;
  readonly verdicts: Readonly<Partial<Record<CaseVerdict, number>>>;
  /** Why the run ended before its last case; absent if it did not. */
  readonly stop?: string;
}

/** The shares of bad responses; each run uses one of them. */
const shares = [0.02, 0.05, 0.15, 0.4, 1];
/** Milliseconds for a reply, for the first events of a stream, and for a target that is gone. */
const [answerTimeout, timeout, recoveryTimeout] = [400, 400, 1_000];

/** Runs up to `most` cases of the loaded chapters. Rejects if the suite breaks. */
export async function fuzzRun(good: Good, seed: number, most = 20): Promise<FuzzedRun> {
  const random = randomOf(seed);
  const share = random.of(shares);
  const started = Date.now();
  const server = await startFuzzServer({ good, seed, share });
  const directory = mkdtempSync(join(tmpdir(), 'fuzz-'));
  const target = bareTarget(server.url, {
    credentials: { staticToken: { token: good.token } },
    disposable: seed % 2 === 0,
  });
  const runId = seed.toString(16).padStart(6, '0').slice(-6);
  const client = new Client(target, timeout, { timeout: answerTimeout });
  const verdicts: Partial<Record<CaseVerdict, number>> = {};
  let context: Context | undefined;
  try {
    const notSupported = await offered(client);
    const undeletable = target.disposable ? {} : await tryDeletes(client, runId, notSupported);
    const run = { runId, target, directory, timeout, answerTimeout, recoveryTimeout, undeletable };
    context = new Context(run, '0');
    for (let count = 0; count < most; count += 1) {
      const group: Group = random.of(groups);
      const subject: Subject | undefined = random.of(group.subjects);
      if (subject === undefined) continue;
      for (const { verdict } of await runCases(context, subject, group))
        verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
      context.client.takeExchanges();
    }
    await tryCleanUp(client, runId, notSupported, undeletable);
    const { requests, bad } = server.counts();
    const stop = context.client.health.stop?.reason;
    return {
      seed,
      share,
      seconds: (Date.now() - started) / 1000,
      requests,
      bad: Object.values(bad).reduce((sum, number) => sum + number, 0),
      verdicts,
      ...(stop === undefined ? {} : { stop }),
    };
  } finally {
    await context?.client.close();
    await client.close();
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns the capabilities that discovery leaves out; none without a reply, with which the command line would end. */
async function offered(client: Client): ReturnType<typeof readAll> {
  try {
    return await readAll(client);
  } catch (error) {
    if (error instanceof NoAnswer) return [];
    throw error;
  }
}

const readAll = async (client: Client) => (await readCapabilities(client)).notSupported;
