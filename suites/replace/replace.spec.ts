// Replace: the whole object is replaced; a refused replace changes nothing.
import type { Resource } from '../../matrix/api/index.js';
import { equal, fail, status, statusObject, success } from '../client/expect.js';
import { at, brief, type JsonObject, merge } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { changedLabel, hostileMetadata, withLabel } from '../objects/callParts.js';
import {
  boundMetadata,
  type Change,
  checksOfPlaces,
  differenceAfterWrite,
  isChange,
  mergedWithout,
  type Observed,
  observeEverywhere,
  type SeenEverywhere,
  stateIn,
  withDefaults,
} from '../objects/effects/index.js';
import { richnessOf, sampleOf } from '../objects/samples/index.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import { isUnchanged } from '../objects/unchanged.js';
import { sendBody } from '../objects/writes.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';
import { raceGroups } from './races.js';

const json = { 'content-type': 'application/json' };
const leftOut = 'kube-api-conformance/left-out';

/** The kinds whose objects servers create by a replace (recorded on real servers), in every version of their group. */
const mayBeCreated = new Set([
  ...[
    'core/endpoints',
    'core/events',
    'core/limitranges',
    'core/services',
    'events.k8s.io/events',
    'coordination.k8s.io/leases',
  ],
  ...['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'].map(
    (plural) => `rbac.authorization.k8s.io/${plural}`,
  ),
]);

defineChapter('replace', [
  ...raceGroups,
  group({
    subjects: 'replaces',
    setup: async ({ operation }, { sandbox }) => {
      const resource = resourceOf(operation);
      const old = { metadata: { annotations: { [leftOut]: 'yes' } } };
      const { created = {} } = sampleOf(resource);
      const made = await sandbox.make(resource, { labels: { [leftOut]: 'yes' }, change: merge(created, old) });
      const labels = { ...hostileMetadata.labels, [changedLabel]: 'replaced', [leftOut]: undefined };
      const annotations = { ...hostileMetadata.annotations, [leftOut]: undefined };
      const metadata = { ...(await boundMetadata(sandbox, resource)), labels, annotations };
      const replaced = async (body: JsonObject) => {
        const change = merge(body, { metadata });
        const path = fill(operation.path, made.namespace, made.name);
        const put = (current: JsonObject) => sendBody(sandbox, 'PUT', path, mergedWithout(current, change));
        const { observed, codecs } = await observeEverywhere(sandbox, made, put);
        return { made, observed, codecs, change: await completed(sandbox, resource, observed, change) };
      };
      const record = await replaced(sampleOf(resource).replaced);
      const mayBeImmutable = resource.found !== undefined && record.observed.reply.status === 422;
      return mayBeImmutable ? replaced({}) : record;
    },
    checks: {
      ...checksOfPlaces<SeenEverywhere & { readonly change: Change }>(({ observed, change }, state, what) =>
        isChange(observed.before, state, change, what),
      ),
      identity: ({ observed, made }) => {
        const { reply } = observed;
        success(reply);
        const read = stateIn(observed, 'read');
        for (const field of ['uid', 'creationTimestamp']) {
          equal(
            at(read, 'metadata', field),
            String(at(made.object, 'metadata', field)),
            `metadata.${field} after ${reply.request}`,
          );
        }
        const [before, after] = [made.object, read].map((object) => at(object, 'metadata', 'resourceVersion'));
        if (before === after) fail(`${reply.request}: metadata.resourceVersion is still ${brief(before)}`);
      },
    },
  }),
  group({
    subjects: 'refusedReplaces',
    setup: async ({ operation }, { client, sandbox }) => {
      const resource = resourceOf(operation);
      const path = (target: Pick<CreatedObject, 'namespace' | 'name'>) =>
        fill(operation.path, target.namespace, target.name);
      const put = (target: CreatedObject, body: JsonObject) =>
        client.send({ method: 'PUT', path: path(target), headers: json, body: JSON.stringify(body) });
      const made = await sandbox.make(resource);
      const moved = await sandbox.put(made, (object) => withLabel(object, 'moved'));
      /** Sends a replace that must be refused, and returns it with the object before and after it. */
      const refused = async (label: string, body: (before: JsonObject) => JsonObject) => {
        const before = await sandbox.current(made);
        const reply = await put(made, withLabel(body(before ?? made.object), label));
        return { reply, before, after: await sandbox.current(made) };
      };
      const otherName = sandbox.name(resource);
      const otherUid = '11111111-2222-3333-4444-555555555555';
      const name = sandbox.name(resource);
      return {
        id: `${resource.groupVersion.group || 'core'}/${resource.plural}`,
        moved,
        stale: await refused('stale', () => made.object),
        otherName: await refused('other-name', (before) => merge(before, { metadata: { name: otherName } })),
        otherUid: await refused('other-uid', (before) => merge(before, { metadata: { uid: otherUid } })),
        absent: await put({ ...made, name }, sandbox.body(resource, name, made.namespace)),
      };
    },
    checks: {
      stale: ({ moved, stale }) => {
        success(moved);
        refusedWith(stale, [409], ['Conflict']);
      },
      'name-mismatch': ({ otherName }) => refusedWith(otherName, [400], ['BadRequest']),
      'other-uid': ({ otherUid }) => refusedWith(otherUid, [409, 422], ['Conflict', 'Invalid']),
      absent: ({ absent, id }) => {
        if (mayBeCreated.has(id) && absent.status >= 200 && absent.status < 300) return;
        status(absent, 404);
        statusObject(absent, 'NotFound');
      },
    },
  }),
]);

/**
 * Returns the change of a replace with the defaults of what it adds: those that the server gave to a twin, which is
 * created of the new body. The twin is created only if the object has more than the body.
 */
async function completed(
  sandbox: Sandbox,
  resource: Resource,
  { before, shown: { read } }: Observed,
  change: JsonObject,
): Promise<Change> {
  if (before === undefined || 'lack' in read) return change;
  const expected = mergedWithout(before, change);
  if (differenceAfterWrite(read.object, expected, before) === undefined) return change;
  const twin = await sandbox.make(resource, { change: richnessOf(resource) });
  return () => withDefaults(expected, twin.object, read.object);
}

interface Refused {
  readonly reply: Reply;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

function refusedWith({ reply, before, after }: Refused, codes: readonly number[], reasons: readonly string[]): void {
  status(reply, ...codes);
  statusObject(reply, ...reasons);
  isUnchanged(before, after, `${reply.request}: the object afterwards`);
}
