// Stores an object as it is given, with its status and its metadata: no plug-in and no quota looks at it.
import type { DecodedObject, ObjectMeta } from '../schema/object.js';
import type { Entry } from '../storage/storage.js';
import { selfLinkOf } from '../versions/addresses.js';
import { toStorageVersion } from '../versions/views.js';
import { createdMetadata, orderedMetadata } from './metadata.js';
import { after, allocate, decide, setDefaults, storageKeyOf, store, storeOver, validate } from './stages.js';
import type { Write, WriteContext } from './writing.js';

/** An object that is ready to be stored. */
export interface Loadable {
  /** The metadata that the object will have, for references to it. */
  readonly metadata: Readonly<ObjectMeta>;
  /** Sets the owners of the object. */
  own(owners: NonNullable<ObjectMeta['ownerReferences']>): void;
  /** Throws 422 if the object is invalid. */
  check(): Promise<void>;
  /** Stores the object, or replaces the one of its name. Throws 404 for an absent namespace, 422 for a taken address. */
  store(): Promise<Entry>;
}

/** Makes an object ready. An object that exists keeps its uid and its creation time, unless others are given. */
export async function loadable(
  context: WriteContext,
  namespace: string | undefined,
  object: DecodedObject,
  now: Date,
): Promise<Loadable> {
  const { resource, stored, strategy, hasStatus, storage } = context;
  const given = object.metadata;
  const made = createdMetadata(given, {
    namespace: stored.namespaced ? namespace : undefined,
    generation: strategy.generation ? 1 : undefined,
    now,
  });
  const key = { namespace, name: made.name ?? '' };
  const write: Write = {
    context,
    request: {
      kind: 'create',
      key,
      change: { now: () => object, inTurns: async () => object },
      part: 'main',
      dryRun: false,
      emptied: false,
    },
    now,
    inTurns: false,
    object: { metadata: {} },
    endings: [],
  };
  const before = await storage.get(storageKeyOf(write));
  if (before !== undefined) write.before = before;
  const metadata = orderedMetadata({ ...made, ...ownFields(before?.value.metadata), ...ownFields(given) }, given);
  write.object = toStorageVersion(resource, { ...object, metadata });
  await setDefaults(write);
  if (hasStatus && write.object.status === undefined && strategy.initialStatus !== 'given')
    write.object.status = strategy.initialStatus?.(write.object) ?? {};
  strategy.prepareCreate?.(write.object);
  write.object.metadata.selfLink = selfLinkOf(stored, namespace, key.name);
  return {
    metadata: write.object.metadata,
    own(owners) {
      write.object.metadata.ownerReferences = owners;
    },
    async check() {
      const { before: _before, ...fresh } = write;
      await validate(fresh);
    },
    store: () => storeNow(write),
  };
}

async function storeNow(write: Write): Promise<Entry> {
  try {
    await decide(write);
    if (write.before !== undefined && write.decision === 'keep') return write.before;
    await allocate(write);
    if (write.before === undefined) await store(write);
    else await storeOver(write, () => write.decision ?? 'keep');
    return (write.written as NonNullable<Write['written']>).entry;
  } finally {
    await after(write);
  }
}

/** The fields of metadata that only servers set, and that fixtures keep. */
function ownFields(metadata: Readonly<ObjectMeta> | undefined): ObjectMeta {
  const { uid, creationTimestamp, generation, deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  return {
    ...(uid && { uid }),
    ...(creationTimestamp && { creationTimestamp }),
    ...(generation !== undefined && { generation }),
    ...(deletionTimestamp && { deletionTimestamp }),
    ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }),
  };
}
