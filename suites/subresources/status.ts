import { defined } from '../../matrix/api/index.js';
import { fail, holds, status, statusObject, success } from '../client/expect.js';
import { at, brief, type JsonObject, merge, missing } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import { readAtRest } from '../objects/atRest.js';
import { noted, withLabel } from '../objects/callParts.js';
import {
  isChange,
  isRefused,
  isSame,
  makerAtRest,
  makerOfMoved,
  mergedWithout,
  observe,
  observeVains,
  placesOf,
  seenIn,
  stateIn,
  versionOf,
} from '../objects/effects/index.js';
import { marksOf, optionalMembersOf } from '../objects/marks.js';
import { sampleOf } from '../objects/samples/index.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import { patchOf, sendBody } from '../objects/writes.js';
import type { OperationSubject } from '../requirements/index.js';
import { group, type Recorded } from '../run/group.js';

const label = 'kube-api-conformance/changed';

/** Replaces or patches the object at the operation's path, from its current state. */
const write = (
  sandbox: Sandbox,
  { operation, mediaType = 'mergePatch' }: OperationSubject,
  made: CreatedObject,
  change: Change,
  current: JsonObject,
) => {
  const path = fill(operation.path, made.namespace, made.name);
  return operation.method === 'PUT'
    ? sendBody(sandbox, 'PUT', path, merge(current, change))
    : sendBody(sandbox, 'PATCH', path, patchOf(mediaType, change, current), mediaType);
};
type Change = Readonly<Record<string, JsonObject>>;

/**
 * Creates an object, writes the status of its sample, and looks at the object in every place. `before` sees the object
 * before the write.
 */
async function writtenStatus(
  sandbox: Sandbox,
  subject: OperationSubject,
  before?: (made: CreatedObject) => Promise<unknown>,
) {
  const resource = resourceOf(subject.operation);
  const wanted = sampleOf(resource).status ?? fail(`no status in the sample of ${resource.plural}`);
  const made = await sandbox.make(resource, { statusToCome: true });
  await before?.(made);
  const send = (current: JsonObject) => write(sandbox, subject, made, { status: wanted }, current);
  return { made, wanted, observed: await observe(sandbox, made, send) };
}

function storedStatus({ wanted, observed }: Recorded<typeof writtenStatus>): void {
  success(observed.reply);
  for (const place of placesOf(observed)) {
    // What the response holds is recommended: see the chapter responses.
    if (place !== 'answer')
      holds(at(stateIn(observed, place), 'status'), wanted, `${seenIn(observed, place)}: the status`);
  }
}

/** Replaces the status that was written by one without its optional members. Undefined for a kind that has none. */
async function withoutMembers(sandbox: Sandbox, { operation }: OperationSubject, made: CreatedObject) {
  const members = optionalMembersOf(made.resource);
  if (members.length === 0) return undefined;
  const path = fill(operation.path, made.namespace, made.name);
  const status = Object.fromEntries(members.map((member) => [member, undefined]));
  const send = (current: JsonObject) => sendBody(sandbox, 'PUT', path, mergedWithout(current, { status }));
  const object = (await sandbox.current(made)) ?? made.object;
  return { members, observed: await observe(sandbox, { ...made, object }, send) };
}

/** Throws Failure if a member that the second replace left out still has what the first one set. */
function lacksMembers(wanted: JsonObject, { members, observed }: NonNullable<Recorded<typeof withoutMembers>>): void {
  success(observed.reply);
  const now = at(stateIn(observed, 'read'), 'status');
  for (const member of members) {
    if (missing(at(now, member), wanted[member]) === undefined)
      fail(`${seenIn(observed, 'read')}: status.${member}, which the body left out, is still ${brief(wanted[member])}`);
  }
}

/**
 * Replaces the status by that of the sample, or by another one where it is that already, without the uid and, but for
 * custom resources, without a version.
 */
async function unconditional(
  sandbox: Sandbox,
  { operation }: OperationSubject,
  made: CreatedObject,
  sample: JsonObject,
) {
  const path = fill(operation.path, made.namespace, made.name);
  const keepsVersion = made.resource.found !== undefined;
  const object = (await sandbox.current(made)) ?? made.object;
  const { status: other, patched = other } = marksOf(made.resource);
  const status = missing(at(object, 'status'), sample) === undefined ? merge(sample, patched) : sample;
  const change = { metadata: { uid: undefined, ...(keepsVersion ? {} : { resourceVersion: undefined }) }, status };
  const send = (current: JsonObject) => sendBody(sandbox, 'PUT', path, mergedWithout(current, change));
  return { wanted: status, observed: await observe(sandbox, { ...made, object }, send) };
}

/** Patches the status that was written by one that names other members: those of the first stay. */
async function patchedBeside(sandbox: Sandbox, subject: OperationSubject, made: CreatedObject) {
  const { status, patched = status } = marksOf(made.resource);
  const change = { status: patched };
  const send = (current: JsonObject) => write(sandbox, subject, made, change, current);
  const object = (await sandbox.current(made)) ?? made.object;
  return { change, observed: await observe(sandbox, { ...made, object }, send) };
}

