import { fail, holds, status, statusObject, success } from '../client/expect.js';
import { at, brief, type Json, type JsonObject, merge, missing } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { carriesLabel, withLabel } from '../objects/callParts.js';
import { findEarlierState } from '../objects/overwritten.js';
import { sampleOf } from '../objects/samples/index.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import { isUnchanged } from '../objects/unchanged.js';
import { patchOf, putChanged, sendBody } from '../objects/writes.js';
import type { OperationSubject } from '../requirements/index.js';
import { group } from '../run/group.js';
import { marksOf } from './marks.js';

/** The number of tries to write a status that a controller may overwrite before it is read. */
const tries = 3;
const label = 'kube-api-conformance/changed';

/** Replaces or patches the object at the operation's path. */
const write = (
  sandbox: Sandbox,
  { operation, mediaType = 'mergePatch' }: OperationSubject,
  made: CreatedObject,
  change: Change,
) => {
  const path = fill(operation.path, made.namespace, made.name);
  return operation.method === 'PUT'
    ? putChanged(sandbox, made, path, (object) => merge(object, change))
    : sendBody(sandbox, 'PATCH', path, patchOf(mediaType, change, made.object), mediaType);
};
type Change = Readonly<Record<string, JsonObject>>;

/** A write of the status, and the object afterwards or, if a controller overwrote the status, as a watch saw it. */
interface WrittenStatus {
  readonly reply: Reply;
  readonly wanted: JsonObject;
  readonly made: CreatedObject;
  readonly seen: unknown;
  readonly seenInWatch: boolean;
}

/**
 * Writes the status of the sample and reads the object. Retries if a controller overwrote the status. If a controller
 * always does, uses the state that a watch has seen.
 */
async function writtenStatus(
  sandbox: Sandbox,
  subject: OperationSubject,
  look: (made: CreatedObject) => Promise<unknown>,
): Promise<WrittenStatus> {
  const resource = resourceOf(subject.operation);
  const wanted = sampleOf(resource).status ?? fail(`no status in the sample of ${resource.plural}`);
  const made = await sandbox.make(resource, { statusToCome: true });
  for (let attempt = 1; ; attempt += 1) {
    const reply = await write(sandbox, subject, made, { status: wanted });
    const seen = await look(made);
    const isThere = missing(at(seen, 'status'), wanted) === undefined;
    if (isThere) return { reply, wanted, made, seen, seenInWatch: false };
    if (attempt < tries) continue;
    const before = await findEarlierState(sandbox, made, { status: wanted });
    return { reply, wanted, made, seen: before ?? seen, seenInWatch: before !== undefined };
  }
}

function storedStatus({ reply, wanted, seen }: Pick<WrittenStatus, 'reply' | 'wanted' | 'seen'>): void {
  success(reply);
  holds(at(seen, 'status'), wanted, `${reply.request}, then read: the status`);
}

