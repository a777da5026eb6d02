// The OpenAPI documents of a server: where there are any, they can be read.

import { Failure, fail, Prerequisite, status } from '../client/expect.js';
import { at, brief, isObject, readJson, utf8Of } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import type { Subject } from '../requirements/index.js';
import type { Context } from '../run/context.js';

const headers = { accept: 'application/json' };
/** What kubectl accepts before 1.34 or so, and nothing beside it. */
const inProtobuf = { accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf' };

/** Reads the document at a path, of an index one of its documents too, and whether the server announces the path. */
export async function readDocument({ variant = '' }: Subject, { client }: Context) {
  const get = (path: string) => client.send({ method: 'GET', path, headers });
  const path = variant.replace('GET ', '');
  const reply = await get(path);
  const binary = path.endsWith('/v2') ? await client.send({ method: 'GET', path, headers: inProtobuf }) : undefined;
  const paths = reply.status === 404 ? at((await get('/')).tryValue(), 'paths') : undefined;
  const isAnnounced = Array.isArray(paths) && paths.includes(path);
  const indexed = path.endsWith('/v3') && reply.status === 200 ? addressIn(reply) : undefined;
  return { reply, binary, isAnnounced, indexed, document: indexed?.startsWith('/') ? await get(indexed) : undefined };
}

/** Throws Failure unless the document is readable, or absent and not announced. */
export function isReadable({
  reply,
  binary,
  isAnnounced,
  indexed,
  document,
}: Awaited<ReturnType<typeof readDocument>>): void {
  if (reply.status === 401 || reply.status === 403)
    throw new Prerequisite(`${reply.request}: not let in: ${reply.status} ${reply.excerpt()}`);
  if (reply.status === 404 && !isAnnounced) return;
  status(reply, 200);
  if (reply.request.endsWith('/v2')) {
    describes(reply, 'swagger', /^2\.0$/);
    // Field 1 of the message is the version of Swagger. A server may have JSON alone, and say so.
    if (binary?.status === 200 && !binary.bytes.subarray(0, 5).equals(Buffer.from('\n\u00032.0')))
      fail(`${binary.request}, Accept ${inProtobuf.accept}: not in protobuf: ${binary.excerpt()}`);
    return;
  }
  if (document === undefined)
    throw new Failure(`${reply.request}: expected the address of a document on this server, got ${brief(indexed)}`);
  status(document, 200);
  describes(document, 'openapi', /^3\./);
}

/** Returns the address of the core group in an index, or of the first document. */
function addressIn(reply: Reply): string | undefined {
  const paths = at(parsed(reply), 'paths');
  if (!isObject(paths)) return undefined;
  const address = at(paths['api/v1'] ?? Object.values(paths)[0], 'serverRelativeURL');
  return typeof address === 'string' ? address : undefined;
}

function describes(reply: Reply, member: string, version: RegExp): void {
  const document = parsed(reply);
  const given = at(document, member);
  if (!version.test(String(given)))
    fail(`${reply.request}: expected a document with ${member} ${version.source}, got ${brief(given)}`);
  const paths = at(document, 'paths');
  const described = isObject(paths) ? Object.values(paths).filter(isObject) : [];
  if (described.length === 0) fail(`${reply.request}: the document describes no paths`);
}

/** Old servers call the document text/plain. */
function parsed(reply: Reply): unknown {
  try {
    return readJson(utf8Of(reply.bytes));
  } catch (error) {
    return fail(`${reply.request}: the body is not JSON: ${String(error)}: ${reply.excerpt()}`);
  }
}
