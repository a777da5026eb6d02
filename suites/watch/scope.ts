// The reach of a watch: the objects of its path, and no others.
import type { Operation } from '../../matrix/api/index.js';
import { equal, fail } from '../client/expect.js';
import { at, brief } from '../client/json.js';
import { eventsAbout, eventsOf } from '../client/streams/watches.js';
import type { Sandbox } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';
import { change, formOf, makeNamed, type WatchForm, watchFromNow } from './forms.js';
import { remove } from './removal.js';

const isAcross = ({ verb, resource }: Operation): boolean =>
  resource?.namespaced === true && (verb === 'watchAll' || verb === 'listAll');

/** Returns the form with another name and namespace, which a watch across namespaces includes. */
async function elsewhere(sandbox: Sandbox, form: WatchForm): Promise<WatchForm> {
  return { ...form, name: sandbox.name(form.resource), namespace: await sandbox.namespace('other') };
}

/** Watches while an object is created in each namespace of the path. */
async function reached({ operation }: OperationSubject, context: Context) {
  const { sandbox } = context;
  const form = await formOf(operation, sandbox);
  const others = isAcross(operation) ? [await elsewhere(sandbox, form)] : [];
  return watchFromNow(context, form, {}, async (stream) => {
    const made = [form, ...others];
    for (const one of made) await makeNamed(sandbox, one);
    const isAdded = ({ name }: WatchForm): boolean => eventsAbout(name, stream).some(({ type }) => type === 'ADDED');
    await stream.until(() => made.every(isAdded));
    const { request, status } = stream;
    const places = ({ namespace = 'the cluster' }: WatchForm): string => namespace;
    return { request, status, all: eventsOf(stream), missing: made.filter((one) => !isAdded(one)).map(places) };
  });
}

/** Watches one object while another object is created before it. */
async function besides({ operation }: OperationSubject, context: Context) {
  const { sandbox } = context;
  const form = await formOf(operation, sandbox);
  return watchFromNow(context, form, {}, async (stream) => {
    await makeNamed(sandbox, { ...form, name: sandbox.name(form.resource) });
    await makeNamed(sandbox, form);
    await stream.until(() => eventsAbout(form.name, stream).length > 0);
    return { form, request: stream.request, events: eventsOf(stream) };
  });
}

/** Watches a namespace while an object of the same name is created first in another namespace. */
async function inNamespace({ operation }: OperationSubject, context: Context) {
  const { sandbox } = context;
  const form = await formOf(operation, sandbox);
  const other = await sandbox.namespace('other');
  return watchFromNow(context, form, {}, async (stream) => {
    await makeNamed(sandbox, { ...form, namespace: other });
    await makeNamed(sandbox, form);
    const isOwn = ({ namespace }: { namespace: string }): boolean => namespace === form.namespace;
    await stream.until(() => eventsAbout(form.name, stream).some(isOwn));
    return {
      form,
      request: stream.request,
      events: eventsOf(stream),
      own: eventsAbout(form.name, stream).filter(isOwn),
    };
  });
}

/** Watches across namespaces during a create and a delete, while another namespace has an object of the same name. */
async function sameName({ operation }: OperationSubject, context: Context) {
  const { sandbox } = context;
  const form = await formOf(operation, sandbox);
  const other = { ...form, namespace: await sandbox.namespace('other') };
  return watchFromNow(context, form, {}, async (stream) => {
    const first = await makeNamed(sandbox, form);
    const second = await makeNamed(sandbox, other);
    await remove(sandbox, first);
    const last = await change(sandbox, second, { metadata: { labels: { 'kube-api-conformance/changed': 'last' } } });
    const version = String(at(last, 'metadata', 'resourceVersion'));
    await stream.until(() => eventsAbout(form.name, stream).some((event) => event.version === version));
    const own = eventsAbout(form.name, stream);
    const typesIn = ({ namespace }: WatchForm) =>
      own.filter((event) => event.namespace === namespace).map(({ type }) => type);
    return { request: stream.request, first: typesIn(form), second: typesIn(other) };
  });
}

function streamsChanges({ request, status, all, missing }: Recorded<typeof reached>): void {
  equal(status, 200, `${request}: status`);
  const malformed = all.find(({ type }) => typeof type !== 'string');
  if (malformed !== undefined) fail(`${request}: it is not a stream of changes: ${brief(malformed.streamed.value)}`);
  if (missing.length > 0) fail(`${request}: no ADDED of the object in ${missing.join(' and ')}`);
}

export const reachGroups = [
  group({
    subjects: 'listForms',
    setup: reached,
    checks: { 'list-form': streamsChanges },
  }),
  group({
    subjects: 'prefixForms',
    setup: reached,
    checks: { 'prefix-form': streamsChanges },
  }),
  group({
    subjects: 'objectForms',
    setup: besides,
    checks: {
      'one-object': ({ form, request, events }) => {
        if (events.length === 0) fail(`${request}: no event of that object`);
        for (const { name } of events) equal(name, form.name, `${request}: the name of the object of an event`);
      },
    },
  }),
  group({
    subjects: 'namespacedForms',
    setup: inNamespace,
    checks: {
      'one-namespace': ({ form, request, events, own }) => {
        if (own.length === 0) fail(`${request}: no event of the object in ${form.namespace}`);
        for (const event of events) {
          equal(event.namespace, form.namespace ?? '', `${request}: the namespace of the object of an event`);
        }
      },
    },
  }),
  group({
    subjects: 'acrossForms',
    setup: sameName,
    checks: {
      'same-name': ({ request, first, second }) => {
        for (const [types, what] of [
          [first, 'the object that was created and deleted'],
          [second, 'the one of its name in another namespace'],
        ] as const)
          equal(types[0], 'ADDED', `${request}: the first of ${types.join(', ')} of ${what}`);
        equal(first.at(-1), 'DELETED', `${request}: the last of ${first.join(', ')} of the object that was deleted`);
        equal(second.includes('DELETED'), false, `${request}: a removal of the other, which is there`);
        equal(
          second.at(-1),
          'MODIFIED',
          `${request}: the last of ${second.join(', ')} of the other, which was changed`,
        );
      },
    },
  }),
];
