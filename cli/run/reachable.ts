// A run on a target that is there: its header, the suite, the cleaning up, the report.
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type Case,
  choose,
  type Nodes,
  type NotOffered,
  type RunFooter,
  type RunHeader,
  type Target,
} from '../../matrix/requirements/index.js';
import {
  anonymousNote,
  Client,
  findNodes,
  findStrangers,
  lacksOf,
  mistrustOf,
  NoAnswer,
  type Run,
  readCapabilities,
  readFeatures,
  seenOffered,
  tryCleanUp,
  tryDeletes,
} from '../../suites/index.js';
import { version } from '../package.js';
import { type RunFixtures, withFixtures } from '../runFixtures.js';
import { type RunNode, startRunNode } from '../runNode.js';
import { runSuite } from '../runSuite.js';
import { UsageError } from '../usageError.js';
import { readBaseline } from './baseline.js';
import { cleanUpAfter } from './cleaningUp.js';
import type { Interruption } from './interruption.js';
import { introduction } from './introduction.js';
import { choiceFrom, type RunOptions } from './options.js';
import { checkPermissions, note, preflight } from './preflight.js';
import { report } from './report.js';

/** What a run has beside its target. */
export interface Beside {
  /** What the target was started with. */
  readonly fixtures?: RunFixtures | undefined;
  /** Where the target reaches the node of the run; absent where it plays none. */
  readonly egressSocket?: string | undefined;
  /** Whether somebody wants the run to end. */
  readonly interruption: Interruption;
}

/** Runs the suite on a target that is there, with what it was started with. */
export async function runOnReachable(reachable: Target, options: RunOptions, beside: Beside): Promise<number> {
  const { fixtures, egressSocket, interruption } = beside;
  const choice = choiceFrom(options);
  const chosen = choose(choice);
  const baseline = options.baseline === undefined ? undefined : await readBaseline(options.baseline);
  const target: Target = {
    ...(fixtures === undefined ? reachable : withFixtures(reachable, fixtures)),
    ...(choice.readOnly && { readOnly: true }),
  };
  // one lost answer is not the end of a run
  const client = new Client(target, undefined, { ...rulesOf(options), tries: 3 });
  let node: RunNode | undefined;
  try {
    const { serverVersion } = await preflight(client, fixtures !== undefined);
    const nodes = egressSocket === undefined ? await nodesOf(client) : 'ours';
    const { aliases, astray, notOffered: lacks } = await readCapabilities(client);
    for (const { groupVersion, resource, to } of astray)
      note(`the alias of ${resource} in ${groupVersion} leads to ${to}, which does not list them: they are not tried`);
    const runId = newRunId();
    const strangers = await findStrangers(client, runId);
    const anonymous = strangers && anonymousNote(strangers);
    if (anonymous !== undefined) note(anonymous);
    const declared = await seenOffered(target.notOffered, { client, nodes, runId });
    const known = [...declared, ...lacks, ...lacksOf(nodes)];
    await checkPermissions(client, chosen, known);
    if (interruption.reason !== undefined) throw new UsageError(`${interruption.reason} before the first case`);
    interruption.hint(`clean --run ${runId} with the options that reach this target does it`);
    // Nobody's server may be emptied; on anybody else's it is found out first what its deletes do.
    const undeletable = target.disposable || target.readOnly ? {} : await tryDeletes(client, runId, known);
    const authentication = fixtures && authenticationOf(fixtures);
    const absent = await featuresLackedBy(target, {
      ...{ runId, cases: chosen, notOffered: known, serverVersion, authentication },
      demanded: options.features ?? target.features,
      deletes: undeletable.objects === undefined,
    });
    const notOffered = [...known, ...absent];
    if (egressSocket !== undefined && chosen.some(needsNode)) {
      if (undeletable.objects !== undefined)
        throw new UsageError(`no node can be played beside this target, because ${mistrustOf(undeletable.objects)}`);
      node = await startRunNode(client, runId, egressSocket).catch(async (error: unknown) => {
        await tryCleanUp(client, runId, notOffered, undeletable);
        throw error;
      });
    }
    for (const line of introduction({ target, serverVersion, notOffered, aliases })) process.stderr.write(`${line}\n`);
    const directory = resolve(options.output);
    const parts = join(directory, 'evidence');
    rmSync(parts, { recursive: true, force: true });
    mkdirSync(parts, { recursive: true });
    const header: RunHeader = {
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
      notOffered,
      deviations: target.deviations,
      ...(aliases.length === 0 ? {} : { aliases }),
      disposable: target.disposable,
      nodes,
      ...(anonymous === undefined ? {} : { anonymous }),
      choice,
      workers: Number(options.workers),
      ...(options.strict && { strict: true }),
      ...(baseline && { baseline }),
    };
    appendFileSync(join(parts, '0-run.jsonl'), `${JSON.stringify(header)}\n`);
    const run: Run = {
      runId,
      target: { ...target, notOffered, aliases },
      directory,
      choice,
      undeletable,
      ...(strangers === undefined ? {} : { strangers }),
      ...(options.patience === undefined ? {} : { answerPatience: Number(options.patience) * 1000 }),
      ...(options.comesBack === undefined ? {} : { comesBack: Number(options.comesBack) * 1000 }),
      ...(node === undefined ? {} : { node: node.facts }),
      ...(authentication && { authentication }),
    };
    const { aborted, outages } = await runSuite(run, options.workers, interruption);
    // a run that only reads leaves nothing, and has nothing to look for
    const left = target.readOnly ? [] : await cleanUpAfter(run, aborted !== undefined, interruption);
    await node?.close();
    // its heartbeat may have brought it back
    const leftovers = left.filter((object) => object !== `nodes/${node?.facts.name}`);
    const footer: RunFooter = {
      type: 'end',
      endedAt: new Date().toISOString(),
      leftovers,
      ...(aborted === undefined ? {} : { aborted }),
      ...(outages.length === 0 ? {} : { outages }),
    };
    appendFileSync(join(parts, 'z-end.jsonl'), `${JSON.stringify(footer)}\n`);
    const exitCode = await report(directory, parts);
    if (aborted !== undefined && leftovers.length > 0)
      process.stderr.write(`left on the target: clean --run ${runId} removes it once the target answers\n`);
    return exitCode;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new UsageError(`the target stopped to answer before the first case: ${error.message}`);
  } finally {
    await node?.close();
    await client.close();
  }
}

