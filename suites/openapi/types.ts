// The declared media types: a call for each that the suite can write or ask for.

import { fail, Prerequisite, Unchecked } from '../client/expect.js';
import type { Reply } from '../client/reply.js';
import { writeYaml } from '../client/yaml.js';
import type { ValidCall } from '../objects/callParts.js';
import { acceptsType } from '../objects/declared/judge.js';
import { successTypes } from '../objects/declared/operations.js';
import { sendValid } from '../objects/validCalls.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/worker.js';
import { declarationOf, declaredCall } from './calls.js';

/** A media type and the response to the request with it. */
export interface Tried {
  readonly type: string;
  readonly reply: Reply;
}

const json = 'application/json';

/** Asks for each declared media type of the response. Streams are for watches. */
export async function acceptEach(subject: OperationSubject, context: Context): Promise<readonly Tried[]> {
  const declared = successTypes(declarationOf(subject, context));
  const types = [...new Set(declared)].filter((type) => !/[;*]|-seq$/.test(type));
  if (types.length === 0)
    throw new Unchecked('not-supported', "the target's OpenAPI names no media type of the response");
  const tried: Tried[] = [];
  for (const type of types) {
    const call = await declaredCall(subject, context);
    const sent = call.body === undefined ? {} : { 'content-type': call.contentType ?? json };
    const path = call.selected ?? call.path;
    tried.push({ type, reply: await sendValid(context.client, { ...call, path }, 'json', { accept: type, ...sent }) });
  }
  return tried;
}

/** Throws Failure if a declared type was not the type of the response. */
export function eachWasSent(tried: readonly Tried[]): void {
  mustWorkAtAll(tried);
  for (const { type, reply } of tried) {
    if (reply.status > 299) fail(`${reply.request}: asked for ${type}, which its own OpenAPI declares: ${said(reply)}`);
    if (reply.bytes.length > 0 && !acceptsType(type, reply.mediaType))
      fail(
        `${reply.request}: asked for ${type}, which its own OpenAPI declares, and got ${reply.mediaType || 'no type'}`,
      );
  }
}

/** Sends a body in each declared media type that the suite can write. */
export async function sendEach(subject: OperationSubject, context: Context): Promise<readonly Tried[]> {
  const { requestTypes } = declarationOf(subject, context);
  const isPatch = subject.operation.body === 'patch';
  const writers = isPatch ? patches : objects;
  const types = requestTypes.filter(
    (type) => Object.hasOwn(writers, type) && (type !== applyPatch || isOfObject(subject)),
  );
  if (types.length === 0)
    throw new Unchecked(
      'not-supported',
      "the target's OpenAPI names no media type of the body that the suite can write",
    );
  const tried: Tried[] = [];
  for (const type of types) {
    const call = await declaredCall(subject, context);
    const { body, query = '' } = writers[type]?.(call, subject) ?? {};
    const headers = { 'content-type': type };
    const reply = await context.client.send({
      ...{ method: call.method, path: call.path + query, headers },
      ...(body !== undefined && { body }),
    });
    tried.push({ type, reply });
  }
  return tried;
}

/** Throws Failure if a declared type was refused. */
export function eachWasAccepted(tried: readonly Tried[]): void {
  mustWorkAtAll(tried);
  for (const { type, reply } of tried)
    if (reply.status > 299) fail(`${reply.request}: sent ${type}, which its own OpenAPI declares: ${said(reply)}`);
}

/** An operation that fails in every type is the business of other requirements. */
function mustWorkAtAll(tried: readonly Tried[]): void {
  const [first] = tried;
  if (
    first !== undefined &&
    tried.every(({ reply }) => reply.status > 299 && reply.status !== 415 && reply.status !== 406)
  )
    throw new Prerequisite(`${first.reply.request}: ${said(first.reply)}`);
}

const said = (reply: Reply): string => `${reply.status} ${reply.excerpt()}`;

interface Written {
  readonly body: string;
  readonly query?: string;
}

type Write = (call: ValidCall, subject: OperationSubject) => Written;

const objects: Readonly<Record<string, Write>> = {
  [json]: ({ body = {} }) => ({ body: JSON.stringify(body) }),
  'application/yaml': ({ body = {} }) => ({ body: writeYaml(body) }),
};

const applyPatch = 'application/apply-patch+yaml';

/** Patches that change nothing, so that each is valid on every kind and subresource. */
const patches: Readonly<Record<string, Write>> = {
  'application/json-patch+json': () => ({ body: '[]' }),
  'application/merge-patch+json': () => ({ body: '{}' }),
  'application/strategic-merge-patch+json': () => ({ body: '{}' }),
  [applyPatch]: ({ path }, { operation: { groupVersion, resource } }) => ({
    body: JSON.stringify({
      apiVersion: [groupVersion.group, groupVersion.version].filter(Boolean).join('/'),
      kind: resource?.kind ?? '',
      metadata: { name: decodeURIComponent(path.split('/').at(-1) ?? '') },
    }),
    query: '?fieldManager=kube-api-conformance&force=true',
  }),
};

/** An apply is sent to objects only: what a subresource takes is a rule of each kind. */
const isOfObject = ({ operation: { verb } }: OperationSubject): boolean => verb === 'patch';
