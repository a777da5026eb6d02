// Objects that two groups show: created and written in one version, seen in the other.
import { mediaTypes } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { equal, fail, holds, Prerequisite, success } from '../support/expect.js';
import { at, brief, isObject, type JsonObject, merge } from '../support/json.js';
import type { Recorded } from '../support/recorded.js';
import type { Reply } from '../support/reply.js';
import { fill, type Made, pathTo, type Scope } from '../support/scope.js';
import { named } from '../support/validCalls.js';
import { eventsAbout, watching } from '../support/watching.js';
import type { Context } from '../support/worker.js';
import { putChanged, sendBody } from '../support/writes.js';
import { bodyIn, type Form, formsOf, ownForms } from './forms.js';

async function makeIn(scope: Scope, form: Form): Promise<Made> {
  const { resource } = form;
  const [namespace, name] = [await scope.namespace(), scope.name()];
  const sent = bodyIn(form, { name, namespace, labels: scope.labels() });
  const path = pathTo(resource, 'create', namespace);
  const object = (await scope.attempt(`create ${resource.plural}`, 'POST', path, sent)).tryValue();
  if (!isObject(object)) throw new Prerequisite(`create ${resource.plural}: the answer is no object`);
  return { resource, name, namespace, sent, object };
}

/** The object as the list of a version has it, with the type that the list gives its items. */
async function listedIn(scope: Scope, { resource }: Form, { name, namespace }: Made): Promise<JsonObject | undefined> {
  const list = await scope.list(resource, namespace);
  const kind = String(list.kind).replace(/List$/, '');
  const item = named(list, name)[0];
  return item && { ...item, apiVersion: list.apiVersion, kind };
}

/** The object in a version: read by name, but for extensions' jobs, of which the document states only lists. */
function seenIn(scope: Scope, form: Form, made: Made): Promise<JsonObject | undefined> {
  if (!form.resource.stated.includes('read')) return listedIn(scope, form, made);
  return scope.current({ ...made, resource: form.resource });
}

const acrossNamespaces = async (scope: Scope, { resource }: Form, { name }: Made): Promise<JsonObject | undefined> => {
  const path = pathTo(resource, 'listAll', undefined);
  return named((await scope.attempt('list all', 'GET', path)).tryValue(), name)[0];
};

async function shown(subject: OperationSubject, { scope }: Context) {
  const { home, away } = formsOf(subject);
  const made = await makeIn(scope, home);
  return {
    home,
    away,
    atHome: await seenIn(scope, home, made),
    seen: await seenIn(scope, away, made),
    listed: await listedIn(scope, away, made),
    listedAll: await acrossNamespaces(scope, away, made),
  };
}

export const sharedPerformers = {
  sharedAutoscalers: shown,
  sharedJobs: shown,
  sharedObjects: async (subject: OperationSubject, { client, scope }: Context) => {
    const { home, away } = formsOf(subject);
    // Who writes is the version that the object was not created in, if the document states that it can.
    const [writer, viewer] = away.resource.stated.includes('patch') ? [away, home] : [home, away];
    const created = await makeIn(scope, home);
    const made = { ...created, resource: writer.resource };
    const { name, namespace } = made;
    const look = () => seenIn(scope, viewer, made);
    const before = [await seenIn(scope, writer, made), await look()];
    const to = (verb: 'patch' | 'replace' | 'replaceStatus' | 'delete') =>
      pathTo(writer.resource, verb, namespace, name);
    const patch = await sendBody(scope, 'PATCH', to('patch'), { spec: writer.patch }, 'mergePatch');
    const patched = await look();
    const replace = await putChanged(scope, made, to('replace'), (now) => merge(now, { spec: writer.change }));
    const replaced = await look();
    const status = await putChanged(scope, made, to('replaceStatus'), (now) => merge(now, { status: writer.status }));
    const withStatus = await look();
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
    const removal = await client.send({
      method: 'DELETE',
      path: to('delete'),
      headers: { 'content-type': mediaTypes.json },
      body: JSON.stringify(options),
    });
    const gone = { viewer: await look(), writer: await seenIn(scope, writer, made) };
    return { writer, before, patch, patched, replace, replaced, status, withStatus, removal, gone };
  },
  sharedWatches: async (subject: OperationSubject, { client, scope }: Context) => {
    const { home, away } = formsOf(subject);
    const namespace = await scope.namespace();
    const from = at(await scope.list(home.resource, namespace), 'metadata', 'resourceVersion');
    const made = await makeIn(scope, home);
    const patch = pathTo(home.resource, 'patch', namespace, made.name);
    await scope.attempt('patch', 'PATCH', patch, { spec: home.patch });
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
    const remove = pathTo(home.resource, 'delete', namespace, made.name);
    await scope.attempt('delete', 'DELETE', remove, options);
    const path = pathTo(away.resource, 'watchList', namespace);
    const seen = await watching(client, path, { resourceVersion: String(from) }, async (stream) => {
      const about = () => eventsAbout(made.name, stream);
      await stream.until(() => about().some(({ type }) => type === 'DELETED'));
      return { request: stream.request, status: stream.status, events: about() };
    });
    return { home, away, ...seen };
  },
  otherBodies: async ({ operation }: OperationSubject, { scope }: Context) => {
    const { own, other } = ownForms(operation.resource ?? fail('a create without a resource'));
    const [namespace, name] = [await scope.namespace(), scope.name()];
    const body = bodyIn(other, { name, namespace, labels: scope.labels() });
    const reply = await sendBody(scope, 'POST', fill(operation.path, namespace), body);
    const made = await scope.current({ resource: own.resource, name, namespace });
    return { own, other, reply, made };
  },
};

