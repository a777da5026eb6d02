// Reads from a target's discovery which parts of the stated surface the target does not offer.
import {
  apiVersionOf,
  type GroupVersion,
  groupVersions,
  type Operation,
  resourceId,
  statedOperations,
  subresourceOf,
  type VerbRow,
  verbs,
} from '../../matrix/api/index.js';
import { prefixOf } from '../client/aliases.js';
import type { Client } from '../client/client.js';
import { at, isObject } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import { type Alias, type NotSupported, type Subject, subjectSets } from '../requirements/index.js';
import { servedRead } from './served.js';

/** The resources and subresources in discovery, each with its verbs if the server lists them. */
type Listed = ReadonlyMap<string, readonly string[] | undefined>;

/** The part of the stated surface that a target offers, according to its discovery. */
export interface Capabilities {
  readonly notSupported: readonly NotSupported[];
  /** The aliases of the target that apply: those of resources that the target does not serve itself. */
  readonly aliases: readonly Alias[];
  /** The aliases whose version does not list the resource. */
  readonly unlisted: readonly Alias[];
}

/** Returns the absences according to the target's discovery. */
export async function readNotSupported(client: Client): Promise<readonly NotSupported[]> {
  return (await readCapabilities(client)).notSupported;
}

/**
 * Returns the absences according to the target's discovery: a group that is not served, a resource or subresource that
 * a group does not list, a verb that an entry does not list. A resource that is served but not listed counts as
 * offered, so that the checks of discovery fail. A group that the list of groups announces, or whose discovery fails
 * otherwise, counts as offered, so that its checks fail with their own evidence. A resource with an alias is an absence too, and its cases use the alias.
 */
export async function readCapabilities(client: Client): Promise<Capabilities> {
  const lacks: NotSupported[] = [];
  const aliases: Alias[] = [];
  const unlisted: Alias[] = [];
  const announced = await announcedVersions(client);
  for (const groupVersion of groupVersions) {
    const name = groupVersion.group || 'core';
    const reply = await client.send({ method: 'GET', path: groupVersion.prefix });
    const inGroup = tried.filter((operation) => operation.groupVersion === groupVersion);
    const listed = reply.status === 404 ? new Map<string, never>() : listing(reply);
    if (listed === undefined) continue;
    for (const alias of client.target.aliases ?? []) {
      if (alias.groupVersion !== apiVersionOf(groupVersion) || listed.has(alias.resource)) continue;
      const followed = await follow(client, alias, inGroup);
      if (followed === undefined) unlisted.push(...(alias.usual ? [] : [alias]));
      else aliases.push(followed);
    }
    if (reply.status === 404) {
      if (announced.has(apiVersionOf(groupVersion))) continue;
      const reason = `discovery: ${groupVersion.prefix} is not served`;
      const served = await servedOf(client, inGroup);
      const absent =
        hasOtherVersions(groupVersion) || served.size > 0
          ? inGroup.flatMap(resourceCapability).filter((capability) => !served.has(capability))
          : [`group:${name}` as const];
      lacks.push(...[...new Set(absent)].map((capability) => ({ capability, reason })));
    } else {
      const missing = missingOf(inGroup, listed, groupVersion.prefix);
      const unlisted = new Set<string>(missing.map(({ capability }) => capability));
      const served = await servedOf(
        client,
        inGroup.filter((operation) => resourceCapability(operation).some((capability) => unlisted.has(capability))),
      );
      lacks.push(...missing.filter(({ capability }) => !served.has(capability)));
    }
  }
  return { notSupported: lacks, aliases, unlisted };
}

/** Returns the group versions that the lists of versions and of groups name. */
async function announcedVersions(client: Client): Promise<ReadonlySet<string>> {
  const [versions, groups] = [await read(client, '/api', 'versions'), await read(client, '/apis', 'groups')];
  const ofGroups = groups.flatMap((group) => listAt(group, 'versions').map((version) => at(version, 'groupVersion')));
  return new Set([...versions, ...ofGroups].map(String));
}

const read = async (client: Client, path: string, field: string): Promise<readonly unknown[]> =>
  listAt((await client.send({ method: 'GET', path })).tryValue(), field);

function listAt(value: unknown, field: string): readonly unknown[] {
  const list = at(value, field);
  return Array.isArray(list) ? list : [];
}

/** Returns an alias with the operations that its version lacks; undefined if the version does not list the resource. */
async function follow(
  client: Client,
  { usual: _, ...alias }: Alias,
  inGroup: readonly Operation[],
): Promise<Alias | undefined> {
  const prefix = prefixOf(alias.to);
  const listed = listing(await client.send({ method: 'GET', path: prefix }));
  if (!listed?.has(alias.resource)) return undefined;
  const own = inGroup.filter(({ resource }) => resource?.plural === alias.resource);
  return { ...alias, lacks: missingOf(own, listed, prefix) };
}

