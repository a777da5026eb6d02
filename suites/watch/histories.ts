// Watches of the past: from the first version, from 0, from none, from a list, and of the deletes of a delete-collection.

import { defined, type Operation } from '../../matrix/api/index.js';
import { equal, fail, holds, oneOf, Prerequisite, success } from '../client/expect.js';
import { at, brief } from '../client/json.js';
import { eventsAbout, eventsOf, type WatchEvent, watching } from '../client/streams/watches.js';
import { eventually } from '../objects/eventually.js';
import { namespaces } from '../objects/related.js';
import type { CreatedObject } from '../objects/sandbox.js';
import { groupLabel, type Sandbox } from '../objects/sandbox.js';
import { ownGroup } from '../objects/validCalls.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { formOf, makeNamed, type WatchForm, watchFromNow } from './forms.js';
import { releaseDeleted, remove } from './removal.js';

/** Milliseconds between the delete and the second create, for one try after another. */
const pauses = [0, 1_000, 5_000];

/**
 * Deletes an object, creates another one with its name, and watches from the first version, from 0 and from none. A
 * controller that acts on the delete may remove the new object too, as that of Endpoints does: then tries again, and
 * gives the controller more time.
 */
async function lookedBack({ operation }: OperationSubject, context: Context) {
  for (const pause of pauses) {
    const history = await lookBack(operation, context, pause);
    const { present, zero } = history;
    const uid = uidOf(present.object);
    if (zero.own.some(({ object }) => uidOf(object) === uid)) return history;
    if (uidOf(await context.sandbox.current(present)) === uid) return history;
  }
  throw new Prerequisite('an object that has the name of a deleted one is removed each time');
}

async function lookBack(operation: Operation, context: Context, pause: number) {
  const { sandbox } = context;
  const named = await formOf(operation, sandbox);
  const former = await makeNamed(sandbox, named);
  await remove(sandbox, former);
  const isFree = await becomesFree(sandbox, former);
  await new Promise((resolve) => setTimeout(resolve, pause));
  // Where the delete is not finished, a new name has a history of its own.
  const form = isFree ? named : await formOf(operation, sandbox);
  const present = await makeNamed(sandbox, form);
  const [first, zero] = [await from('1', form, present, context), await from('0', form, present, context)];
  const unsaid = await from(undefined, form, present, context);
  return { ...(isFree && { former }), form, present, first, zero, unsaid };
}

/** Reports whether the name of a deleted object can be used again. A controller may finish the delete late. */
async function becomesFree(sandbox: Sandbox, former: CreatedObject): Promise<boolean> {
  // that of namespaces looks again only after a while
  const longest = former.resource.kind === namespaces.kind ? 0 : sandbox.timeout;
  const look = () => sandbox.current(former);
  return (await eventually(look, (seen) => seen === undefined, longest)) === undefined;
}

/** Returns the events of a watch from a version, or from none, up to the current object. */
function from(
  resourceVersion: string | undefined,
  { path, name }: WatchForm,
  { object }: CreatedObject,
  { client }: Context,
) {
  const uid = uidOf(object);
  return watching(client, path, defined({ resourceVersion }), async (stream) => {
    const isOver = (event: WatchEvent): boolean => uidOf(event.object) === uid || event.type === 'ERROR';
    let looked = 0;
    // each event is read once, because a target may send thousands of events first
    await stream.until(() => {
      const news = eventsOf(stream).slice(looked);
      looked += news.length;
      return news.some(isOver);
    });
    const { request, status } = stream;
    return { request, status, all: eventsOf(stream), own: eventsAbout(name, stream) };
  });
}

/** Reports whether the path of a form is that of an object, or of a collection that has it. */
function isUnder({ path, name, namespace }: WatchForm, named: string, within: string): boolean {
  const isOne = path.endsWith(`/${name}`);
  const isInPlace = namespace === undefined || !path.includes(`/namespaces/${namespace}`) || within === namespace;
  return isInPlace && (!isOne || named === name);
}

const uidOf = (object: unknown) => at(object, 'metadata', 'uid');

