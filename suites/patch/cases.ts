// One case of a patch type: the object before, the patch, and what it makes of the whole object, or that it is refused.
import type { Resource } from '../../matrix/api/index.js';
import type { Call } from '../client/calls.js';
import { clientError, fail, Prerequisite, status, statusObject, Unchecked } from '../client/expect.js';
import { at, isObject, type Json, type JsonObject, merge } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { isHeld, releaseAnyhow } from '../objects/anyhow.js';
import {
  type Change,
  isChange,
  isOneState,
  isUntouched,
  mergedWithout,
  type Observed,
  observe,
  observeVain,
  seenIn,
  stateIn,
  type Untouched,
} from '../objects/effects/index.js';
import { makerAtRest } from '../objects/effects/settled.js';
import { type CreatedObject, conflicts, type Sandbox } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { inList, type Step, sorted } from './keyedLists.js';
import { makeFor, patchedResource, pathOn } from './target.js';

/** A patch that is refused. */
export interface RefusedCase {
  /** Fields of the new object, merged into the sample; `undefined` removes a field. */
  readonly start?: JsonObject;
  /** The patch; text is sent unchanged. */
  readonly patch: Json;
  /** The patch itself is valid, so a server that accepts the result may apply the whole patch. */
  readonly mayApply?: boolean;
}

export interface PatchCase extends RefusedCase {
  /** A status that is written before the patch. */
  readonly status?: JsonObject;
  /** What the patch makes of the whole object; nothing else may change. */
  readonly change: Change;
  /** A field that a server of another age may not keep. */
  readonly younger?: readonly string[];
  /** A list whose order no rule states. */
  readonly anyOrder?: readonly Step[];
}

/** A case, or a function that creates a case from the target's state. */
export type Entry = PatchCase | ((sandbox: Sandbox, resource: Resource) => Promise<PatchCase>);

export interface CaseRecord {
  readonly of: PatchCase;
  readonly observed: Observed;
}

export interface RefusedRecord {
  readonly of: RefusedCase;
  readonly untouched: Untouched;
}

const caseOf = <T>(table: Readonly<Record<string, T>>, variant = ''): T =>
  table[variant] ?? fail(`no case for ${variant}`);

function callOf({ operation }: OperationSubject, made: CreatedObject, contentType: string, patch: Json): Call {
  const body = typeof patch === 'string' ? patch : JSON.stringify(patch);
  return { method: 'PATCH', path: pathOn(operation, made), headers: { 'content-type': contentType }, body };
}

/** Returns a setup for a table of cases, by the variant of the subject. */
export const patchSetup =
  (contentType: string, table: Readonly<Record<string, Entry>>) =>
  async (subject: OperationSubject, { client, sandbox }: Context): Promise<CaseRecord> => {
    const { operation, variant } = subject;
    const entry = caseOf(table, variant);
    const of = typeof entry === 'function' ? await entry(sandbox, patchedResource(operation)) : entry;
    const made = await makeFor(operation, sandbox, of.start);
    if (of.younger !== undefined && at(made.object, ...of.younger) === undefined)
      throw new Unchecked('not-supported', `the server does not keep ${of.younger.join('.')}`);
    const object = of.status === undefined ? made.object : await writeStatus(sandbox, made, of.status);
    const call = callOf(subject, made, contentType, of.patch);
    const observed = await observe(sandbox, { ...made, object }, () => client.send(call));
    // Finalizers would hold the object after the run.
    if (isHeld(of.start)) await releaseAnyhow(client, pathTo(made.resource, 'patch', made.namespace, made.name));
    return { of, observed };
  };

/** Returns a setup for a table of refused patches, by the variant of the subject. */
export const refusedSetup =
  (contentType: string, table: Readonly<Record<string, RefusedCase>>) =>
  async (subject: OperationSubject, { client, sandbox }: Context): Promise<RefusedRecord> => {
    const of = caseOf(table, subject.variant);
    const make = makerAtRest(sandbox, () => makeFor(subject.operation, sandbox, of.start));
    const untouched = await observeVain(sandbox, async () => {
      const made = await make();
      return { written: made, send: () => client.send(callOf(subject, made, contentType, of.patch)) };
    });
    return { of, untouched };
  };

const strategicPatch = 'application/strategic-merge-patch+json';

/** Returns a setup for a table of strategic merge patches. */
export const strategicSetup = (table: Readonly<Record<string, Entry>>) => patchSetup(strategicPatch, table);

/** Returns a setup for a table of strategic merge patches that are refused. */
export const refusedStrategicSetup = (table: Readonly<Record<string, RefusedCase>>) =>
  refusedSetup(strategicPatch, table);

/** Writes a status, and returns the object with it. */
async function writeStatus(sandbox: Sandbox, made: CreatedObject, value: JsonObject): Promise<JsonObject> {
  const path = pathTo(made.resource, 'replaceStatus', made.namespace, made.name);
  for (let attempt = 1; ; attempt += 1) {
    const object = await sandbox.current(made);
    if (object === undefined) throw new Prerequisite(`${made.name} is gone`);
    const body = JSON.stringify(merge(object, { status: value }));
    const headers = { 'content-type': 'application/json' };
    const reply = await sandbox.client.send({ method: 'PUT', path, headers, body });
    const written = reply.tryValue();
    if (reply.status === 200 && isObject(written)) return written;
    if (reply.status !== 409 || attempt === conflicts) {
      throw new Prerequisite(`write the status: PUT ${path} answered ${reply.status} ${reply.excerpt()}`);
    }
  }
}

/** Throws Failure unless the patch succeeded, and the whole object is the expected one, the same in each place. */
export function applied({ of, observed }: CaseRecord): void {
  status(observed.reply, 200);
  const { before } = observed;
  const expected = typeof of.change === 'function' ? of.change(before ?? {}) : mergedWithout(before ?? {}, of.change);
  const inOrder = (object: JsonObject): JsonObject =>
    of.anyOrder === undefined ? object : inList(of.anyOrder, sorted)(object);
  for (const place of ['answer', 'read'] as const)
    isChange(before, inOrder(stateIn(observed, place)), () => inOrder(expected), seenIn(observed, place));
  isOneState(observed);
}

/** Throws Failure unless the response is a client error with a Status and the object is untouched. */
export function patchRefused({ untouched }: RefusedRecord): void {
  asClientError(untouched.reply);
  isUntouched(untouched);
}

/** Throws Failure unless the patch was refused, with any status, and the object is untouched. */
export function notApplied({ of, untouched }: RefusedRecord): void {
  const { reply } = untouched;
  if (reply.status < 300 && of.mayApply === true) return;
  if (reply.status < 300) fail(`${reply.request}: expected a refusal, got ${reply.status} ${reply.excerpt()}`);
  isUntouched(untouched);
}

/** Throws Failure if a refusal is not a client error with a Status. Another requirement checks the refusal. */
export function refusedAsClientError({ untouched: { reply } }: RefusedRecord): void {
  if (reply.status > 299) asClientError(reply);
}

function asClientError(reply: Reply): void {
  clientError(reply);
  statusObject(reply);
}
