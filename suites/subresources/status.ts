// Status: written by itself, and by nothing else.
import type { Operation, Resource } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { carriesLabel, withLabel } from '../support/callParts.js';
import { fail, holds, status, statusObject, success } from '../support/expect.js';
import { at, brief, type Json, type JsonObject, merge, missing } from '../support/json.js';
import { toldWith } from '../support/overwritten.js';
import type { Recorded } from '../support/recorded.js';
import type { Reply } from '../support/reply.js';
import { sampleOf } from '../support/samples/index.js';
import { fill, type Made, type Scope } from '../support/scope.js';
import { isUntouched } from '../support/untouched.js';
import type { Context } from '../support/worker.js';
import { patchOf, putChanged, sendBody } from '../support/writes.js';
import { marksOf } from './marks.js';

/** How often a status is written that a controller may write over before it is read. */
const tries = 3;
const label = 'kube-api-conformance/changed';

const resourceOf = ({ resource }: Operation): Resource => resource ?? fail('a status without a resource');

/** Replaces or patches at the operation's path. */
const write = (scope: Scope, { operation, mediaType = 'mergePatch' }: OperationSubject, made: Made, change: Change) => {
  const path = fill(operation.path, made.namespace, made.name);
  return operation.method === 'PUT'
    ? putChanged(scope, made, path, (object) => merge(object, change))
    : sendBody(scope, 'PATCH', path, patchOf(mediaType, change), mediaType);
};
type Change = Readonly<Record<string, JsonObject>>;

/**
 * Gives an object the status of its kind's sample, and looks; again where a controller wrote over it. Where one always
 * does, what a watch has told of the object stands for what was read.
 */
async function writtenStatus(scope: Scope, subject: OperationSubject, look: (made: Made) => Promise<unknown>) {
  const resource = resourceOf(subject.operation);
  const wanted = sampleOf(resource).status ?? fail(`no status in the sample of ${resource.plural}`);
  const made = await scope.make(resource, { statusToCome: true });
  for (let attempt = 1; ; attempt += 1) {
    const reply = await write(scope, subject, made, { status: wanted });
    const seen = await look(made);
    const isThere = missing(at(seen, 'status'), wanted) === undefined;
    if (isThere) return { reply, wanted, made, seen, told: false };
    if (attempt < tries) continue;
    const before = await toldWith(scope, made, { status: wanted });
    return { reply, wanted, made, seen: before ?? seen, told: before !== undefined };
  }
}

export const statusPerformers = {
  statusReads: async (subject: OperationSubject, { client, scope }: Context) => {
    const { operation } = subject;
    const replace = { ...operation, method: 'PUT' } as const;
    let last: Reply | undefined;
    const written = await writtenStatus(scope, { ...subject, operation: replace }, async (made) => {
      last = await client.send({ method: 'GET', path: fill(operation.path, made.namespace, made.name) });
      return last.tryValue();
    });
    return { ...written, read: last ?? fail('no read of the status') };
  },
  statusReplaces: (subject: OperationSubject, { scope }: Context) =>
    writtenStatus(scope, subject, (made) => scope.current(made)),
  statusPatches: (subject: OperationSubject, { scope }: Context) =>
    writtenStatus(scope, subject, (made) => scope.current(made)),
  statusWrites: async (subject: OperationSubject, { scope }: Context) => {
    const resource = resourceOf(subject.operation);
    const { spec } = marksOf(resource);
    const made = await scope.make(resource, { statusToCome: true });
    const before = await scope.current(made);
    const reply = await write(scope, subject, made, { spec, status: sampleOf(resource).status ?? {} });
    return { reply, spec, before, after: await scope.current(made) };
  },
  mainWrites: async (subject: OperationSubject, { scope }: Context) => {
    const resource = resourceOf(subject.operation);
    const foreign = marksOf(resource).status;
    const made = await scope.make(resource, { statusToCome: true });
    const change = { metadata: { labels: { [label]: 'by-the-object' } }, status: foreign };
    const reply = await write(scope, subject, made, change);
    return { reply, foreign, after: await scope.current(made) };
  },
  refusedStatuses: async ({ operation }: OperationSubject, { scope }: Context) => {
    const resource = resourceOf(operation);
    const written = marksOf(resource).status;
    const made = await scope.make(resource, { statusToCome: true });
    const moved = await scope.put(made, (object) => withLabel(object, 'moved'));
    const before = await scope.current(made);
    const path = fill(operation.path, made.namespace, made.name);
    const put = (object: JsonObject) =>
      sendBody(scope, 'PUT', path, merge(withLabel(object, 'refused'), { status: written }));
    const stale = await put(made.object);
    const otherName = await put(merge(before ?? made.object, { metadata: { name: scope.name(resource) } }));
    return { moved, before, stale, otherName, written, after: await scope.current(made) };
  },
  statusesOfAbsent: async ({ operation }: OperationSubject, { client, scope }: Context) => {
    const resource = resourceOf(operation);
    const namespace = resource.namespaced ? await scope.namespace() : undefined;
    const name = scope.name(resource);
    const path = fill(operation.path, namespace, name);
    const written = { status: sampleOf(resource).status ?? {} };
    const body = merge(scope.body(resource, name, namespace, { statusToCome: true }), written);
    if (operation.method === 'GET') return { reply: await client.send({ method: 'GET', path }) };
    if (operation.method === 'PUT') return { reply: await sendBody(scope, 'PUT', path, body) };
    return { reply: await sendBody(scope, 'PATCH', path, written, 'mergePatch') };
  },
};

