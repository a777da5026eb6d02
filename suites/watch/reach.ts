// How far a watch reaches: over the objects of its path, and over no other.
import type { Operation } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { equal, fail } from '../support/expect.js';
import { at, brief } from '../support/json.js';
import type { Recorded } from '../support/recorded.js';
import type { Scope } from '../support/scope.js';
import { eventsAbout, eventsOf } from '../support/watching.js';
import type { Context } from '../support/worker.js';
import { change, type Form, formOf, makeNamed, watchFromNow } from './forms.js';
import { remove } from './removal.js';

const isAcross = ({ verb, resource }: Operation): boolean =>
  resource?.namespaced === true && (verb === 'watchAll' || verb === 'listAll');

/** The form with a name and namespace of its own: where a watch across namespaces must look too. */
async function elsewhere(scope: Scope, form: Form): Promise<Form> {
  return { ...form, name: scope.name(form.resource), namespace: await scope.namespace('other') };
}

/** Watches while an object is created in each namespace that the path is about. */
async function reached({ operation }: OperationSubject, context: Context) {
  const { scope } = context;
  const form = await formOf(operation, scope);
  const others = isAcross(operation) ? [await elsewhere(scope, form)] : [];
  return watchFromNow(context, form, {}, async (stream) => {
    const made = [form, ...others];
    for (const one of made) await makeNamed(scope, one);
    const isAdded = ({ name }: Form): boolean => eventsAbout(name, stream).some(({ type }) => type === 'ADDED');
    await stream.until(() => made.every(isAdded));
    const { request, status } = stream;
    const places = ({ namespace = 'the cluster' }: Form): string => namespace;
    return { request, status, all: eventsOf(stream), missing: made.filter((one) => !isAdded(one)).map(places) };
  });
}

/** Watches one object while another of another name is created before it. */
async function besides({ operation }: OperationSubject, context: Context) {
  const { scope } = context;
  const form = await formOf(operation, scope);
  return watchFromNow(context, form, {}, async (stream) => {
    await makeNamed(scope, { ...form, name: scope.name(form.resource) });
    await makeNamed(scope, form);
    await stream.until(() => eventsAbout(form.name, stream).length > 0);
    return { form, request: stream.request, events: eventsOf(stream) };
  });
}

/** Watches in a namespace while an object of the same name is created in another one before. */
async function inNamespace({ operation }: OperationSubject, context: Context) {
  const { scope } = context;
  const form = await formOf(operation, scope);
  const other = await scope.namespace('other');
  return watchFromNow(context, form, {}, async (stream) => {
    await makeNamed(scope, { ...form, namespace: other });
    await makeNamed(scope, form);
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

/** Watches across namespaces while an object is created and deleted beside another of the same name elsewhere. */
async function sameName({ operation }: OperationSubject, context: Context) {
  const { scope } = context;
  const form = await formOf(operation, scope);
  const other = { ...form, namespace: await scope.namespace('other') };
  return watchFromNow(context, form, {}, async (stream) => {
    const first = await makeNamed(scope, form);
    const second = await makeNamed(scope, other);
    await remove(scope, first);
    const last = await change(scope, second, { metadata: { labels: { 'kube-api-conformance/changed': 'last' } } });
    const version = String(at(last, 'metadata', 'resourceVersion'));
    await stream.until(() => eventsAbout(form.name, stream).some((event) => event.version === version));
    const own = eventsAbout(form.name, stream);
    const typesIn = ({ namespace }: Form) =>
      own.filter((event) => event.namespace === namespace).map(({ type }) => type);
    return { request: stream.request, first: typesIn(form), second: typesIn(other) };
  });
}

export const reachPerformers = {
  listForms: reached,
  prefixForms: reached,
  objectForms: besides,
  namespacedForms: inNamespace,
  acrossForms: sameName,
};

function streamsChanges({ request, status, all, missing }: Recorded<typeof reached>): void {
  equal(status, 200, `${request}: status`);
  const strange = all.find(({ type }) => typeof type !== 'string');
  if (strange !== undefined) fail(`${request}: it is no stream of changes: ${brief(strange.streamed.value)}`);
  if (missing.length > 0) fail(`${request}: no ADDED of the object in ${missing.join(' and ')}`);
}

export const reachChecks = {
  'list-form': streamsChanges,
  'prefix-form': streamsChanges,
  'one-object': ({ form, request, events }: Recorded<typeof besides>) => {
    if (events.length === 0) fail(`${request}: no event of that object`);
    for (const { name } of events) equal(name, form.name, `${request}: the name of the object of an event`);
  },
  'same-name': ({ request, first, second }: Recorded<typeof sameName>) => {
    for (const [types, what] of [
      [first, 'the object that was created and deleted'],
      [second, 'the one of its name in another namespace'],
    ] as const)
      equal(types[0], 'ADDED', `${request}: the first of ${types.join(', ')} of ${what}`);
    equal(first.at(-1), 'DELETED', `${request}: the last of ${first.join(', ')} of the object that was deleted`);
    equal(second.includes('DELETED'), false, `${request}: a removal of the other, which is there`);
    equal(second.at(-1), 'MODIFIED', `${request}: the last of ${second.join(', ')} of the other, which was changed`);
  },
  'one-namespace': ({ form, request, events, own }: Recorded<typeof inNamespace>) => {
    if (own.length === 0) fail(`${request}: no event of the object in ${form.namespace}`);
    for (const event of events) {
      equal(event.namespace, form.namespace ?? '', `${request}: the namespace of the object of an event`);
    }
  },
};
