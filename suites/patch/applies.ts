// Apply, where it is offered: what it writes is what a create or a merge patch of the same would.
import { applyPatchType, defined } from '../../matrix/api/index.js';
import { holds, success, Unchecked } from '../client/expect.js';
import { type JsonObject, merge } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import { hostileMetadata } from '../objects/callParts.js';
import {
  checksOfPlaces,
  isChange,
  isRefused,
  makerAtRest,
  type Observed,
  observe,
  observeEverywhere,
  observeVain,
  placesOf,
  seenIn,
  stateIn,
} from '../objects/effects/index.js';
import { richnessOf } from '../objects/samples/index.js';
import type { CreatedObject } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { makeFor, patchedResource, pathOn } from './target.js';

type Named = Pick<CreatedObject, 'namespace' | 'name'>;

/** Returns a function that applies fields to an object, as one manager. Throws Unchecked where there is no apply. */
const applying =
  ({ operation }: OperationSubject, { client }: Context) =>
  async (to: Named, manager: string, body: JsonObject): Promise<Reply> => {
    const reply = await client.send({
      method: 'PATCH',
      path: `${pathOn(operation, to)}?fieldManager=kube-api-conformance-${manager}`,
      headers: { 'content-type': applyPatchType },
      body: JSON.stringify(body),
    });
    if (reply.status === 415)
      throw new Unchecked(
        'not-supported',
        `the target has no server-side apply: it answers ${applyPatchType} with 415`,
      );
    return reply;
  };

/** Applies metadata to an object that was created, applies less of it, and applies another value as somebody else. */
async function applyTwice(subject: OperationSubject, context: Context) {
  const { sandbox } = context;
  const apply = applying(subject, context);
  const made = await makeFor(subject.operation, sandbox);
  const { apiVersion, kind } = made.sent;
  const bodyWith = (metadata: JsonObject): JsonObject => ({
    ...defined({ apiVersion, kind }),
    metadata: { name: made.name, ...defined({ namespace: made.namespace }), ...metadata },
  });
  const none = (fields: JsonObject): JsonObject =>
    Object.fromEntries(Object.keys(fields).map((name) => [name, undefined]));
  const { labels, annotations } = hostileMetadata;
  const more = { labels: { ...labels, 'example.com/applied': 'First' }, annotations };
  const less = { labels: { 'example.com/applied': 'Second' } };
  const change = { labels: { ...none(labels), ...less.labels }, annotations: none(annotations) };
  const first = await observe(sandbox, made, () => apply(made, 'one', bodyWith(more)));
  const between = { ...made, object: (await sandbox.current(made)) ?? made.object };
  const second = await observe(sandbox, between, () => apply(made, 'one', bodyWith(less)));
  const current = makerAtRest(sandbox, async () => ({
    ...made,
    object: (await sandbox.current(made)) ?? made.object,
  }));
  const conflict = await observeVain(sandbox, async () => ({
    written: await current(),
    send: () => apply(made, 'two', bodyWith({ labels: { 'example.com/applied': 'Third' } })),
  }));
  return {
    applies: [
      { observed: first, change: { metadata: more } },
      { observed: second, change: { metadata: change } },
    ] satisfies readonly { readonly observed: Observed; readonly change: JsonObject }[],
    conflict,
  };
}

/** Applies everything that a create takes to a name that is free. */
async function applyNew(subject: OperationSubject, context: Context) {
  const { sandbox } = context;
  const resource = patchedResource(subject.operation);
  const namespace = resource.namespaced ? await sandbox.namespace() : undefined;
  const name = sandbox.name(resource);
  const change = merge(richnessOf(resource), { metadata: hostileMetadata });
  const expected = sandbox.body(resource, name, namespace, { change });
  const written = { resource, name, ...defined({ namespace }) };
  const apply = applying(subject, context);
  return { expected, ...(await observeEverywhere(sandbox, written, () => apply(written, 'one', expected))) };
}

const inPlaces = checksOfPlaces<Awaited<ReturnType<typeof applyNew>>>(({ expected }, state, what) =>
  holds(state, expected, what),
);

/** The checks of apply. */
export const applyGroups = [
  group({
    subjects: 'applies',
    setup: applyTwice,
    checks: {
      apply: ({ applies }) => {
        for (const { observed, change } of applies) {
          success(observed.reply);
          for (const place of placesOf(observed))
            isChange(observed.before, stateIn(observed, place), change, seenIn(observed, place));
        }
      },
      'apply-conflict': ({ conflict }) => isRefused(conflict, [409], ['Conflict']),
    },
  }),
  group({
    subjects: 'newApplies',
    setup: applyNew,
    checks: {
      'apply-creates': (record) => {
        for (const check of Object.values(inPlaces)) check(record);
      },
    },
  }),
];