type Performers = typeof statusPerformers;

function storedStatus({ reply, wanted, seen }: Recorded<Performers['statusReplaces']>): void {
  success(reply);
  holds(at(seen, 'status'), wanted, `${reply.request}, then read: the status`);
}

export const statusChecks = {
  'status-read': ({ reply, read, wanted, made, told }: Recorded<Performers['statusReads']>) => {
    success(reply);
    status(read, 200);
    holds(read.value(), { kind: made.resource.kind, metadata: { name: made.name } }, read.request);
    // A controller wrote over it: it is read, and is not what the check wrote.
    if (!told) holds(at(read.value(), 'status'), wanted, `${read.request}: the status that was written`);
  },
  'status-replace': storedStatus,
  'status-patch': storedStatus,
  'status-keeps-spec': ({ reply, spec, before, after }: Recorded<Performers['statusWrites']>) => {
    success(reply);
    for (const field of Object.keys(spec)) {
      same(at(after, 'spec', field), at(before, 'spec', field), `${reply.request}, then read: spec.${field}`);
    }
  },
  'main-keeps-status': ({ reply, foreign, after }: Recorded<Performers['mainWrites']>) => {
    success(reply);
    carriesLabel(after, 'by-the-object', `${reply.request}, then read`);
    for (const [seen, where] of [
      [reply.value(), 'the status that it answers'],
      [after, 'the status afterwards'],
    ] as const) {
      if (missing(at(seen, 'status'), foreign) === undefined) {
        fail(`${reply.request}: ${where} has what the write of the object said: ${brief(foreign)}`);
      }
    }
  },
  'status-stale': (refused: Recorded<Performers['refusedStatuses']>) => {
    const { moved, stale } = refused;
    success(moved);
    status(stale, 409);
    statusObject(stale, 'Conflict');
    unchanged(stale, refused);
  },
  'status-absent': ({ reply }: Recorded<Performers['statusesOfAbsent']>) => {
    status(reply, 404);
    statusObject(reply, 'NotFound');
  },
  'status-name-mismatch': (refused: Recorded<Performers['refusedStatuses']>) => {
    const { otherName } = refused;
    status(otherName, 400);
    statusObject(otherName, 'BadRequest');
    unchanged(otherName, refused);
  },
};

function same(actual: Json | undefined, expected: Json | undefined, what: string): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    fail(`${what}: expected ${brief(expected)}, got ${brief(actual)}`);
  }
}

function unchanged(reply: Reply, { before, after, written }: Recorded<Performers['refusedStatuses']>): void {
  isUntouched(before, after, `${reply.request}: the object afterwards`);
  const held = missing(at(before, 'status'), written) === undefined;
  if (!held && missing(at(after, 'status'), written) === undefined) {
    fail(`${reply.request}: the status afterwards is the refused one: ${brief(written)}`);
  }
}
