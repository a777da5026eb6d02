// Reads from a target's discovery what it does not offer of the stated surface.
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
import { type Alias, type NotOffered, type Subject, subjectSets } from '../../matrix/requirements/index.js';
import { prefixOf } from './aliases.js';
import type { Client } from './client.js';
import { at, isObject } from './json.js';
import type { Reply } from './reply.js';

/** What discovery says of one resource or subresource: its verbs, where the server lists them, and where it says so. */
interface Entry {
  readonly verbs?: readonly string[];
  readonly prefix: string;
}

type Listed = ReadonlyMap<string, Entry>;

/** What a target offers of the stated surface, as its discovery says. */
export interface Capabilities {
  readonly notOffered: readonly NotOffered[];
  /** Those aliases of the target that hold: of what it does not serve itself. */
  readonly aliases: readonly Alias[];
}

/** What the target's discovery leaves out. */
export async function readNotOffered(client: Client): Promise<readonly NotOffered[]> {
  return (await readCapabilities(client)).notOffered;
}

/**
 * What the target's discovery leaves out: a group that is not there, a resource or subresource that a group does not
 * list, a verb that an entry does not list. A group whose discovery fails otherwise is taken as offered, so that its
 * checks fail with their own evidence. What an alias names counts as listed where the alias leads.
 */
export async function readCapabilities(client: Client): Promise<Capabilities> {
  const lacks: NotOffered[] = [];
  const aliases: Alias[] = [];
  for (const groupVersion of groupVersions) {
    const name = groupVersion.group || 'core';
    const reply = await client.send({ method: 'GET', path: groupVersion.prefix });
    const inGroup = tried.filter((operation) => operation.groupVersion === groupVersion);
    const listed = reply.status === 404 ? new Map<string, Entry>() : listing(reply, groupVersion.prefix);
    if (listed === undefined) continue;
    const found = await followAliases(client, groupVersion, listed);
    aliases.push(...found);
    if (reply.status === 404) {
      const reason = `discovery: ${groupVersion.prefix} is not served`;
      const isPartly = found.length > 0 || hasOtherVersions(groupVersion);
      const isFound = ({ resource }: Operation): boolean => found.some((alias) => alias.resource === resource?.plural);
      const own = inGroup.filter((operation) => !isFound(operation));
      const absent = isPartly ? own.map((operation) => capabilityOf(operation)) : [`group:${name}` as const];
      lacks.push(...[...new Set(absent)].map((capability) => ({ capability, reason })));
      lacks.push(...missingOf(inGroup.filter(isFound), listed, groupVersion.prefix));
    } else lacks.push(...missingOf(inGroup, listed, groupVersion.prefix));
  }
  return { notOffered: lacks, aliases };
}

/** Adds what the aliases of a version lead to, where the version has none of it; those aliases. */
async function followAliases(client: Client, of: GroupVersion, listed: Map<string, Entry>): Promise<Alias[]> {
  const found: Alias[] = [];
  for (const alias of client.target.aliases ?? []) {
    const { resource, to } = alias;
    if (alias.groupVersion !== apiVersionOf(of) || listed.has(resource)) continue;
    const prefix = prefixOf(to);
    const there = listing(await client.send({ method: 'GET', path: prefix }), prefix);
    if (!there?.has(resource)) continue;
    for (const [name, entry] of there) {
      if (name === resource || name.startsWith(`${resource}/`)) listed.set(name, entry);
    }
    found.push(alias);
  }
  return found;
}

const capabilityOf = ({ resource, id }: Operation) =>
  resource === undefined ? (`operation:${id}` as const) : (`resource:${resourceId(resource)}` as const);

const hasOtherVersions = (of: GroupVersion): boolean =>
  groupVersions.some((other) => other.group === of.group && other !== of);

/** What the document states, and what some subject is about beyond that. */
const tried: readonly Operation[] = [
  ...new Set([
    ...statedOperations,
    ...Object.values(subjectSets).flatMap((set: readonly Subject[]) => set.flatMap(({ operation }) => operation ?? [])),
  ]),
];

function listing(reply: Reply, prefix: string): Map<string, Entry> | undefined {
  const entries = at(reply.tryValue(), 'resources');
  if (reply.status !== 200 || !Array.isArray(entries)) return undefined;
  const listed = new Map<string, Entry>();
  for (const entry of entries.filter(isObject)) {
    if (typeof entry.name !== 'string') continue;
    listed.set(entry.name, { prefix, ...(Array.isArray(entry.verbs) ? { verbs: entry.verbs.map(String) } : {}) });
  }
  return listed;
}

function missingOf(operations: readonly Operation[], listed: Listed, prefix: string): NotOffered[] {
  const lacks = new Map<string, NotOffered>();
  for (const operation of operations) {
    const lack = lackOf(operation, listed, prefix);
    if (lack !== undefined) lacks.set(lack.capability, lack);
  }
  return [...lacks.values()];
}

function lackOf(operation: Operation, listed: Listed, prefix: string): NotOffered | undefined {
  const { resource, verb, id } = operation;
  if (resource === undefined || verb === 'discover') return undefined;
  const row: VerbRow = verbs[verb];
  const subresource = subresourceOf(verb);
  const name = subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`;
  if (!listed.has(name)) {
    const where = listed.get(resource.plural)?.prefix ?? prefix;
    const hasOthers = [...listed.keys()].some(
      (key) => key === resource.plural || key.startsWith(`${resource.plural}/`),
    );
    return hasOthers
      ? { capability: `operation:${id}`, reason: `discovery: ${where} does not list ${name}` }
      : {
          capability: `resource:${resourceId(resource)}`,
          reason: `discovery: ${prefix} does not list ${resource.plural}`,
        };
  }
  const offered = listed.get(name)?.verbs;
  if (offered === undefined || row.form === 'legacy') return undefined;
  const wanted = row.methods.indexOf(operation.method);
  const needed = row.discovery[Math.min(wanted, row.discovery.length - 1)];
  return needed === undefined || offered.includes(needed)
    ? undefined
    : { capability: `operation:${id}`, reason: `discovery: ${name} does not list the verb ${needed}` };
}
