// Findings about a target before the first case: its capabilities, and which requests are safe.

import {
  anonymousNote,
  Client,
  findAnonymousAccess,
  findNodes,
  lacksOf,
  namespaceGuard,
  type Run,
  readCapabilities,
  readFeatures,
  seenOffered,
  tryCleanUp,
  tryDeletes,
  unsafeDeletesReason,
  withoutServed,
} from '../../suites/index.js';
import type { Alias, Case, Nodes, NotSupported, Target } from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';
import type { Interruption } from './interruption.js';
import { declaredKinds, rowsOf, sampledKinds } from './kinds.js';
import { type RunNode, startRunNode } from './node.js';
import { type ChosenCases, chosenFrom, type RunOptions } from './options.js';
import { checkNamespaceServer } from './preflight/namespaceServer.js';
import { checkPermissions, preflight, printNote } from './preflight.js';

export interface InspectionInput {
  readonly client: Client;
  readonly target: Target;
  readonly runId: string;
  readonly chosen: ChosenCases;
  readonly options: RunOptions;
  readonly authentication: Run['authentication'];
  /** The features that are judged even if the target seems to lack them. */
  readonly demanded: Target['features'];
  /** Whether the target is the bundled server, which permits everything. */
  readonly isBundled: boolean;
  /** The socket at which the target reaches the node of the run; absent if the run has no node. */
  readonly egressSocket: string | undefined;
  readonly interruption: Interruption;
  /** The directory of the run's report. */
  readonly output: string;
}

export interface Findings {
  readonly serverVersion: Awaited<ReturnType<typeof preflight>>['serverVersion'];
  readonly nodes: Nodes;
  readonly aliases: readonly Alias[];
  readonly anonymousAccess: Run['anonymousAccess'];
  /** The note about anonymous requests, if there is one. */
  readonly anonymous: string | undefined;
  readonly notSupported: readonly NotSupported[];
  /** The only namespace of the run, with what its user may not do there; absent if the run makes namespaces. */
  readonly only: Target['only'];
  readonly undeletable: NonNullable<Run['undeletable']>;
  /** The chosen cases, with those of the kinds that only the target knows. */
  readonly chosen: ChosenCases;
  /** The simulated node of the run. The caller closes it. */
  readonly node: RunNode | undefined;
}

/** Examines the target. Throws UsageError if no run can start, and NoAnswer if the target stops responding. */
export async function inspectTarget(input: InspectionInput): Promise<Findings> {
  const { client, target, runId, options, authentication, egressSocket, interruption } = input;
  const { serverVersion } = await interruption.race(preflight(client, authentication !== undefined));
  const nodes = egressSocket === undefined ? await nodesOf(client) : 'ours';
  const { aliases, unlisted, notSupported: unlistedParts } = await readCapabilities(client);
  const lacks = await withoutServed(unlistedParts, client, runId);
  for (const { groupVersion, resource, to } of unlisted)
    printNote(
      `the alias of ${resource} in ${groupVersion} names ${to}, which does not list them: the alias is ignored`,
    );
  const declared = await seenOffered(target.notSupported, { client, nodes, runId });
  const known = [...declared, ...lacks, ...lacksOf(nodes)];
  await checkNamespaceServer(client, known);
  const ofTarget = await declaredKinds(client, options);
  const hasCore = !known.some(({ capability }) => capability === 'group:core');
  const listed = hasCore ? undefined : rowsOf(ofTarget ?? []).find(({ verbs }) => verbs.includes('list'));
  const anonymousAccess = await findAnonymousAccess(client, runId, listed);
  const anonymous = anonymousAccess && anonymousNote(anonymousAccess);
  if (anonymous !== undefined) printNote(anonymous);
  const promised = ofTarget === undefined ? input.chosen : chosenFrom(options, rowsOf(ofTarget));
  const only = input.isBundled
    ? undefined
    : await checkPermissions(client, promised.cases, { notSupported: known, aliases }, input.output);
  interruption.check();
  interruption.hint(`clean --run ${runId}, with the options that reach this target, removes what the run created`);
  const kinds = ofTarget && (await sampledKinds({ client, runId, options, notSupported: known }, ofTarget));
  const chosen = kinds === undefined ? input.chosen : chosenFrom(options, kinds);
  // A disposable server may be emptied. On any other server, the run first tries the effect of deletes.
  const undeletable = target.disposable || target.readOnly ? {} : await tryDeletes(client, runId, known, kinds);
  const features = await featuresOf(target, {
    ...{ runId, cases: chosen.cases, notSupported: known, serverVersion, authentication },
    demanded: input.demanded,
    deletes: undeletable.objects === undefined,
  });
  noteCuts(client);
  const notSupported = [...features.known, ...features.lacks];
  const node = await nodeOfRun({ ...input, chosen }, notSupported, undeletable);
  return { chosen, only, serverVersion, nodes, aliases, anonymousAccess, anonymous, notSupported, undeletable, node };
}

/** Starts a simulated node if the target can reach it and a chosen case needs it. */
async function nodeOfRun(
  { client, runId, chosen, egressSocket }: InspectionInput,
  notSupported: readonly NotSupported[],
  undeletable: Findings['undeletable'],
): Promise<RunNode | undefined> {
  if (egressSocket === undefined || !chosen.cases.some(needsNode)) return undefined;
  if (undeletable.objects !== undefined)
    throw new UsageError(
      `the run cannot simulate a node for this target, because ${unsafeDeletesReason(undeletable.objects)}`,
    );
  return await startRunNode(client, runId, egressSocket).catch(async (error: unknown) => {
    await tryCleanUp(client, runId, notSupported, undeletable);
    throw error;
  });
}

/** Reports a request that may have crashed the target, because no case of the run reports it. */
function noteCuts({ health }: Client): void {
  const [cut] = health.cutSince({ cut: 0 });
  if (cut !== undefined)
    printNote(`the target closed a connection before the first case, and the request was sent again: ${cut}`);
}

/**
 * Returns the features that the target lacks, and the known absences with any observations that contradict them. Prints
 * a line about the former. Uses its own connections, because a probe may break them.
 */
async function featuresOf(
  target: Target,
  input: Omit<Parameters<typeof readFeatures>[0], 'client'>,
): ReturnType<typeof readFeatures> {
  const client = new Client(target, undefined, { guard: namespaceGuard(target) });
  try {
    const found = await readFeatures({ ...input, client });
    noteCuts(client);
    const { lacks } = found;
    if (lacks.length > 0) printNote(`not supported: ${lacks.map(({ reason }) => reason).join(', ')}`);
    return found;
  } finally {
    await client.close();
  }
}

/** Returns who runs the pods of a target for which the run has no node. */
async function nodesOf(client: Client): Promise<Nodes> {
  const { nodes } = client.target;
  return nodes === undefined || nodes === 'ours' ? await findNodes(client) : nodes;
}

const needsNode = ({ subject }: Case): boolean => subject.node !== undefined;