/** What the target lacks of the table of features, told in a line; with connections of its own, whatever becomes of them. */
async function featuresLackedBy(
  target: Target,
  looking: Omit<Parameters<typeof readFeatures>[0], 'client'>,
): Promise<readonly NotOffered[]> {
  const client = new Client(target);
  try {
    const lacks = await readFeatures({ ...looking, client });
    if (lacks.length > 0) note(`not offered: ${lacks.map(({ reason }) => reason).join(', ')}`);
    return lacks;
  } finally {
    await client.close();
  }
}

/** How long the target may take for an answer before the first case. */
const rulesOf = ({ patience }: RunOptions) => (patience === undefined ? {} : { patience: Number(patience) * 1000 });

function authenticationOf({ fixtures, controlUrl, secondServerUrl }: RunFixtures): NonNullable<Run['authentication']> {
  return { fixtures, controlUrl, ...(secondServerUrl === undefined ? {} : { secondServerUrl }) };
}

/** Six hexadecimal digits, the first of them a letter: no reader of YAML takes the id for a number. */
function newRunId(): string {
  const [first = 0, ...more] = randomBytes(4);
  return `${'abcdef'[first % 6]}${Buffer.from(more).toString('hex').slice(1)}`;
}

/** Who runs the pods of a target for which the run plays no node. */
async function nodesOf(client: Client): Promise<Nodes> {
  const { nodes } = client.target;
  return nodes === undefined || nodes === 'ours' ? await findNodes(client) : nodes;
}

const needsNode = ({ subject }: Case): boolean => subject.node !== undefined;
