// Watches from the past: from the first version, from version 0, and the removals of a delete-collection.
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { eventually } from '../support/eventually.js';
import { equal, holds, success } from '../support/expect.js';
import { at, brief } from '../support/json.js';
import type { Recorded } from '../support/recorded.js';
import type { Made } from '../support/scope.js';
import { eventsAbout, eventsOf, type WatchEvent, watching } from '../support/watching.js';
import type { Context } from '../support/worker.js';
import { type Form, formOf, makeNamed, watchFromNow } from './forms.js';
import { release, remove } from './removal.js';

/** An object that lived, and one of the same name after it: watched from the first version, and from 0. */
async function lookedBack({ operation }: OperationSubject, context: Context) {
  const { scope } = context;
  const form = await formOf(operation, scope);
  const former = await makeNamed(scope, form);
  await remove(scope, former);
  // A controller may have to let go of it first.
  await eventually(
    () => scope.current(former),
    (seen) => seen === undefined,
  );
  const present = await makeNamed(scope, form);
  const [first, zero] = [await from('1', form, present, context), await from('0', form, present, context)];
  return { former, present, first, zero };
}

/** What a watch from a version tells until it comes to the object that is there. */
function from(resourceVersion: string, { path, name }: Form, { object }: Made, { client }: Context) {
  const uid = uidOf(object);
  return watching(client, path, { resourceVersion }, async (stream) => {
    const isOver = (event: WatchEvent): boolean => uidOf(event.object) === uid || event.type === 'ERROR';
    let looked = 0;
    // one look at each: a target may tell of thousands of objects first
    await stream.until(() => {
      const news = eventsOf(stream).slice(looked);
      looked += news.length;
      return news.some(isOver);
    });
    const { request, status } = stream;
    return { request, status, all: eventsOf(stream), own: eventsAbout(name, stream) };
  });
}

const uidOf = (object: unknown) => at(object, 'metadata', 'uid');

/** Watches a collection while two objects of three are deleted at once. */
async function collectionDeleted({ operation }: OperationSubject, context: Context) {
  const { scope } = context;
  const form = await formOf(operation, scope);
  await scope.selectorsAreRespected(form.resource);
  const group = 'kube-api-conformance/group';
  const labels = { [group]: form.name };
  const doomed = [await makeNamed(scope, form, { labels }), await scope.make(form.resource, { labels })];
  const spared = await scope.make(form.resource);
  return watchFromNow(context, form, {}, async (stream) => {
    const selector = encodeURIComponent(`${group}=${form.name}`);
    const reply = await scope.deleteCollection(`${form.path}?labelSelector=${selector}&propagationPolicy=Background`);
    success(reply);
    for (const made of doomed) await release(scope, made, await scope.current(made));
    const last = await scope.make(form.resource);
    const removals = ({ name }: Made) => eventsAbout(name, stream).filter(({ type }) => type === 'DELETED');
    const isOver = (): boolean => doomed.every((made) => removals(made).length > 0);
    await stream.until(() => isOver() && eventsAbout(last.name, stream).length > 0);
    const counts = [...doomed, spared].map((made) => removals(made).length);
    return { request: stream.request, counts: counts.join() };
  });
}

export const historyPerformers = { watchHistories: lookedBack, deleteCollections: collectionDeleted };

type History = Recorded<typeof lookedBack>;

export const historyChecks = {
  'too-old': ({ former, present, first }: History) => {
    const { request, all, own } = first;
    equal(first.status, 200, `${request}: status`);
    const error = all.find(({ type }) => type === 'ERROR');
    if (error !== undefined) {
      const gone = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 410 };
      return holds(error.object, gone, `${request}: the object of ERROR`);
    }
    const story = own.map(({ type, object }) => [type, uidOf(object)]).filter(([type]) => type !== 'MODIFIED');
    const [old, now] = [former, present].map(({ object }) => uidOf(object));
    const whole = [
      ['ADDED', old],
      ['DELETED', old],
      ['ADDED', now],
    ];
    equal(brief(story), brief(whole), `${request}: every change since, or ERROR; the events of that name`);
  },
  'version-zero': ({ present, zero: { request, status, own } }: History) => {
    equal(status, 200, `${request}: status`);
    const told = own.find(({ object }) => uidOf(object) === uidOf(present.object));
    equal(told?.type, 'ADDED', `${request}: the event of an object that is there`);
  },
  'collection-removals': ({ request, counts }: Recorded<typeof collectionDeleted>) =>
    equal(counts, '1,1,0', `${request}: DELETED of two objects that are selected, and of one that is not`),
};