type Performers = typeof sharedPerformers;
type Shown = Recorded<typeof shown>;
type Shared = Recorded<Performers['sharedObjects']>;

function isShared({ home, away, seen, listed, listedAll }: Shown): void {
  const what = `created in ${home.apiVersion}, seen in ${away.apiVersion}`;
  for (const [object, how] of [
    [seen, what],
    [listed, `${what}, listed`],
  ] as const) {
    if (object === undefined) fail(`${how}: it is not there`);
    holds(object, { apiVersion: away.apiVersion, kind: away.resource.kind }, how);
  }
  if (listedAll === undefined) fail(`${what}, listed across namespaces: it is not there`);
}

function hasItsFields({ home, away, atHome, seen, listed, listedAll }: Shown): void {
  fieldsOf(home, home, atHome);
  for (const object of [seen, listed, listedAll]) fieldsOf(away, home, object);
}

function fieldsOf(form: Form, home: Form, object: JsonObject | undefined): void {
  const what = `created in ${home.apiVersion}, seen in ${form.apiVersion}`;
  holds(at(object, 'spec'), form.shows[home.apiVersion] ?? {}, `${what}: spec`);
  for (const field of form.lacks) {
    const found = at(object, 'spec', field);
    if (found !== undefined) fail(`${what}: spec.${field} belongs to the other version: ${brief(found)}`);
  }
}

const seenAfter = (reply: Reply, seen: JsonObject | undefined, part: JsonObject): void => {
  success(reply);
  holds(seen, part, `${reply.request}, then seen in the other version`);
};

export const sharedChecks = {
  'autoscaler-shared': isShared,
  'autoscaler-fields': hasItsFields,
  'job-shared': isShared,
  'job-fields': hasItsFields,
  'one-identity': ({ before: [one, other] }: Shared) => {
    for (const field of ['uid', 'resourceVersion'] as const) {
      const [own, theirs] = [one, other].map((object) => at(object, 'metadata', field));
      if (typeof own !== 'string') fail(`metadata.${field} is ${brief(own)}`);
      equal(theirs, own, `metadata.${field} in the other version`);
    }
  },
  'write-through': ({ writer, patch, patched, replace, replaced }: Shared) => {
    seenAfter(patch, patched, { spec: writer.patch });
    seenAfter(replace, replaced, { spec: { ...writer.patch, ...writer.changed } });
  },
  'status-through': ({ writer, status, withStatus }: Shared) =>
    seenAfter(status, withStatus, { status: writer.status }),
  'one-life': ({ removal, gone }: Shared) => {
    success(removal);
    if (gone.writer !== undefined) fail(`${removal.request}: it is still there`);
    if (gone.viewer !== undefined) fail(`${removal.request}: it is still there in the other version`);
  },
  watched: ({ home, away, request, status, events }: Recorded<Performers['sharedWatches']>) => {
    equal(status, 200, `${request}: status`);
    const types = events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
    equal(brief(types), brief(['ADDED', 'MODIFIED', 'DELETED']), `${request}: the types of the events`);
    for (const { object } of events) {
      holds(object, { apiVersion: away.apiVersion, kind: away.resource.kind }, `${request}: the object of an event`);
    }
    fieldsOf(away, home, events[0]?.object);
  },
  'other-body': ({ own, other, reply, made }: Recorded<Performers['otherBodies']>) => {
    const refused = reply.status >= 400 && reply.status <= 499;
    if (refused && made !== undefined) fail(`${reply.request}: it is refused, and the object is there`);
    if (refused) return;
    success(reply);
    holds(made, { apiVersion: own.apiVersion }, `${reply.request}, then read`);
    fieldsOf(own, other, made);
  },
};
