// The ways in which HTTP carries a body: in chunks, after 100 Continue, with parameters of its type, compressed.

import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { defined } from '../../matrix/api/index.js';
import type { Call } from '../client/calls.js';
import { clientError, equal, fail, oneOf, same, success } from '../client/expect.js';
import { at, type Json, type JsonObject, readJson } from '../client/json.js';
import { Expecting, inChunks } from '../client/otherTransports.js';
import { pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { configMaps } from '../objects/related.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';

/** A small body can be gigabytes when it is decompressed. */
const bound = { maxOutputLength: 64 * 1024 * 1024 } as const;

/** Characters of one to four bytes: a piece of a body may end within one. */
const data = { text: 'plain, é, €, 😀, "quoted", a/b\n' };

interface Form {
  readonly type?: (type: string) => string;
  readonly text?: (text: string) => string;
  readonly over?: Call['over'];
}

/** Escapes what JSON lets a writer escape and needs no escape: libraries of some languages do so. */
function escaped(text: string): string {
  const units = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/[^ -~]/g, units).replaceAll('/', '\\/');
}

const forms: Readonly<Record<string, Form>> = {
  'in chunks': { over: inChunks(64) },
  'in chunks of one byte': { over: inChunks(1) },
  'charset=utf-8': { type: (type) => `${type}; charset=utf-8` },
  'charset=UTF-8, without a blank': { type: (type) => `${type};charset=UTF-8` },
  'a type in upper case': { type: (type) => type.toUpperCase() },
  'YAML, charset=utf-8': { type: () => 'application/yaml; charset=utf-8' },
  'YAML after ---': { type: () => 'application/yaml', text: (text) => `# from a file\n---\n${text}\n` },
  'blanks around it': { text: (text) => `\r\n\t ${text} \t\r\n` },
  'escaped characters': { text: escaped },
};

/** Sends a create, a replace or a merge patch with these data in the form of the subject, and reads the object. */
export async function carry({ operation, variant = '' }: OperationSubject, { client, sandbox }: Context) {
  const { method } = operation;
  const resource = resourceOf(operation);
  const namespace = await sandbox.namespace();
  const made = method === 'POST' ? undefined : await sandbox.make(resource);
  const name = made?.name ?? sandbox.name(resource);
  const body = method === 'PATCH' ? { data } : { ...(made?.sent ?? sandbox.body(resource, name, namespace)), data };
  const kept = method === 'PATCH' ? Object(made?.sent.data) : {};
  const expecting = variant === 'after 100 Continue' ? new Expecting(client.target) : undefined;
  const form: Form =
    expecting === undefined ? (forms[variant] ?? fail(`no form for ${variant}`)) : { over: expecting.transport };
  const { type = (own) => own, text = (own) => own, over } = form;
  const reply = await client.send({
    method,
    path: pathTo(resource, method === 'POST' ? 'create' : 'read', namespace, name),
    headers: { 'content-type': type(method === 'PATCH' ? 'application/merge-patch+json' : 'application/json') },
    body: text(JSON.stringify(body)),
    ...defined({ over }),
  });
  const read = await sandbox.current({ resource, name, namespace });
  return { reply, read, expected: { ...kept, ...data } as JsonObject, isPermitted: expecting?.isPermitted ?? true };
}

/** Throws Failure unless the object has the data that were sent, and the client was permitted to send them. */
export function wasCarried(
  { reply, read, expected, isPermitted }: Awaited<ReturnType<typeof carry>>,
  { variant }: OperationSubject,
): void {
  success(reply);
  const what = `${reply.request}, with a body ${variant}`;
  if (!isPermitted) fail(`${what}: no 100 Continue came, and the client sent the body without it`);
  holdsData(read, expected, `${what}, then read`);
}

