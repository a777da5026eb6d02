// A few cases, chosen by a seed, against a server that answers at random: in this process, without its command line.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CaseVerdict, Subject } from '../../../matrix/requirements/index.js';
import { readCapabilities } from '../../support/capabilities.js';
import { runCell } from '../../support/cell.js';
import { type Performance, performances } from '../../support/chapter.js';
import { tryCleanUp } from '../../support/cleanup.js';
import { Client } from '../../support/client.js';
import { tryDeletes } from '../../support/deletes.js';
import { NoAnswer } from '../../support/reply.js';
import { Context } from '../../support/worker.js';
import { bareTarget } from '../bareTarget.js';
import { startFuzzServer } from './fuzzServer.js';
import { randomOf } from './random.js';

/** The good server behind it. */
interface Good {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** What came of a run. */
export interface FuzzedRun {
  readonly seed: number;
  readonly share: number;
  readonly seconds: number;
  readonly requests: number;
  readonly bad: number;
  readonly verdicts: Readonly<Partial<Record<CaseVerdict, number>>>;
  /** Why it ended before its last case, if it did. */
  readonly stop?: string;
}

/** Shares of bad answers that a run is made with. */
const shares = [0.02, 0.05, 0.15, 0.4, 1];
/** Milliseconds for an answer, for what a stream tells at once, and for a target that is gone. */
const [answerPatience, patience, comesBack] = [400, 400, 1_000];

/** Rejects where the suite breaks; the chapters that it chooses from are those that are loaded. */
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
  const client = new Client(target, patience, { patience: answerPatience });
  const verdicts: Partial<Record<CaseVerdict, number>> = {};
  let context: Context | undefined;
  try {
    const notSupported = await offered(client);
    const undeletable = target.disposable ? {} : await tryDeletes(client, runId, notSupported);
    const run = { runId, target, directory, patience, answerPatience, comesBack, undeletable };
    context = new Context(run, '0');
    for (let count = 0; count < most; count += 1) {
      const performance: Performance = random.of(performances);
      const subject: Subject | undefined = random.of(performance.subjects);
      if (subject === undefined) continue;
      for (const { verdict } of await runCell(context, subject, performance))
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

/** What discovery leaves out; nothing where it does not answer, which the command line takes for the end. */
async function offered(client: Client): ReturnType<typeof readAll> {
  try {
    return await readAll(client);
  } catch (error) {
    if (error instanceof NoAnswer) return [];
    throw error;
  }
}

const readAll = async (client: Client) => (await readCapabilities(client)).notSupported;
