// The write path: the order of the stages, and the retry if the object changes meanwhile.
import { type DecodedObject, type KubeObject, withVersionOf } from '../schema/object.js';
import { Entry, type Written } from '../storage/storage.js';
import { doAll, doInTurns, type Steps } from '../turns.js';
import { kindConversionOf } from '../versions/kindConversions.js';
import {
  admit,
  allocate,
  decide,
  decode,
  decodeNew,
  isOfClient,
  isShown,
  mutate,
  mutateNew,
  releaseClaims,
  required,
  reserve,
  review,
  setDefaults,
  storageKeyOf,
  storageOf,
  store,
  storeNew,
  takesSomething,
  track,
  trust,
  validate,
  withEndings,
} from './stages.js';
import type {
  Begun,
  Decided,
  ObjectChange,
  Tracked,
  Update,
  WriteContext,
  WriteInProgress,
  WriteRequest,
} from './writing.js';

async function makeNew(write: WriteInProgress, object: DecodedObject): Promise<Decided> {
  const decoded = decodeNew(write, object);
  const defaulted = await doInTurns(setDefaults(write, decoded));
  const tracked = await doInTurns(track(write, defaulted));
  const admitted = await admit(write, tracked);
  const mutated = mutateNew(write, admitted);
  const valid = await doInTurns(validate(write, mutated));
  return decide(write, valid);
}

/** A small update makes the object within the storage's update, during which the object cannot change. */
function* makeUpdated(write: Update, change: ObjectChange): Steps<Decided> {
  return yield* finish(write, yield* begin(write, change));
}

/** An update that is shown to others waits for them. */
async function makeShown(write: Update, change: ObjectChange): Promise<Decided> {
  const tracked = await doInTurns(begin(write, change));
  return doInTurns(finish(write, await admit(write, tracked)));
}

function* begin(write: Update, change: ObjectChange): Steps<Tracked> {
  const decoded = yield* decode(write, change);
  const defaulted = yield* setDefaults(write, decoded);
  return yield* track(write, defaulted);
}

function* finish(write: Update, tracked: Tracked): Steps<Decided> {
  const mutated = mutate(write, tracked);
  const valid = yield* validate(write, mutated);
  return decide(write, valid);
}

/** An internal update may change any field. */
function* makeInternally(write: Update, change: ObjectChange): Steps<Decided> {
  const desired = yield* change.apply(write.before.value);
  // Controllers often write what is there already: then its fields keep their owners, too.
  const tracked = desired === write.before.value ? { desired } : yield* track(write, { desired });
  return decide(write, trust(tracked));
}

function commit<W extends WriteInProgress, Result extends Written | undefined>(
  write: W,
  decided: Decided,
  store: (write: W, decided: Decided) => Promise<Result>,
): Promise<Result> {
  return withEndings(write, async (endings) => {
    if (isShown(write.context, write.request)) await review(write, decided);
    if (!takesSomething(write.context, write.request)) return store(write, decided);
    await reserve(write, decided, endings);
    const allocated = await allocate(write, decided, endings);
    return store(write, allocated);
  });
}

/** Creates an object. Throws the errors of the stages. */
export async function createObject(
  context: WriteContext,
  request: WriteRequest,
  object: DecodedObject,
  now: Date,
): Promise<Written> {
  const write = { context, request, now, before: undefined };
  return commit(write, await makeNew(write, object), storeNew);
}

/** Updates of larger objects, in bytes, run in turns with other requests. */
const largeObject = 32 * 1024;
/** The most attempts of a large or costly update. After these, it runs within the storage's update, without turns. */
const mostAttempts = 10;

/**
 * Updates an object. Retries if the object changes meanwhile; an update with a resourceVersion then fails with 409.
 * Throws 404 if the object is absent, and the errors of the stages.
 */
export async function updateObject(
  context: WriteContext,
  request: WriteRequest,
  change: ObjectChange,
  now: () => Date,
): Promise<Written> {
  const isConverted = request.manager !== undefined && kindConversionOf(context.resource) !== undefined;
  const isMadeFirst = takesSomething(context, request) || isShown(context, request) || isConverted;
  const mostBytes = request.kind === 'update' ? largeObject : undefined;
  for (let attempt = isMadeFirst || change.isLong === true ? 1 : 0; ; attempt += 1) {
    const begun = { context, request, now: now() };
    const inTurns = attempt > 0 && (isMadeFirst || attempt <= mostAttempts);
    const written = inTurns
      ? await makeThenStore(begun, change)
      : await makeWithinStorage(begun, change, attempt === 0 ? mostBytes : undefined);
    if (written !== undefined) return written;
  }
}

const make = (write: Update, change: ObjectChange): Steps<Decided> =>
  isOfClient(write.request.kind) ? makeUpdated(write, change) : makeInternally(write, change);

/** Makes and stores the object in turns with other requests. Returns undefined if the object changes meanwhile. */
async function makeThenStore(begun: Begun, change: ObjectChange): Promise<Written | undefined> {
  const before = required(begun, await begun.context.storage.get(storageKeyOf(begun)));
  const update = { ...begun, before };
  const shown = isShown(begun.context, begun.request);
  const decided = shown ? await makeShown(update, change) : await doInTurns(make(update, change));
  if (decided.decision !== 'keep') return answered(await commit(update, decided, store), update, decided);
  if (shown) await review(update, decided);
  return { entry: before, change: 'keep' };
}

/** Makes the object within the storage's update. Returns undefined if the object has more than `mostBytes`. */
async function makeWithinStorage(
  begun: Begun,
  change: ObjectChange,
  mostBytes: number | undefined,
): Promise<Written | undefined> {
  const { context, request, now } = begun;
  const isLarge = ({ size }: Entry): boolean => mostBytes !== undefined && size > mostBytes;
  let update: Update | undefined;
  let decided: Decided | undefined;
  const written = await storageOf(context, request).guaranteedUpdate(storageKeyOf(begun), (current) => {
    update = { context, request, now, before: required(begun, current) };
    if (isLarge(update.before)) return 'keep';
    decided = doAll(make(update, change));
    return decided.decision;
  });
  if (written.change === 'keep' && isLarge(written.entry)) return undefined;
  await releaseClaims(begun, update?.before, written);
  return update && decided ? answered(written, update, decided) : written;
}

/** A client whose update lets an object go gets the object as it is updated. */
function answered<Result extends Written | undefined>(written: Result, write: Update, { object }: Decided): Result {
  if (written?.change !== 'remove' || write.request.kind !== 'update') return written;
  const { key, revision } = written.entry;
  return { ...written, entry: new Entry(key, revision, withVersionOf(object as KubeObject, write.before.value)) };
}