/** Returns the stated operations of a group version that its discovery leaves out of a kind that it lists. */
export function unlistedIn(reply: Reply, groupVersion: GroupVersion): readonly Unlisted[] {
  const listed = listing(reply) ?? new Map<string, never>();
  return statedOperations.flatMap((operation): Unlisted[] => {
    if (operation.groupVersion !== groupVersion) return [];
    const lack = mismatchOf(operation, listed, groupVersion.prefix);
    if (!lack?.capability.startsWith('operation:')) return [];
    return [{ operation, reason: lack.reason, hasEntry: listed.has(entryOf(operation) ?? '') }];
  });
}

/** An operation that discovery leaves out: it has no entry for the subresource, or the entry lacks the verb. */
interface Unlisted {
  readonly operation: Operation;
  readonly reason: string;
  readonly hasEntry: boolean;
}

/** Reports whether the discovery of its group lists an operation; undefined if discovery does not show it. */
export async function isListed(client: Client, operation: Operation): Promise<boolean | undefined> {
  const { prefix } = operation.groupVersion;
  const listed = listing(await client.send({ method: 'GET', path: prefix }));
  const legacy = operation.verb !== 'discover' && (verbs[operation.verb] as VerbRow).form === 'legacy';
  if (listed === undefined || operation.resource === undefined || legacy) return undefined;
  return mismatchOf(operation, listed, prefix) === undefined;
}

const resourceCapability = ({ resource }: Operation) =>
  resource === undefined ? [] : [`resource:${resourceId(resource)}` as const];

/** Returns the resources of the stated operations that are served, whether discovery lists them or not. */
async function servedOf(client: Client, of: readonly Operation[]): Promise<ReadonlySet<string>> {
  const served = new Set<string>();
  const asked = new Set(of.filter(({ stated }) => stated).flatMap(({ resource }) => resource ?? []));
  for (const resource of asked) {
    if ((await servedRead(client, resource)) !== undefined) served.add(`resource:${resourceId(resource)}`);
  }
  return served;
}

const hasOtherVersions = (of: GroupVersion): boolean =>
  groupVersions.some((other) => other.group === of.group && other !== of);

const tried: readonly Operation[] = [
  ...new Set([
    ...statedOperations,
    ...Object.values(subjectSets).flatMap((set: readonly Subject[]) => set.flatMap(({ operation }) => operation ?? [])),
  ]),
];

function listing(reply: Reply): Listed | undefined {
  const entries = at(reply.tryValue(), 'resources');
  if (reply.status !== 200 || !Array.isArray(entries)) return undefined;
  const listed = new Map<string, readonly string[] | undefined>();
  for (const entry of entries.filter(isObject)) {
    if (typeof entry.name !== 'string') continue;
    listed.set(entry.name, Array.isArray(entry.verbs) ? entry.verbs.map(String) : undefined);
  }
  return listed;
}

function missingOf(operations: readonly Operation[], listed: Listed, prefix: string): NotSupported[] {
  const lacks = new Map<string, NotSupported>();
  for (const operation of operations) {
    const lack = mismatchOf(operation, listed, prefix);
    if (lack !== undefined) lacks.set(lack.capability, lack);
  }
  return [...lacks.values()];
}

/** Returns the name of the entry of an operation: the plural, or that and the subresource. */
function entryOf({ resource, verb }: Operation): string | undefined {
  if (resource === undefined || verb === 'discover') return undefined;
  const subresource = subresourceOf(verb);
  return subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`;
}

function mismatchOf(operation: Operation, listed: Listed, prefix: string): NotSupported | undefined {
  const { resource, verb, id } = operation;
  const name = entryOf(operation);
  if (resource === undefined || verb === 'discover' || name === undefined) return undefined;
  const row: VerbRow = verbs[verb];
  if (!listed.has(name)) {
    const hasOthers = [...listed.keys()].some(
      (key) => key === resource.plural || key.startsWith(`${resource.plural}/`),
    );
    return hasOthers
      ? { capability: `operation:${id}`, reason: `discovery: ${prefix} does not list ${name}` }
      : {
          capability: `resource:${resourceId(resource)}`,
          reason: `discovery: ${prefix} does not list ${resource.plural}`,
        };
  }
  const offered = listed.get(name);
  if (offered === undefined || row.form === 'legacy') return undefined;
  const wanted = row.methods.indexOf(operation.method);
  const needed = row.discovery[Math.min(wanted, row.discovery.length - 1)];
  return needed === undefined || offered.includes(needed)
    ? undefined
    : { capability: `operation:${id}`, reason: `discovery: ${name} does not list the verb ${needed}` };
}
