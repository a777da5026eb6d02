// A run on a target that is there: its header, the suite, the cleaning up, the report.
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { choose, type RunFooter, type RunHeader, type Target } from '../../matrix/requirements/index.js';
import { Client, LiveLine, NoAnswer, type Run, usualComesBack } from '../../suites/index.js';
import { version } from '../package.js';
import { type RunFixtures, withFixtures } from '../runFixtures.js';
import { runSuite } from '../runSuite.js';
import { UsageError } from '../usageError.js';
import { readBaseline } from './baseline.js';
import { cleanUpAfter } from './cleaningUp.js';
import { type Findings, findOut } from './findings.js';
import type { Interruption } from './interruption.js';
import { introduction } from './introduction.js';
import { choiceFrom, type RunOptions } from './options.js';
import { report } from './report.js';

/** What a run has beside its target. */
export interface Beside {
  /** What the target was started with. */
  readonly fixtures?: RunFixtures | undefined;
  /** Where the target reaches the node of the run; absent where it plays none. */
  readonly egressSocket?: string | undefined;
  /** Whether the run was asked to end. */
  readonly interruption: Interruption;
}

/** What a run is told before it looks at its target. */
interface Plan {
  readonly runId: string;
  readonly target: Target;
  readonly options: RunOptions;
  readonly baseline: RunHeader['baseline'];
  readonly authentication: Run['authentication'];
}

/** Runs the suite on a target that is there, with what it was started with. */
export async function runOnReachable(reachable: Target, options: RunOptions, beside: Beside): Promise<number> {
  const { fixtures, egressSocket, interruption } = beside;
  const choice = choiceFrom(options);
  const target: Target = {
    ...(fixtures === undefined ? reachable : withFixtures(reachable, fixtures)),
    ...(choice.readOnly && { readOnly: true }),
  };
  const baseline = options.baseline === undefined ? undefined : await readBaseline(options.baseline);
  const authentication = fixtures && authenticationOf(fixtures);
  const plan: Plan = { runId: newRunId(), target, options, baseline, authentication };
  // one lost answer is not the end of a run
  const client = new Client(target, undefined, { ...rulesOf(options), tries: 3 });
  let findings: Findings | undefined;
  try {
    findings = await findOut({
      ...{ ...plan, client, egressSocket, interruption },
      chosen: choose(choice),
      output: options.output,
      demanded: options.features ?? target.features,
    });
    return await runWith(plan, findings, interruption);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new UsageError(`the target stopped responding before the first case: ${error.message}`);
  } finally {
    await findings?.node?.close();
    await client.close();
  }
}

/** Runs the cases, cleans up after them and writes the report. Returns the exit code. */
async function runWith(plan: Plan, findings: Findings, interruption: Interruption): Promise<number> {
  const { runId, target, options } = plan;
  for (const line of introduction({ target, ...findings })) process.stderr.write(`${line}\n`);
  const directory = resolve(options.output);
  const parts = join(directory, 'evidence');
  rmSync(parts, { recursive: true, force: true });
  mkdirSync(parts, { recursive: true });
  appendFileSync(join(parts, '0-run.jsonl'), `${JSON.stringify(headerOf(plan, findings))}\n`);
  const run = runOf(plan, findings, directory);
  const { aborted, outages } = await runSuite(run, options.workers, interruption);
  const line = new LiveLine(process.stderr);
  if (aborted === undefined && !target.readOnly) line.draw('cleaning up');
  // a run that only reads leaves nothing, and has nothing to look for
  const left = target.readOnly ? [] : await cleanUpAfter(run, aborted !== undefined, interruption);
  await findings.node?.close();
  line.draw('writing the report');
  // its heartbeat may have brought it back
  const leftovers = left.filter((object) => object !== `nodes/${findings.node?.facts.name}`);
  const footer: RunFooter = {
    type: 'end',
    endedAt: new Date().toISOString(),
    leftovers,
    ...(aborted === undefined ? {} : { aborted }),
    ...(outages.length === 0 ? {} : { outages }),
  };
  appendFileSync(join(parts, 'z-end.jsonl'), `${JSON.stringify(footer)}\n`);
  const exitCode = await report(directory, parts, () => line.end()).finally(() => line.end());
  if (aborted !== undefined && leftovers.length > 0)
    process.stderr.write(
      `objects of the run are left on the target: when it responds again, remove them with clean --run ${runId}\n`,
    );
  return exitCode;
}

function headerOf({ runId, target, options, baseline }: Plan, findings: Findings): RunHeader {
  const { serverVersion, notSupported, aliases, nodes, anonymous } = findings;
  return {
    type: 'run',
    version,
    runId,
    startedAt: new Date().toISOString(),
    target: {
      name: target.name,
      url: target.url,
      ...(serverVersion === undefined ? {} : { serverVersion }),
      ...(target.route?.insecure && { insecure: true }),
    },
    notSupported,
    deviations: target.deviations,
    ...(aliases.length === 0 ? {} : { aliases }),
    disposable: target.disposable,
    nodes,
    ...(anonymous === undefined ? {} : { anonymous }),
    choice: choiceFrom(options),
    workers: Number(options.workers),
    ...(options.again === undefined ? {} : { command: options.again }),
    ...(options.evidence && { evidence: options.evidence }),
    ...(options.strict && { strict: true }),
    ...(baseline && { baseline }),
  };
}

function runOf({ runId, target, options, authentication }: Plan, findings: Findings, directory: string): Run {
  const { notSupported, aliases, undeletable, strangers, node } = findings;
  return {
    runId,
    target: { ...target, notSupported, aliases },
    directory,
    choice: choiceFrom(options),
    ...(options.evidence && { evidence: options.evidence }),
    undeletable,
    ...(strangers === undefined ? {} : { strangers }),
    ...(options.patience === undefined ? {} : { answerPatience: Number(options.patience) * 1000 }),
    ...(options.comesBack === undefined ? {} : { comesBack: Number(options.comesBack) * 1000 }),
    ...(node === undefined ? {} : { node: node.facts }),
    ...(authentication && { authentication }),
  };
}

/** How long the target may take for an answer, and be gone, before the first case. */
const rulesOf = ({ patience, comesBack }: RunOptions) => ({
  ...(patience === undefined ? {} : { patience: Number(patience) * 1000 }),
  comesBack: comesBack === undefined ? usualComesBack : Number(comesBack) * 1000,
});

function authenticationOf({ fixtures, controlUrl, secondServerUrl }: RunFixtures): NonNullable<Run['authentication']> {
  return { fixtures, controlUrl, ...(secondServerUrl === undefined ? {} : { secondServerUrl }) };
}

/** Six hexadecimal digits, the first of them a letter: no reader of YAML takes the id for a number. */
function newRunId(): string {
  const [first = 0, ...more] = randomBytes(4);
  return `${'abcdf'[first % 5]}${Buffer.from(more).toString('hex').slice(1)}`;
}
