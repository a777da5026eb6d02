// What a run finds out about its target before the first case: which parts it offers, and what may be done there.
import type { Alias, Case, Nodes, NotSupported, Target } from '../../matrix/requirements/index.js';
import {
  anonymousNote,
  Client,
  findNodes,
  findStrangers,
  lacksOf,
  mistrustOf,
  type Run,
  readCapabilities,
  readFeatures,
  seenOffered,
  tryCleanUp,
  tryDeletes,
} from '../../suites/index.js';
import { type RunNode, startRunNode } from '../runNode.js';
import { UsageError } from '../usageError.js';
import type { Interruption } from './interruption.js';
import { checkPermissions, note, preflight } from './preflight.js';

/** What a target is looked at for. */
export interface Looking {
  readonly client: Client;
  readonly target: Target;
  readonly runId: string;
  readonly chosen: readonly Case[];
  readonly authentication: Run['authentication'];
  /** The features that are judged though the target seems to lack them. */
  readonly demanded: Target['features'];
  /** Where the target reaches the node of the run; absent where it plays none. */
  readonly egressSocket: string | undefined;
  readonly interruption: Interruption;
  /** Where the report of the run goes. */
  readonly output: string;
}

/** What was found. */
export interface Findings {
  readonly serverVersion: Awaited<ReturnType<typeof preflight>>['serverVersion'];
  readonly nodes: Nodes;
  readonly aliases: readonly Alias[];
  readonly strangers: Run['strangers'];
  /** What is to be said of anonymous requests, if anything. */
  readonly anonymous: string | undefined;
  readonly notSupported: readonly NotSupported[];
  readonly undeletable: NonNullable<Run['undeletable']>;
  /** The node that the run plays. It is the caller's to close. */
  readonly node: RunNode | undefined;
}

/** Looks at the target. Throws UsageError where no run can start on it, and NoAnswer where it stops answering. */
export async function findOut(looking: Looking): Promise<Findings> {
  const { client, target, runId, chosen, authentication, egressSocket, interruption } = looking;
  const { serverVersion } = await preflight(client, authentication !== undefined);
  const nodes = egressSocket === undefined ? await nodesOf(client) : 'ours';
  const { aliases, astray, notSupported: lacks } = await readCapabilities(client);
  for (const { groupVersion, resource, to } of astray)
    note(`the alias of ${resource} in ${groupVersion} names ${to}, which does not list them: the alias is ignored`);
  const strangers = await findStrangers(client, runId);
  const anonymous = strangers && anonymousNote(strangers);
  if (anonymous !== undefined) note(anonymous);
  const declared = await seenOffered(target.notSupported, { client, nodes, runId });
  const known = [...declared, ...lacks, ...lacksOf(nodes)];
  await checkPermissions(client, chosen, known, looking.output);
  if (interruption.reason !== undefined) throw new UsageError(`${interruption.reason} before the first case`);
  interruption.hint(`clean --run ${runId}, with the options that reach this target, removes what the run created`);
  // A disposable server may be emptied; on any other, the run first finds out what its deletes do.
  const undeletable = target.disposable || target.readOnly ? {} : await tryDeletes(client, runId, known);
  const features = await featuresOf(target, {
    ...{ runId, cases: chosen, notSupported: known, serverVersion, authentication },
    demanded: looking.demanded,
    deletes: undeletable.objects === undefined,
  });
  noteCuts(client);
  const notSupported = [...features.known, ...features.lacks];
  const node = await nodeOfRun(looking, notSupported, undeletable);
  return { serverVersion, nodes, aliases, strangers, anonymous, notSupported, undeletable, node };
}

/** Plays a node, where the target can reach one and a chosen case needs it. */
async function nodeOfRun(
  { client, runId, chosen, egressSocket }: Looking,
  notSupported: readonly NotSupported[],
  undeletable: Findings['undeletable'],
): Promise<RunNode | undefined> {
  if (egressSocket === undefined || !chosen.some(needsNode)) return undefined;
  if (undeletable.objects !== undefined)
    throw new UsageError(`the run cannot simulate a node for this target, because ${mistrustOf(undeletable.objects)}`);
  return await startRunNode(client, runId, egressSocket).catch(async (error: unknown) => {
    await tryCleanUp(client, runId, notSupported, undeletable);
    throw error;
  });
}

/** Says which request the target may have crashed on: no case of the run would tell. */
function noteCuts({ health }: Client): void {
  if (health.losses.cut > 0)
    note(`the target closed a connection before the first case, and the request was sent again: ${health.lastCut}`);
}

/**
 * What the target lacks of the table of features, told in a line, and what is known to be absent, with what was seen of
 * it; with connections of its own, whatever becomes of them.
 */
async function featuresOf(
  target: Target,
  looking: Omit<Parameters<typeof readFeatures>[0], 'client'>,
): ReturnType<typeof readFeatures> {
  const client = new Client(target);
  try {
    const found = await readFeatures({ ...looking, client });
    noteCuts(client);
    const { lacks } = found;
    if (lacks.length > 0) note(`not supported: ${lacks.map(({ reason }) => reason).join(', ')}`);
    return found;
  } finally {
    await client.close();
  }
}

/** Who runs the pods of a target for which the run plays no node. */
async function nodesOf(client: Client): Promise<Nodes> {
  const { nodes } = client.target;
  return nodes === undefined || nodes === 'ours' ? await findNodes(client) : nodes;
}

const needsNode = ({ subject }: Case): boolean => subject.node !== undefined;