export const statusGroups = [
  group({
    subjects: 'statusReads',
    setup: async (subject, { client, sandbox }) => {
      const { operation } = subject;
      const get = (path: string) => client.send({ method: 'GET', path });
      const getStatus = ({ namespace, name }: CreatedObject) => get(fill(operation.path, namespace, name));
      // What a cache has of this path is old after the write.
      const written = await writtenStatus(
        sandbox,
        { ...subject, operation: { ...operation, method: 'PUT' } },
        getStatus,
      );
      const { made } = written;
      const main = pathTo(made.resource, 'read', made.namespace, made.name);
      const reads = await readAtRest(async () => ({
        read: await getStatus(made),
        object: await get(main),
      }));
      return { ...written, ...reads };
    },
    checks: {
      'status-read': ({ observed, read, object, wanted, made }) => {
        success(observed.reply);
        status(read, 200);
        holds(read.value(), { kind: made.resource.kind, metadata: { name: made.name } }, read.request);
        isSame(read.value(), object.value(), `${read.request}, against the read of the object`);
        // A controller may have overwritten the status since the write: then the object has another version.
        if (versionOf(read.value()) === versionOf(stateIn(observed, 'read')))
          holds(at(read.value(), 'status'), wanted, `${read.request}: the status that was written`);
      },
    },
  }),
  group({
    subjects: 'statusReplaces',
    setup: async (subject, { sandbox }) => {
      const written = await writtenStatus(sandbox, subject);
      const second = await withoutMembers(sandbox, subject, written.made);
      return { ...written, second, third: await unconditional(sandbox, subject, written.made, written.wanted) };
    },
    checks: {
      'status-unconditional': ({ third: { wanted, observed } }) => {
        success(observed.reply);
        holds(at(stateIn(observed, 'read'), 'status'), wanted, `${seenIn(observed, 'read')}: the status`);
      },
      'status-replace': (record) => {
        storedStatus(record);
        if (record.second !== undefined) lacksMembers(record.wanted, record.second);
      },
    },
  }),
  group({
    subjects: 'statusPatches',
    setup: async (subject, { sandbox }) => {
      const written = await writtenStatus(sandbox, subject);
      return { ...written, second: await patchedBeside(sandbox, subject, written.made) };
    },
    checks: {
      'status-patch': (record) => {
        storedStatus(record);
        const { change, observed } = record.second;
        success(observed.reply);
        isChange(observed.before, stateIn(observed, 'read'), change, seenIn(observed, 'read'));
      },
    },
  }),
  group({
    subjects: 'statusWrites',
    setup: async (subject, { sandbox }) => {
      const resource = resourceOf(subject.operation);
      const { spec } = marksOf(resource);
      const made = await sandbox.make(resource, { statusToCome: true, change: noted });
      const status = sampleOf(resource).status ?? {};
      const send = (current: JsonObject) => write(sandbox, subject, made, { spec, status }, current);
      return { status, observed: await observe(sandbox, made, send) };
    },
    checks: {
      'status-keeps-spec': ({ observed, status }) => {
        success(observed.reply);
        const after = stateIn(observed, 'read');
        const written = (before: JsonObject): JsonObject => ({ ...before, ...defined({ status: after.status }) });
        isChange(observed.before, after, written, seenIn(observed, 'read'));
        holds(after.status, status, `${seenIn(observed, 'read')}: the status`);
      },
    },
  }),
  group({
    subjects: 'mainWrites',
    setup: async (subject, { sandbox }) => {
      const resource = resourceOf(subject.operation);
      const foreign = marksOf(resource).status;
      const labelled = { metadata: { labels: { [label]: 'by-the-object' } } };
      if (subject.operation.method === 'POST') {
        const namespace = resource.namespaced ? await sandbox.namespace() : undefined;
        const written = { resource, name: sandbox.name(resource), ...defined({ namespace }) };
        const body = merge(sandbox.body(resource, written.name, namespace), { ...labelled, status: foreign });
        const send = () => sendBody(sandbox, 'POST', fill(subject.operation.path, namespace), body);
        return { foreign, labelled, observed: await observe(sandbox, written, send) };
      }
      const made = await sandbox.make(resource, { statusToCome: true });
      const send = (current: JsonObject) => write(sandbox, subject, made, { ...labelled, status: foreign }, current);
      return { foreign, labelled, observed: await observe(sandbox, made, send) };
    },
    checks: {
      'main-keeps-status': ({ foreign, labelled, observed }) => {
        success(observed.reply);
        for (const place of placesOf(observed)) {
          const [state, what] = [stateIn(observed, place), seenIn(observed, place)];
          if (observed.before !== undefined) isChange(observed.before, state, labelled, what);
          else if (missing(state.status, foreign) === undefined) fail(`${what}: the status that was sent is stored`);
        }
      },
    },
  }),
  group({
    subjects: 'refusedStatuses',
    setup: async ({ operation }, { sandbox }) => {
      const resource = resourceOf(operation);
      const written = marksOf(resource).status;
      const { make, moved } = makerOfMoved(sandbox, () => sandbox.make(resource, { statusToCome: true }));
      const makeOther = makerAtRest(sandbox, () => sandbox.make(resource, { statusToCome: true }));
      const refused = await observeVains(sandbox, async () => {
        const [made, other] = await Promise.all([make(), makeOther()]);
        const put = (object: JsonObject) => {
          const body = merge(withLabel(object, 'refused'), { status: written });
          return sendBody(sandbox, 'PUT', fill(operation.path, made.namespace, made.name), body);
        };
        return {
          written: made,
          sends: {
            stale: () => put(made.old),
            otherName: (current) => put(merge(current, { metadata: { name: other.name } })),
          },
          beside: other,
        };
      });
      return { moved: moved(), ...refused };
    },
    checks: {
      'status-stale': ({ moved, stale }) => {
        success(moved);
        isRefused(stale, [409], ['Conflict']);
      },
      'status-name-mismatch': ({ otherName }) => isRefused(otherName, [400], ['BadRequest']),
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
