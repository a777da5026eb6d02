// The write path: the order of the stages, and the retry if the object changes meanwhile.
import type { Entry, Write as StorageWrite, Written } from '../storage/storage.js';
import { Turns } from '../turns.js';
import {
  after,
  allocate,
  decide,
  decode,
  mutate,
  required,
  reserve,
  setDefaults,
  staleObject,
  storageKeyOf,
  store,
  storeOver,
  takesSomething,
  track,
  validate,
} from './stages.js';
import type { Stage, Write, WriteContext, WriteRequest } from './writing.js';

/**
 * Stages that make the object. A small update runs them within the storage's update, during which the object cannot
 * change.
 */
const making: readonly Stage[] = [decode, setDefaults, track, mutate, validate, decide];
/** Stages that reserve, allocate and store. `after` follows them whether the write succeeds or fails. */
const storing: readonly Stage[] = [reserve, allocate, store];

/** Updates of larger objects, in bytes, run in turns with other requests. */
const largeObject = 32 * 1024;
/** The most attempts of a large or costly update. After these, it runs within the storage's update, without turns. */
const mostAttempts = 10;

/** Thrown if the object is too large for an update within the storage. */
const large = Symbol('large');

/**
 * Writes an object. Retries an update if the object changes meanwhile; an update with a resourceVersion then fails with
 * 409. Throws 404 if the object of an update is absent, and the errors of the stages.
 */
export async function write(context: WriteContext, request: WriteRequest, now: () => Date): Promise<Written> {
  const isMadeFirst = takesSomething(context, request);
  if (!isMadeFirst && request.change.isLong !== true) {
    const mostBytes = request.kind === 'update' ? largeObject : Number.POSITIVE_INFINITY;
    try {
      return await makeWithinStorage(begin(context, request, now()), mostBytes);
    } catch (error) {
      if (error !== large) throw error;
    }
  }
  for (let attempt = 0; isMadeFirst || attempt < mostAttempts; attempt++) {
    try {
      return await makeThenStore(begin(context, request, now()));
    } catch (error) {
      if (error !== staleObject) throw error;
    }
  }
  return makeWithinStorage(begin(context, request, now()), Number.POSITIVE_INFINITY);
}

/** Runs all stages in turns with other requests. Throws `staleObject` if the object changes meanwhile. */
async function makeThenStore(write: Write): Promise<Written> {
  const { context, request } = write;
  if (request.kind !== 'create') write.before = required(write, await context.storage.get(storageKeyOf(write)));
  write.inTurns = request.change.isLong === true || (write.before?.size ?? 0) > largeObject;
  const turns = new Turns();
  for (const stage of making) {
    const pending = stage(write);
    if (pending !== undefined) await pending;
    if (turns.isOver) await turns.next();
  }
  if (write.decision === 'keep') return { entry: write.before as Entry, change: 'keep' };
  return stored(write, async () => {
    for (const stage of storing) await stage(write);
  });
}

/**
 * Runs the stages that make the object within the storage's update. Throws `large` if the object has more than
 * `mostBytes`.
 */
function makeWithinStorage(write: Write, mostBytes: number): Promise<Written> {
  const decisionAbout = (current: Entry | undefined): StorageWrite => {
    write.before = required(write, current);
    if (mostBytes < Number.POSITIVE_INFINITY && write.before.size > mostBytes) throw large;
    for (const stage of making) stage(write);
    return write.decision as StorageWrite;
  };
  return stored(write, () => storeOver(write, decisionAbout));
}

async function stored(write: Write, store: () => Promise<void>): Promise<Written> {
  try {
    await store();
    return write.written as Written;
  } finally {
    await after(write);
  }
}

function begin(context: WriteContext, request: WriteRequest, now: Date): Write {
  return { context, request, now, inTurns: false, object: { metadata: {} }, endings: [] };
}
