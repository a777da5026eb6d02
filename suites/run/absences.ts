// Finds declared absences that the target offers, so that a declaration does not outlive its reason.
import { mediaTypes, type Operation, operations, protobufType } from '../../matrix/api/index.js';
import { namePrefix } from '../client/belonging.js';
import type { Client } from '../client/client.js';
import { at } from '../client/json.js';
import { fill } from '../client/paths.js';
import { NoAnswer } from '../client/reply.js';
import { absenceFor, matchesWhole, type Nodes, type NotSupported } from '../requirements/index.js';
import { wasAccepted } from './acceptance.js';
import { isListed } from './capabilities.js';
import { serves } from './served.js';

interface TargetAccess {
  readonly client: Client;
  readonly nodes: Nodes;
  readonly runId: string;
}

/**
 * Returns the declared absences, each with the evidence that the target offers it, if there is any. Sends nothing that
 * can change an object: only reads, and invalid bodies under names that no object has.
 */
export async function seenOffered(declared: readonly NotSupported[], asked: TargetAccess): Promise<NotSupported[]> {
  const seen: NotSupported[] = [];
  for (const absence of declared) {
    const offered = await howOffered(absence, asked).catch((error: unknown) => {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    });
    seen.push(offered === undefined ? absence : { ...absence, offered });
  }
  return seen;
}

/**
 * Returns the absences of a target's discovery without the reads and patches that the target serves nevertheless: what
 * is served is judged. A write other than a patch could create an object, so that discovery decides.
 */
export async function withoutServed(
  absences: readonly NotSupported[],
  client: Client,
  runId: string,
): Promise<NotSupported[]> {
  const left: NotSupported[] = [];
  for (const absence of absences) {
    const operation = operations.find(({ id }) => absence.capability === `operation:${id}`);
    const isServed = operation !== undefined && (await respondsTo(operation, client, runId));
    if (!isServed) left.push(absence);
  }
  return left;
}

/** Reports whether an operation on an absent object is answered as only an existing operation is. */
export async function respondsTo({ method, path, query }: Operation, client: Client, runId: string): Promise<boolean> {
  const isPatch = method === 'PATCH' && !client.target.readOnly;
  if (method !== 'GET' && !isPatch) return false;
  const absent = `${namePrefix(runId)}-absent`;
  const reply = await client
    .send({
      method,
      path: fill(path, absent, absent) + (query === 'LW' ? '?timeoutSeconds=1&limit=1' : ''),
      ...(isPatch && { headers: { 'content-type': mediaTypes.mergePatch }, body: '{}' }),
    })
    .catch((error: unknown) => {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    });
  // An HTML page does not come from an API.
  return reply !== undefined && serves(reply) && typeof at(reply.tryValue(), 'kind') === 'string';
}

/** The verbs that show whether an absent group or resource is served. An absent operation is tried itself. */
const showing: Readonly<Record<string, readonly string[]>> = { group: ['list'], resource: ['list', 'create'] };

async function howOffered(absence: NotSupported, asked: TargetAccess): Promise<string | undefined> {
  const [kind = '', value = ''] = absence.capability.split(/:(.*)/s);
  switch (kind) {
    case 'group':
    case 'resource':
    case 'operation': {
      const shows = ({ verb }: Operation): boolean => showing[kind]?.includes(verb) ?? true;
      const named = operations.filter((operation) => shows(operation) && absenceFor([absence], { operation }));
      return await anyServed(named, value, asked);
    }
    case 'mediaType':
      return await answersAs(value, asked);
    case 'nodes': {
      const there = value === 'observed' ? asked.nodes === 'ours' : asked.nodes !== 'none';
      return there ? 'nodes that are ready run pods' : undefined;
    }
    default:
      return await letsIn(value, asked);
  }
}

/** Returns the evidence from the first operation that is served; undefined if none is. */
async function anyServed(
  candidates: readonly Operation[],
  value: string,
  asked: TargetAccess,
): Promise<string | undefined> {
  if (candidates.length === 0) return `there is nothing that ${JSON.stringify(value)} names`;
  for (const operation of candidates) {
    const shown = await servedBy(operation, asked);
    if (shown !== undefined) return shown;
  }
  return undefined;
}

async function servedBy(operation: Operation, { client, runId }: TargetAccess): Promise<string | undefined> {
  const { method, id } = operation;
  const reads = method === 'GET';
  if (method === 'DELETE') {
    return (await isListed(client, operation)) ? `discovery lists ${id}` : undefined;
  }
  if (!reads && client.target.readOnly) return undefined;
  const absent = `${namePrefix(runId)}-absent`;
  const path = fill(operation.path, absent, absent);
  const reply = await client.send({
    method,
    path: operation.query === 'LW' ? `${path}?timeoutSeconds=1&limit=1` : path,
    ...(operation.verb.startsWith('watch') ? ({ headersOnly: true } as const) : {}),
    // neither an object nor a media type of objects, so that no server can accept the body
    ...(reads ? {} : { headers: { 'content-type': 'text/plain' }, body: 'nothing' }),
  });
  return serves(reply) ? `${id} is answered ${reply.status}` : undefined;
}

async function answersAs(name: string, { client }: TargetAccess): Promise<string | undefined> {
  const types: Readonly<Record<string, string>> = { ...mediaTypes, protobuf: protobufType(client.target.vendor) };
  const named = Object.keys(types).filter((known) => matchesWhole(name, known));
  if (named.length === 0) return `there is no media type ${name}`;
  const path = '/apis/batch/v1/jobs?limit=1';
  for (const accept of named.map((known) => types[known] as string)) {
    const reply = await client.send({ method: 'GET', path, headers: { accept } });
    if (reply.status === 200 && reply.mediaType === accept) return `GET ${path} is answered as ${accept}`;
  }
  return undefined;
}

/** Returns evidence if a request with the mechanism's credential is accepted and a request without it is not. */
async function letsIn(mechanism: string, { client }: TargetAccess): Promise<string | undefined> {
  const credential = Object.entries(client.target.credentials).find(([name]) => name === mechanism)?.[1];
  if (credential === undefined) return undefined;
  const ask = { method: 'GET', path: '/api/v1' } as const;
  const without = await client.send({ ...ask, as: 'none' });
  const reply = await client.send({ ...ask, as: credential });
  return !wasAccepted(without) && reply.status === 200 ? `a credential of it is let in` : undefined;
}
