// Looks whether a target offers what its file says is absent: an expected skip must not outlive its reason.
import { mediaTypes, type Operation, operations, protobufType, resourceId } from '../../matrix/api/index.js';
import type { Nodes, NotSupported } from '../../matrix/requirements/index.js';
import { wasLetIn } from './acceptance.js';
import { isListed } from './capabilities.js';
import type { Client } from './client.js';
import { NoAnswer } from './reply.js';
import { namePrefix } from './run.js';
import { fill } from './scope.js';
import { serves } from './served.js';

/** What is needed to find out. */
interface Asked {
  readonly client: Client;
  readonly nodes: Nodes;
  readonly runId: string;
}

/**
 * The declared absences, each with how it was seen that the target offers it, where that was seen. Nothing is sent that
 * could change an object: reads, and bodies that are none under names that nothing has.
 */
export async function seenOffered(declared: readonly NotSupported[], asked: Asked): Promise<NotSupported[]> {
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

async function howOffered({ capability }: NotSupported, asked: Asked): Promise<string | undefined> {
  const colon = capability.indexOf(':');
  const value = capability.slice(colon + 1);
  const anyOf = (chosen: (operation: Operation) => boolean) => anyServed(operations.filter(chosen), value, asked);
  const lists = ({ verb }: Operation): boolean => verb === 'list';
  switch (capability.slice(0, colon)) {
    case 'group':
      return await anyOf((one) => lists(one) && (one.groupVersion.group || 'core') === value);
    case 'resource':
      return await anyOf(
        (one) =>
          (lists(one) || one.verb === 'create') && one.resource !== undefined && resourceId(one.resource) === value,
      );
    case 'operation':
      return await anyOf(({ id }) => (value.endsWith('*') ? id.startsWith(value.slice(0, -1)) : id === value));
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

/** How the first of the operations that is served shows it. */
async function anyServed(candidates: readonly Operation[], value: string, asked: Asked): Promise<string | undefined> {
  if (candidates.length === 0) return `there is nothing that ${JSON.stringify(value)} names`;
  for (const operation of candidates) {
    const shown = await servedBy(operation, asked);
    if (shown !== undefined) return shown;
  }
  return undefined;
}

async function servedBy(operation: Operation, { client, runId }: Asked): Promise<string | undefined> {
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
    // no object, and of no type: it cannot be taken for one
    ...(reads ? {} : { headers: { 'content-type': 'text/plain' }, body: 'nothing' }),
  });
  return serves(reply) ? `${id} is answered ${reply.status}` : undefined;
}

async function answersAs(name: string, { client }: Asked): Promise<string | undefined> {
  const types: Readonly<Record<string, string>> = { ...mediaTypes, protobuf: protobufType(client.target.vendor) };
  const accept = types[name];
  if (accept === undefined) return `there is no media type ${name}`;
  const path = '/apis/batch/v1/jobs?limit=1';
  const reply = await client.send({ method: 'GET', path, headers: { accept } });
  return reply.status === 200 && reply.mediaType === accept ? `GET ${path} is answered as ${accept}` : undefined;
}

/** A mechanism is offered where its credential makes the difference between being let in and not. */
async function letsIn(mechanism: string, { client }: Asked): Promise<string | undefined> {
  const credential = Object.entries(client.target.credentials).find(([name]) => name === mechanism)?.[1];
  if (credential === undefined) return undefined;
  const ask = { method: 'GET', path: '/api/v1' } as const;
  const without = await client.send({ ...ask, as: 'none' });
  const reply = await client.send({ ...ask, as: credential });
  return !wasLetIn(without) && reply.status === 200 ? `a credential of it is let in` : undefined;
}
