// The declared query parameters: each is sent with a value that asks for little, and some show their effect.
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { fail, Prerequisite, Unchecked } from '../support/http/expect.js';
import { at, isObject, itemsOf } from '../support/http/json.js';
import { fill } from '../support/http/paths.js';
import type { Reply } from '../support/http/reply.js';
import { nameOf } from '../support/objects/belonging.js';
import { mismatchNow, type ValidCall } from '../support/objects/callParts.js';
import { ownGroup, sendValid } from '../support/objects/validCalls.js';
import type { Context } from '../support/run/worker.js';
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
  /** What was wrong with the effect of a parameter. */
  readonly effects: readonly string[];
  /** The number of parameters whose effect was looked at. */
  readonly shown: number;
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
  const own = new Set(declared);
  const names = declared.filter((name) => Object.hasOwn(queries, name) && !isUnlike(name, operation.verb));
  if (names.length === 0) throw new Unchecked('not-supported', "the target's OpenAPI declares no query parameter here");
  const plain = await send(subject, context, '');
  const sent: Sent[] = [];
  for (const name of names) sent.push({ name, reply: await send(subject, context, queries[name] ?? '') });
  const isList = operation.verb === 'list' || operation.verb === 'listAll';
  const canMake = operation.resource?.found?.sample !== undefined && operation.resource.stated.includes('create');
  const effects = isList && canMake ? await effectsOnLists(subject, context, own) : { wrong: [], shown: 0 };
  const pretty = sent.find(({ name }) => name === 'pretty')?.reply;
  const isFlat = pretty !== undefined && !pretty.bytes.includes('\n ');
  return {
    ...{ plain, sent, shown: effects.shown + (pretty === undefined ? 0 : 1) },
    effects: [
      ...effects.wrong,
      ...(isFlat && pretty.status < 300 ? [`${pretty.request}: the body is not indented`] : []),
    ],
  };
}

/** A collection is deleted by a selector that names only objects of the call, which other selectors would replace. */
const isUnlike = (name: string, verb: string): boolean =>
  verb === 'deleteCollection' &&
  (name === 'labelSelector' || name === 'resourceVersion' || name === 'resourceVersionMatch');

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

/** Throws Failure if a parameter had no effect. */
export function eachHasItsEffect({ effects, shown }: Parameters): void {
  if (shown === 0)
    throw new Unchecked('not-supported', "the target's OpenAPI declares no parameter here whose effect shows");
  const [first] = effects;
  if (first !== undefined) fail(first);
}

/** Lists two objects with each parameter that selects some of them. */
async function effectsOnLists(
  { operation }: OperationSubject,
  { client, sandbox }: Context,
  declared: ReadonlySet<string>,
): Promise<{ readonly wrong: readonly string[]; readonly shown: number }> {
  const { resource, path } = operation;
  if (resource === undefined) return { wrong: [], shown: 0 };
  const namespace = resource.namespaced ? await sandbox.listed() : undefined;
  const { labels, selector } = ownGroup(sandbox);
  const made = await sandbox.make(resource, { labels, ...(namespace !== undefined && { namespace }) });
  await sandbox.make(resource, namespace === undefined ? {} : { namespace });
  const place = fill(path, namespace);
  const expectations = [
    { name: 'labelSelector', query: selector, is: (names: readonly string[]) => names.join() === made.name },
    {
      name: 'fieldSelector',
      query: `?fieldSelector=${encodeURIComponent(`metadata.name=${made.name}`)}`,
      is: (names: readonly string[]) => names.join() === made.name,
    },
    { name: 'limit', query: '?limit=1', is: (names: readonly string[]) => names.length === 1 },
  ].filter(({ name }) => declared.has(name));
  const wrong: string[] = [];
  for (const { name, query, is } of expectations) {
    const reply = await client.send({ method: 'GET', path: place + query });
    const names = itemsOf(reply.tryValue()).map(nameOf);
    if (reply.status < 300 && !is(names))
      wrong.push(`${reply.request}: its own OpenAPI declares ${name}, and the list has ${names.length} objects`);
  }
  return { wrong, shown: expectations.length };
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
  const status = at(reply.tryValue(), 'status');
  const said = isObject(reply.tryValue()) && typeof status === 'string' ? ` ${status}` : '';
  if (isStored)
    fail(`${reply.request}: its own OpenAPI declares dryRun, and the write was stored:${said} ${reply.status}`);
}