export const statusGroups = [
  group({
    subjects: 'statusReads',
    setup: async (subject, { client, sandbox }) => {
      const { operation } = subject;
      const replace = { ...operation, method: 'PUT' } as const;
      let last: Reply | undefined;
      const written = await writtenStatus(sandbox, { ...subject, operation: replace }, async (made) => {
        last = await client.send({ method: 'GET', path: fill(operation.path, made.namespace, made.name) });
        return last.tryValue();
      });
      return { ...written, read: last ?? fail('no read of the status') };
    },
    checks: {
      'status-read': ({ reply, read, wanted, made, seenInWatch }) => {
        success(reply);
        status(read, 200);
        holds(read.value(), { kind: made.resource.kind, metadata: { name: made.name } }, read.request);
        // A controller overwrote the status, so the read does not show what the check wrote.
        if (!seenInWatch) holds(at(read.value(), 'status'), wanted, `${read.request}: the status that was written`);
      },
    },
  }),
  group({
    subjects: 'statusReplaces',
    setup: (subject, { sandbox }) => writtenStatus(sandbox, subject, (made) => sandbox.current(made)),
    checks: { 'status-replace': storedStatus },
  }),
  group({
    subjects: 'statusPatches',
    setup: (subject, { sandbox }) => writtenStatus(sandbox, subject, (made) => sandbox.current(made)),
    checks: { 'status-patch': storedStatus },
  }),
  group({
    subjects: 'statusWrites',
    setup: async (subject, { sandbox }) => {
      const resource = resourceOf(subject.operation);
      const { spec } = marksOf(resource);
      const made = await sandbox.make(resource, { statusToCome: true });
      const before = await sandbox.current(made);
      const reply = await write(sandbox, subject, made, { spec, status: sampleOf(resource).status ?? {} });
      return { reply, spec, before, after: await sandbox.current(made) };
    },
    checks: {
      'status-keeps-spec': ({ reply, spec, before, after }) => {
        success(reply);
        for (const field of Object.keys(spec)) {
          same(at(after, 'spec', field), at(before, 'spec', field), `${reply.request}, then read: spec.${field}`);
        }
      },
    },
  }),
  group({
    subjects: 'mainWrites',
    setup: async (subject, { sandbox }) => {
      const resource = resourceOf(subject.operation);
      const foreign = marksOf(resource).status;
      const made = await sandbox.make(resource, { statusToCome: true });
      const change = { metadata: { labels: { [label]: 'by-the-object' } }, status: foreign };
      const reply = await write(sandbox, subject, made, change);
      return { reply, foreign, after: await sandbox.current(made) };
    },
    checks: {
      'main-keeps-status': ({ reply, foreign, after }) => {
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
    },
  }),
  group({
    subjects: 'refusedStatuses',
    setup: async ({ operation }, { sandbox }) => {
      const resource = resourceOf(operation);
      const written = marksOf(resource).status;
      const made = await sandbox.make(resource, { statusToCome: true });
      const moved = await sandbox.put(made, (object) => withLabel(object, 'moved'));
      const before = await sandbox.current(made);
      const path = fill(operation.path, made.namespace, made.name);
      const put = (object: JsonObject) =>
        sendBody(sandbox, 'PUT', path, merge(withLabel(object, 'refused'), { status: written }));
      const stale = await put(made.object);
      const otherName = await put(merge(before ?? made.object, { metadata: { name: sandbox.name(resource) } }));
      return { moved, before, stale, otherName, written, after: await sandbox.current(made) };
    },
    checks: {
      'status-stale': (refused) => {
        const { moved, stale } = refused;
        success(moved);
        status(stale, 409);
        statusObject(stale, 'Conflict');
        unchanged(stale, refused);
      },
      'status-name-mismatch': (refused) => {
        const { otherName } = refused;
        status(otherName, 400);
        statusObject(otherName, 'BadRequest');
        unchanged(otherName, refused);
      },
    },
  }),
  group({
    subjects: 'statusesOfAbsent',
    setup: async ({ operation }, { client, sandbox }) => {
      const resource = resourceOf(operation);
      const namespace = resource.namespaced ? await sandbox.namespace() : undefined;
      const name = sandbox.name(resource);
      const path = fill(operation.path, namespace, name);
      if (operation.method === 'GET') return { reply: await client.send({ method: 'GET', path }) };
      const written = { status: sampleOf(resource).status ?? {} };
      const body = merge(sandbox.body(resource, name, namespace, { statusToCome: true }), written);
      if (operation.method === 'PUT') return { reply: await sendBody(sandbox, 'PUT', path, body) };
      return { reply: await sendBody(sandbox, 'PATCH', path, written, 'mergePatch') };
    },
    checks: {
      'status-absent': ({ reply }) => {
        status(reply, 404);
        statusObject(reply, 'NotFound');
      },
    },
  }),
];

function same(actual: Json | undefined, expected: Json | undefined, what: string): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    fail(`${what}: expected ${brief(expected)}, got ${brief(actual)}`);
  }
}

function unchanged(
  reply: Reply,
  { before, after, written }: { readonly before: unknown; readonly after: unknown; readonly written: JsonObject },
): void {
  isUnchanged(before, after, `${reply.request}: the object afterwards`);
  const held = missing(at(before, 'status'), written) === undefined;
  if (!held && missing(at(after, 'status'), written) === undefined) {
    fail(`${reply.request}: the status afterwards is the refused one: ${brief(written)}`);
  }
}