/** Sends a read or a delete that names the media type of a body and has none. */
export async function sendTyped({ operation: { method } }: OperationSubject, { client, sandbox }: Context) {
  const made = await sandbox.make(configMaps);
  const path = pathTo(configMaps, 'read', made.namespace, made.name);
  const reply = await client.send({ method, path, headers: { 'content-type': 'application/json' } });
  return { reply, method, read: await sandbox.current(made), name: made.name };
}

/** Throws Failure unless the object was read or deleted. */
export function wasDone({ reply, method, read, name }: Awaited<ReturnType<typeof sendTyped>>): void {
  success(reply);
  if (method === 'GET') equal(at(reply.value(), 'metadata', 'name'), name, `${reply.request}: metadata.name`);
  else if (read !== undefined) fail(`${reply.request}, then read: the object is there`);
}

/** Sends a create whose body is compressed, and reads the object. */
export async function compress({ operation }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const namespace = await sandbox.namespace();
  const name = sandbox.name(resource);
  const body = gzipSync(JSON.stringify({ ...sandbox.body(resource, name, namespace), data }));
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const reply = await client.send({ method: 'POST', path: pathTo(resource, 'create', namespace), headers, body });
  return { reply, read: await sandbox.current({ resource, name, namespace }) };
}

/** Throws Failure unless the body was decoded, or refused with a client error. */
export function wasDecoded({ reply, read }: Awaited<ReturnType<typeof compress>>): void {
  if (reply.status > 299) {
    clientError(reply);
    if (read !== undefined) fail(`${reply.request}, Content-Encoding: gzip: refused, and the object is there`);
    return;
  }
  success(reply);
  holdsData(read, data, `${reply.request}, Content-Encoding: gzip, then read`);
}

/** Real servers compress from 128 KiB. */
const long = { text: 'long ä '.repeat(24 * 1024) };

/** The encodings that each Accept-Encoding allows, beside none. */
const accepted: readonly (readonly [accept: string | undefined, allowed: readonly string[]])[] = [
  [undefined, []],
  ['gzip', ['gzip', 'x-gzip']],
  ['br;q=1.0, gzip;q=0.5', ['br', 'gzip', 'x-gzip']],
  ['gzip;q=0', []],
];

/** Reads a long object with each Accept-Encoding. */
export async function readEncoded(_: unknown, { client, sandbox }: Context) {
  const { name, namespace, sent } = await sandbox.make(configMaps, { change: { data: long } });
  const path = pathTo(configMaps, 'read', namespace, name);
  const answers: { readonly reply: Reply; readonly accept: string | undefined; readonly allowed: readonly string[] }[] =
    [];
  for (const [accept, allowed] of accepted) {
    const headers = accept === undefined ? {} : { 'accept-encoding': accept };
    answers.push({ accept, allowed, reply: await client.send({ method: 'GET', path, headers }) });
  }
  return { answers, expected: sent.data };
}

/** Throws Failure unless each response has an encoding that its request accepted, and decodes to the object. */
export function areDecodable({ answers, expected }: Awaited<ReturnType<typeof readEncoded>>): void {
  for (const { reply, accept, allowed } of answers) {
    success(reply);
    const what = `${reply.request}, ${accept === undefined ? 'no Accept-Encoding' : `Accept-Encoding: ${accept}`}`;
    const encoding = reply.headers['content-encoding'];
    oneOf(encoding, [undefined, 'identity', ...allowed], `${what}: Content-Encoding`);
    holdsData(decoded(reply, encoding, what), expected, what);
  }
}

function decoded({ bytes }: Reply, encoding: string | undefined, what: string): unknown {
  try {
    const plain =
      encoding === 'br'
        ? brotliDecompressSync(bytes, bound)
        : encoding?.endsWith('gzip')
          ? gunzipSync(bytes, bound)
          : bytes;
    return readJson(plain.toString('utf8'));
  } catch (error) {
    return fail(`${what}: the body does not decode as ${encoding ?? 'plain'} JSON: ${String(error)}`);
  }
}

function holdsData(object: unknown, expected: Json | undefined, what: string): void {
  same(at(object, 'data'), expected, `${what}: the data`);
}
