// The declared query parameters: each is sent with a value that asks for little, and some must show their effect.
import { defined } from '../../matrix/api/index.js';
import { objectNameOf } from '../client/belonging.js';
import { fail, Prerequisite, success, Unchecked } from '../client/expect.js';
import { itemsOf } from '../client/json.js';
import { fill, resourceOf, selectingName } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { mismatchNow, type ValidCall } from '../objects/callParts.js';
import { ownGroup, sendValid } from '../objects/validCalls.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { declarationOf, declaredCall } from './calls.js';

/** A parameter and the response to the request with it. */
interface Sent {
  readonly name: string;
  readonly reply: Reply;
}

/** The responses of a subject: to a call without parameters, and to one with each. */
interface Parameters {
  readonly plain: Reply;
  readonly sent: readonly Sent[];
}

/**
 * Queries that every server accepts that knows the parameter. Not here: `continue`, whose values only the server makes;
 * `watch` and what belongs to it; `force`, which belongs to apply; `export` and `exact`, which Kubernetes declared for
 * years after it had stopped to accept them.
 */
const queries: Readonly<Record<string, string>> = {
  pretty: 'pretty=true',
  limit: 'limit=500',
  labelSelector: 'labelSelector=kube-api-conformance%2Fno-such-label',
  fieldSelector: 'fieldSelector=metadata.name%3Dno-such-name',
  timeoutSeconds: 'timeoutSeconds=30',
  allowWatchBookmarks: 'allowWatchBookmarks=false',
  resourceVersion: 'resourceVersion=0',
  resourceVersionMatch: 'resourceVersion=0&resourceVersionMatch=NotOlderThan',
  dryRun: 'dryRun=All',
  fieldManager: 'fieldManager=kube-api-conformance',
  fieldValidation: 'fieldValidation=Warn',
  gracePeriodSeconds: 'gracePeriodSeconds=0',
  orphanDependents: 'orphanDependents=false',
  propagationPolicy: 'propagationPolicy=Background',
};

/** Sends each declared parameter that has a query here. */
export async function sendParameters(subject: OperationSubject, context: Context): Promise<Parameters> {
  const declared = declarationOf(subject, context).queryParameters.map(({ name }) => name);
  const { operation } = subject;
  const names = declared.filter((name) => Object.hasOwn(queries, name) && !isUnlike(name, operation.verb));
  if (names.length === 0) throw new Unchecked('not-supported', "the target's OpenAPI declares no query parameter here");
  const plain = await send(subject, context, '');
  const sent: Sent[] = [];
  for (const name of names) sent.push({ name, reply: await send(subject, context, queries[name] ?? '') });
  return { plain, sent };
}

/** Parameters that a right server may answer with an error, or that would change what the call is about. */
function isUnlike(name: string, verb: string): boolean {
  // A cache of the server may not have the object yet.
  if (name.startsWith('resourceVersion')) return verb !== 'list' && verb !== 'listAll';
  // A collection is deleted by a selector that names only objects of the call.
  return verb === 'deleteCollection' && name === 'labelSelector';
}

async function send(subject: OperationSubject, context: Context, query: string): Promise<Reply> {
  const call = withoutOptions(await declaredCall(subject, context));
  const path = query === '' ? call.path : `${call.path}${call.path.includes('?') ? '&' : '?'}${query}`;
  const headers = call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' };
  const { fresh: _, ...once } = call;
  return await sendValid(context.client, query === '' ? call : { ...once, path }, 'json', headers);
}

/** Returns a delete without its body: servers take the options from the body or, if there is none, from the query. */
function withoutOptions(call: ValidCall): ValidCall {
  const { body: _, ...rest } = call;
  return call.method === 'DELETE' ? rest : call;
}

/** Throws Failure if a parameter turned a success into an error. */
export function eachIsTaken({ plain, sent }: Parameters): void {
  if (plain.status > 299) throw new Prerequisite(`${plain.request}: ${plain.status} ${plain.excerpt()}`);
  // A conflict with a controller says nothing about the parameter.
  for (const { name, reply } of sent)
    if (reply.status > 299 && reply.status !== 409)
      fail(`${reply.request}: its own OpenAPI declares ${name}: ${reply.status} ${reply.excerpt()}`);
}

/** A list with a parameter that selects some of its objects. */
interface Selection {
  readonly name: string;
  readonly reply: Reply;
  /** Whether the list has what the parameter selects. */
  readonly isRight: boolean;
}

/** Makes two objects, and lists them with each declared parameter that selects one of them. */
export async function selectDeclared(subject: OperationSubject, context: Context): Promise<readonly Selection[]> {
  const declared = new Set(declarationOf(subject, context).queryParameters.map(({ name }) => name));
  const { client, sandbox } = context;
  const resource = resourceOf(subject.operation);
  const namespace = resource.namespaced ? await sandbox.listed() : undefined;
  const { labels, selector } = ownGroup(sandbox);
  const made = await sandbox.make(resource, { labels, ...defined({ namespace }) });
  await sandbox.make(resource, defined({ namespace }));
  const isMade = (names: readonly string[]): boolean => names.join() === made.name;
  const byName = `?${selectingName(made.name)}`;
  const selections = [
    { name: 'labelSelector', query: selector, isRight: isMade },
    { name: 'fieldSelector', query: byName, isRight: isMade },
    { name: 'limit', query: '?limit=1', isRight: (names: readonly string[]) => names.length === 1 },
  ].filter(({ name }) => declared.has(name));
  if (selections.length === 0)
    throw new Unchecked('not-supported', "the target's OpenAPI declares no selector and no limit here");
  const path = fill(subject.operation.path, namespace);
  return await Promise.all(
    selections.map(async ({ name, query, isRight }) => {
      const reply = await client.send({ method: 'GET', path: path + query });
      return { name, reply, isRight: isRight(itemsOf(reply.tryValue()).map(objectNameOf)) };
    }),
  );
}

/** Throws Failure if a list has other objects than the parameter selects. */
export function eachSelects(selections: readonly Selection[]): void {
  for (const { name, reply, isRight } of selections) {
    success(reply);
    const count = itemsOf(reply.tryValue()).length;
    if (!isRight) fail(`${reply.request}: its own OpenAPI declares ${name}, and the list has ${count} objects`);
  }
}

/** The response to a write with dryRun, and whether the write had its effect. */
interface DryRun {
  readonly reply: Reply;
  readonly isStored: boolean;
}

/** Sends a write with dryRun if the target declares it. */
export async function tryDry(subject: OperationSubject, context: Context): Promise<DryRun> {
  const { queryParameters } = declarationOf(subject, context);
  if (!queryParameters.some(({ name }) => name === 'dryRun'))
    throw new Unchecked('not-supported', "the target's OpenAPI does not declare dryRun here");
  const call = withoutOptions(await declaredCall(subject, context));
  if (call.effect === undefined) throw new Unchecked('not-supported', 'the operation has no effect that shows');
  const path = `${call.path}${call.path.includes('?') ? '&' : '?'}dryRun=All`;
  const headers = call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' };
  const reply = await sendValid(context.client, { ...call, path }, 'json', headers);
  return { reply, isStored: (await mismatchNow(call)) === undefined };
}

/** Throws Failure if a dry run was stored. */
export function isDry({ reply, isStored }: DryRun): void {
  if (reply.status > 299) throw new Prerequisite(`${reply.request}: ${reply.status} ${reply.excerpt()}`);
  if (isStored) fail(`${reply.request}: its own OpenAPI declares dryRun, and the write was stored`);
}
