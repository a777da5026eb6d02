// Replace: the whole object is replaced; a refused replace changes nothing.
import { defined } from '../../matrix/api/index.js';
import { equal, fail, status, statusObject, success } from '../client/expect.js';
import { at, brief, type JsonObject, merge } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import { changedLabel, hostileMetadata, withLabel } from '../objects/callParts.js';
import {
  boundMetadata,
  type Change,
  checksOfPlaces,
  completed,
  isChange,
  isRefused,
  makerAtRest,
  makerOfMoved,
  mergedWithout,
  observeEverywhere,
  observeVains,
  type SeenEverywhere,
  stateIn,
} from '../objects/effects/index.js';
import { namesObject } from '../objects/refused.js';
import { sampleOf } from '../objects/samples/index.js';
import type { CreatedObject } from '../objects/sandbox.js';
import { sendBody } from '../objects/writes.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';
import {
  isReplaced,
  isStillThere,
  keepsIdentity,
  leavesOut,
  replaceBare,
  replacePlain,
  replaceSame,
} from './leftOut.js';
import { raceGroups } from './races.js';

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

const places = checksOfPlaces<SeenEverywhere & { readonly change: Change }>(({ observed, change }, state, what) =>
  isChange(observed.before, state, change, what),
);

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
      const last = mayBeImmutable ? await replaced({}) : record;
      const plain = await replacePlain(sandbox, made);
      return { ...last, plain, same: await replaceSame(sandbox, made), bare: await replaceBare(sandbox, made) };
    },
    checks: {
      ...places,
      'effect-read': (record) => {
        places['effect-read'](record);
        leavesOut(record.bare);
      },
      unconditional: ({ plain }) => isReplaced(plain),
      'no-change': ({ same }) => isStillThere(same),
      identity: ({ observed, made, plain }) => {
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
        keepsIdentity(plain);
      },
    },
  }),
  group({
    subjects: 'refusedReplaces',
    setup: async ({ operation }, { sandbox }) => {
      const resource = resourceOf(operation);
      const put = ({ namespace, name }: Pick<CreatedObject, 'namespace' | 'name'>, body: JsonObject) =>
        sendBody(sandbox, 'PUT', fill(operation.path, namespace, name), body);
      const { make, moved } = makerOfMoved(sandbox, () => sandbox.make(resource));
      const makeOther = makerAtRest(sandbox, () => sandbox.make(resource));
      const refused = await observeVains(sandbox, async () => {
        const made = await make();
        const other = await makeOther();
        const to = (change: JsonObject) => (current: JsonObject) =>
          put(made, withLabel(merge(current, { metadata: change }), 'refused'));
        const sends = {
          stale: () => put(made, withLabel(made.old, 'refused')),
          newer: (current: JsonObject) => {
            const version = at(other.object, 'metadata', 'resourceVersion');
            // Where each object counts its own versions, both may have the same one.
            const isOwn = version === at(current, 'metadata', 'resourceVersion');
            return isOwn ? put(made, made.old) : to({ resourceVersion: version })(current);
          },
          otherName: to({ name: other.name }),
          otherPlace: to(resource.namespaced ? { namespace: 'some-other-namespace' } : { name: 'some-other-name' }),
          otherUid: to({ uid: '11111111-2222-3333-4444-555555555555' }),
        };
        return { written: made, sends, beside: other };
      });
      const name = sandbox.name(resource);
      const place = defined({ namespace: resource.namespaced ? await sandbox.namespace() : undefined, name });
      const absent = await put(place, sandbox.body(resource, name, place.namespace));
      return {
        id: `${resource.groupVersion.group || 'core'}/${resource.plural}`,
        ...{ moved: moved(), ...refused, absent },
        made: await sandbox.current({ resource, ...place }),
      };
    },
    checks: {
      stale: ({ moved, stale, newer }, { operation }) => {
        success(moved);
        for (const refused of [stale, newer]) isRefused(refused, [409], ['Conflict']);
        namesObject(stale.reply, resourceOf(operation), at(stale.before, 'metadata', 'name'));
      },
      'name-mismatch': ({ otherName, otherPlace }) => {
        for (const refused of [otherName, otherPlace]) isRefused(refused, [400], ['BadRequest']);
      },
      'other-uid': ({ otherUid }) => isRefused(otherUid, [409, 422], ['Conflict', 'Invalid']),
      absent: ({ absent, id, made }) => {
        if (mayBeCreated.has(id) && absent.status >= 200 && absent.status < 300) return;
        status(absent, 404);
        statusObject(absent, 'NotFound');
        if (made !== undefined) fail(`${absent.request}: it was refused, and the object is there`);
      },
    },
  }),
]);
