// Complete discovery: what is served is listed, each kind, each subresource, and each verb of an entry that lists verbs.
import { type GroupVersion, type Operation, resources, type VerbRow, verbs } from '../../matrix/api/index.js';
import { fail, success } from '../client/expect.js';
import { fill } from '../client/paths.js';
import { NoAnswer } from '../client/reply.js';
import { respondsTo } from '../run/absences.js';
import { unlistedIn } from '../run/capabilities.js';
import type { Context } from '../run/context.js';
import type { Recorded } from '../run/group.js';
import { servedRead } from '../run/served.js';
import { listedIn } from './entries.js';

/** Reads the discovery of a group version, and tries what it leaves out. */
export async function readComplete(groupVersion: GroupVersion, { client, run }: Context) {
  const reply = await client.send({ method: 'GET', path: groupVersion.prefix });
  const names = new Set(listedIn(reply).map(({ name }) => String(name).split('/')[0]));
  const unlisted: { readonly plural: string; readonly served: string | undefined }[] = [];
  for (const resource of resources) {
    if (resource.groupVersion !== groupVersion || resource.stated.length === 0 || names.has(resource.plural)) continue;
    unlisted.push({ plural: resource.plural, served: await servedRead(client, resource) });
  }
  const lacking: { readonly reason: string; readonly id: string; readonly hasEntry: boolean }[] = [];
  for (const { operation, reason, hasEntry } of unlistedIn(reply, groupVersion)) {
    // One operation shows that an entry is missing, or lacks a verb.
    if (lacking.some((known) => known.reason === reason)) continue;
    if (await isServed(operation, { client, run })) lacking.push({ reason, id: operation.id, hasEntry });
  }
  return { reply, unlisted, lacking };
}

/** Reports whether a read, a watch or a patch is served. A server may name an absent object for other writes of any path. */
async function isServed(operation: Operation, { client, run }: Pick<Context, 'client' | 'run'>): Promise<boolean> {
  const { verb, path } = operation;
  const isWatch = verb !== 'discover' && (verbs[verb] satisfies VerbRow).answer === 'watch';
  return isWatch ? await streams(path, client) : await respondsTo(operation, client, run.runId);
}

/** Reports whether a watch begins. */
async function streams(path: string, client: Context['client']): Promise<boolean> {
  const absent = 'kube-api-conformance-absent';
  const call = { method: 'GET', path: `${fill(path, absent, absent)}?timeoutSeconds=1`, headersOnly: true } as const;
  try {
    return (await client.send(call)).status === 200;
  } catch (error) {
    if (error instanceof NoAnswer) return false;
    throw error;
  }
}

type Complete = Recorded<typeof readComplete>;

/** Throws Failure if a kind or a subresource is served and not listed. */
export function listsResources({ reply, unlisted, lacking }: Complete): void {
  for (const { plural, served } of unlisted)
    if (served !== undefined) fail(`${reply.request}: ${plural} is not listed, and ${served} is served`);
  for (const { reason, id } of lacking.filter(({ hasEntry }) => !hasEntry)) fail(`${reason}, and ${id} is served`);
}

/** Throws Failure if an entry lists verbs, and not one that is served. */
export function listsVerbs({ reply, lacking }: Complete): void {
  success(reply);
  for (const { reason, id } of lacking.filter(({ hasEntry }) => hasEntry)) fail(`${reason}, and ${id} is served`);
}
