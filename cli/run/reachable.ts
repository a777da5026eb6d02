// A run on a target that is there: its header, the suite, the cleaning up, the report.
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type Choice,
  choose,
  type Nodes,
  type RunFooter,
  type RunHeader,
  type Target,
} from '../../matrix/requirements/index.js';
import { Client, findNodes, lacksOf, type Run, readNotOffered, seenOffered, tryCleanUp } from '../../suites/index.js';
import { version } from '../package.js';
import { type RunFixtures, withFixtures } from '../runFixtures.js';
import { type RunNode, startRunNode } from '../runNode.js';
import { runSuite } from '../runSuite.js';
import { readBaseline } from './baseline.js';
import { choiceFrom, type RunOptions } from './options.js';
import { preflight } from './preflight.js';
import { report } from './report.js';

/** What a run has beside its target. */
export interface Beside {
  /** What the target was started with. */
  readonly fixtures?: RunFixtures | undefined;
  /** Where the target reaches the node of the run; absent where it plays none. */
  readonly egressSocket?: string | undefined;
}

/** Runs the suite on a target that is there, with what it was started with. */
export async function runOnReachable(reachable: Target, options: RunOptions, beside: Beside): Promise<number> {
  const { fixtures, egressSocket } = beside;
  const choice = choiceFrom(options);
  const baseline = options.baseline === undefined ? undefined : await readBaseline(options.baseline);
  const target: Target = {
    ...(fixtures === undefined ? reachable : withFixtures(reachable, fixtures)),
    ...(choice.readOnly && { readOnly: true }),
  };
  const client = new Client(target);
  let node: RunNode | undefined;
  try {
    const serverVersion = await preflight(client);
    const nodes = egressSocket === undefined ? await nodesOf(client) : 'ours';
    const runId = randomBytes(4).toString('hex').slice(0, 6);
    const declared = await seenOffered(target.notOffered, { client, nodes, runId });
    const notOffered = [...declared, ...(await readNotOffered(client)), ...lacksOf(nodes)];
    if (egressSocket !== undefined && needsNode(choice)) node = await startRunNode(client, runId, egressSocket);
    const directory = resolve(options.output);
    const parts = join(directory, 'evidence');
    rmSync(parts, { recursive: true, force: true });
    mkdirSync(parts, { recursive: true });
    const header: RunHeader = {
      type: 'run',
      version,
      runId,
      startedAt: new Date().toISOString(),
      target: { name: target.name, url: target.url, ...(serverVersion === undefined ? {} : { serverVersion }) },
      notOffered,
      deviations: target.deviations,
      disposable: target.disposable,
      nodes,
      choice,
      workers: Number(options.workers),
      ...(options.strict && { strict: true }),
      ...(baseline && { baseline }),
    };
    appendFileSync(join(parts, '0-run.jsonl'), `${JSON.stringify(header)}\n`);
    const run: Run = {
      runId,
      target: { ...target, notOffered },
      directory,
      choice,
      ...(node === undefined ? {} : { node: node.facts }),
      ...(fixtures === undefined ? {} : { authentication: authenticationOf(fixtures) }),
    };
    const aborted = await runSuite(run, options.workers);
    // a run that only reads leaves nothing, and has nothing to look for
    const left = target.readOnly ? [] : await tryCleanUp(client, runId, notOffered);
    await node?.close();
    // its heartbeat may have brought it back
    const leftovers = left.filter((object) => object !== `nodes/${node?.facts.name}`);
    const footer: RunFooter = {
      type: 'end',
      endedAt: new Date().toISOString(),
      leftovers,
      ...(aborted === undefined ? {} : { aborted }),
    };
    appendFileSync(join(parts, 'z-end.jsonl'), `${JSON.stringify(footer)}\n`);
    return await report(directory, parts);
  } finally {
    await node?.close();
    await client.close();
  }
}

function authenticationOf({ fixtures, controlUrl, secondServerUrl }: RunFixtures): NonNullable<Run['authentication']> {
  return { fixtures, controlUrl, ...(secondServerUrl === undefined ? {} : { secondServerUrl }) };
}

/** Who runs the pods of a target for which the run plays no node. */
async function nodesOf(client: Client): Promise<Nodes> {
  const { nodes } = client.target;
  return nodes === undefined || nodes === 'ours' ? await findNodes(client) : nodes;
}

/** Whether a case that is selected needs a node. */
const needsNode = (choice: Choice): boolean => choose(choice).some(({ subject }) => subject.node !== undefined);