/** Watches a collection while a delete-collection deletes two of three objects. */
async function collectionDeleted({ operation }: OperationSubject, context: Context) {
  const { sandbox } = context;
  const form = await formOf(operation, sandbox);
  await sandbox.selectorsAreRespected(form.resource);
  const labels = { [groupLabel]: form.name };
  const doomed = [await makeNamed(sandbox, form, { labels }), await sandbox.make(form.resource, { labels })];
  const spared = await sandbox.make(form.resource);
  return watchFromNow(context, form, {}, async (stream) => {
    const selector = encodeURIComponent(`${groupLabel}=${form.name}`);
    const reply = await sandbox.deleteCollection(`${form.path}?labelSelector=${selector}&propagationPolicy=Background`);
    success(reply);
    for (const made of doomed) await releaseDeleted(sandbox, made, await sandbox.current(made));
    const last = await sandbox.make(form.resource);
    const removals = ({ name }: CreatedObject) => eventsAbout(name, stream).filter(({ type }) => type === 'DELETED');
    const isOver = (): boolean => doomed.every((made) => removals(made).length > 0);
    await stream.until(() => isOver() && eventsAbout(last.name, stream).length > 0);
    const counts = [...doomed, spared].map((made) => removals(made).length);
    return { request: stream.request, counts: counts.join() };
  });
}

/**
 * Lists an object that was there before another one was deleted, and watches from the version of the list until the create
 * of a third one is told.
 */
async function listedThenWatched({ operation }: OperationSubject, { client, sandbox }: Context) {
  const form = await formOf(operation, sandbox);
  const { resource, namespace, name } = form;
  const { labels, selector } = ownGroup(sandbox);
  await sandbox.make(resource, { labels });
  const former = await makeNamed(sandbox, form);
  await remove(sandbox, former);
  if ((await sandbox.current(former)) !== undefined) throw new Prerequisite(`the delete of ${name} is not finished`);
  const version = String(at(await sandbox.list(resource, namespace, selector), 'metadata', 'resourceVersion'));
  const later = await sandbox.make(resource);
  return watching(client, form.path, { resourceVersion: version }, async (stream) => {
    await stream.until(() => eventsAbout(later.name, stream).length > 0);
    const typesOf = (of: string) => brief(eventsAbout(of, stream).map(({ type }) => type));
    return { request: stream.request, status: stream.status, former: typesOf(name), later: typesOf(later.name) };
  });
}

export const historyGroups = [
  group({
    subjects: 'watchHistories',
    setup: lookedBack,
    checks: {
      'too-old': ({ former, present, first }) => {
        const { request, all, own } = first;
        equal(first.status, 200, `${request}: status`);
        const error = all.find(({ type }) => type === 'ERROR');
        if (error !== undefined) {
          // What was before the oldest known version is not known either.
          equal(brief(all[0]?.type), brief('ERROR'), `${request}: the first event of a watch that ends in ERROR`);
          const gone = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 410 };
          holds(error.object, gone, `${request}: the object of ERROR`);
          return oneOf(at(error.object, 'reason'), ['Expired', 'Gone'], `${request}: the reason of ERROR`);
        }
        const story = own.map(({ type, object }) => [type, uidOf(object)]).filter(([type]) => type !== 'MODIFIED');
        const now = ['ADDED', uidOf(present.object)];
        const old = former && uidOf(former.object);
        const whole = former === undefined ? [now] : [['ADDED', old], ['DELETED', old], now];
        equal(brief(story), brief(whole), `${request}: every change since, or ERROR; the events of that name`);
      },
      'version-zero': ({ form, present, zero, unsaid }) => {
        for (const { request, status, all, own } of [zero, unsaid]) {
          equal(status, 200, `${request}: status`);
          const event = own.find(({ object }) => uidOf(object) === uidOf(present.object));
          equal(event?.type, 'ADDED', `${request}: the event of an object that is there`);
          for (const { type, name, namespace } of all) {
            if (type === 'ERROR' || type === 'BOOKMARK' || isUnder(form, name, namespace)) continue;
            const what = `${brief(type)} of ${[namespace, name].filter(Boolean).join('/')}`;
            fail(`${request}: ${what}, which is not in the path`);
          }
        }
      },
    },
  }),
  group({
    subjects: 'listedWatches',
    setup: listedThenWatched,
    checks: {
      'from-list': ({ request, status, former, later }) => {
        equal(status, 200, `${request}: status`);
        equal(former, '[]', `${request}, from a list: the events of an object that was deleted before it`);
        equal(later.startsWith('["ADDED"'), true, `${request}, from a list: the events of a later object: ${later}`);
      },
    },
  }),
  group({
    subjects: 'deleteCollections',
    setup: collectionDeleted,
    checks: {
      'collection-removals': ({ request, counts }) =>
        equal(counts, '1,1,0', `${request}: DELETED of two objects that are selected, and of one that is not`),
    },
  }),
];
