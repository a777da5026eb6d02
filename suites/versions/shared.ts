// Objects that two groups serve: created and written in one version, read in the other.
import { defined, mediaTypes } from '../../matrix/api/index.js';
import { equal, fail, holds, nonEmptyString, Prerequisite, success, Unchecked } from '../client/expect.js';
import { at, brief, isObject, type JsonObject, merge, missing } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { eventsAbout, watching } from '../client/streams/watches.js';
import { changedLabel, hostileMetadata } from '../objects/callParts.js';
import { isSame } from '../objects/effects/index.js';
import { findEarlierState } from '../objects/overwritten.js';
import { type CreatedObject, conflicts, type Sandbox } from '../objects/sandbox.js';
import { objectsNamed } from '../objects/validCalls.js';
import { putChanged, sendBody } from '../objects/writes.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';
import { bodyIn, ownForms, type VersionForm, versionFormsOf } from './forms.js';

async function makeIn(sandbox: Sandbox, form: VersionForm): Promise<CreatedObject> {
  const { resource } = form;
  const namespace = resource.namespaced ? await sandbox.namespace() : undefined;
  const name = sandbox.name();
  const sent = resource.found
    ? sandbox.body(resource, name, namespace)
    : bodyIn(form, { name, ...defined({ namespace }), labels: sandbox.labels() });
  const path = pathTo(resource, 'create', namespace);
  const object = (await sandbox.attempt(`create ${resource.plural}`, 'POST', path, sent)).tryValue();
  if (!isObject(object)) throw new Prerequisite(`create ${resource.plural}: the answer is not an object`);
  return { resource, name, sent, object, ...defined({ namespace }) };
}

/** Returns the object from the list of a version, with the apiVersion and kind of the list's items. */
async function listedIn(
  sandbox: Sandbox,
  { resource }: VersionForm,
  { name, namespace }: CreatedObject,
): Promise<JsonObject | undefined> {
  const list = await sandbox.list(resource, namespace);
  const kind = String(list.kind).replace(/List$/, '');
  const item = objectsNamed(list, name)[0];
  return item && { ...item, apiVersion: list.apiVersion, kind };
}

/** Returns the object in a version: by a read, or from the list if the document states no read. */
function seenIn(sandbox: Sandbox, form: VersionForm, made: CreatedObject): Promise<JsonObject | undefined> {
  if (!form.resource.stated.includes('read')) return listedIn(sandbox, form, made);
  return sandbox.current({ ...made, resource: form.resource });
}

const acrossNamespaces = async (
  sandbox: Sandbox,
  { resource }: VersionForm,
  { name }: CreatedObject,
): Promise<JsonObject | undefined> => {
  const path = pathTo(resource, 'listAll', undefined);
  return objectsNamed((await sandbox.attempt('list all', 'GET', path)).tryValue(), name)[0];
};

async function shown(subject: OperationSubject, { sandbox }: Context) {
  const { home, away } = versionFormsOf(subject);
  const made = await makeIn(sandbox, home);
  return {
    home,
    away,
    atHome: await seenIn(sandbox, home, made),
    seen: await seenIn(sandbox, away, made),
    listed: await listedIn(sandbox, away, made),
    listedAll: await acrossNamespaces(sandbox, away, made),
  };
}

type Shown = Recorded<typeof shown>;

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

function fieldsOf(form: VersionForm, home: VersionForm, object: JsonObject | undefined): void {
  const what = `created in ${home.apiVersion}, seen in ${form.apiVersion}`;
  holds(at(object, 'spec') ?? {}, form.shows[home.apiVersion] ?? {}, `${what}: spec`);
  for (const field of form.lacks) {
    const found = at(object, 'spec', field);
    if (found !== undefined) fail(`${what}: spec.${field} belongs to the other version: ${brief(found)}`);
  }
}

const seenAfter = (reply: Reply, seen: JsonObject | undefined, part: JsonObject): void => {
  success(reply);
  holds(seen, part, `${reply.request}, then seen in the other version`);
};

/** What a replace in one version writes beside the fields of that version. */
const inMetadata: JsonObject = {
  metadata: { ...hostileMetadata, labels: { ...hostileMetadata.labels, [changedLabel]: 'replaced' } },
};

/** Reads two views of one object at one version of it. Reads again if it was written in between. */
async function together(
  ...views: readonly [() => Promise<JsonObject | undefined>, () => Promise<JsonObject | undefined>]
): Promise<readonly [JsonObject | undefined, JsonObject | undefined]> {
  for (let attempt = 1; ; attempt += 1) {
    const pair = [await views[0](), await views[1]()] as const;
    const [one, other] = pair.map((object) => at(object, 'metadata', 'resourceVersion'));
    if (one === other || attempt === conflicts) return pair;
  }
}

/**
 * Returns the metadata that each version of an object has. A version may keep what it has no field for in annotations;
 * managers are named with the version that they wrote; a selfLink names the version.
 */
function sharedOf(object: JsonObject | undefined): JsonObject {
  const { annotations: _, managedFields: __, selfLink: ___, ...shared } = (object?.metadata ?? {}) as JsonObject;
  return { metadata: shared };
}

export const sharedGroups = [
  group({
    subjects: 'sharedAutoscalers',
    setup: shown,
    checks: {
      'autoscaler-shared': isShared,
      'autoscaler-fields': hasItsFields,
    },
  }),
  group({
    subjects: 'sharedJobs',
    setup: shown,
    checks: {
      'job-shared': isShared,
      'job-fields': hasItsFields,
    },
  }),
  group({
    subjects: 'sharedObjects',
    setup: async (subject, { client, sandbox }) => {
      const { home, away } = versionFormsOf(subject);
      // The object is written in the version in which it was not created, if the document states such writes.
      const [writer, viewer] = away.resource.stated.includes('patch') ? [away, home] : [home, away];
      const created = await makeIn(sandbox, home);
      const made = { ...created, resource: writer.resource };
      const { name, namespace } = made;
      const look = () => seenIn(sandbox, viewer, made);
      const inBoth = () => together(() => seenIn(sandbox, writer, made), look);
      const before = await inBoth();
      const to = (verb: 'patch' | 'replace' | 'replaceStatus' | 'delete') =>
        pathTo(writer.resource, verb, namespace, name);
      const patch = await sendBody(sandbox, 'PATCH', to('patch'), writer.patch, 'mergePatch');
      const patched = await look();
      const replace = await putChanged(sandbox, made, to('replace'), (now) =>
        merge(now, merge(writer.change, inMetadata)),
      );
      const [written, replaced] = await inBoth();
      const part = writer.status && { status: writer.status };
      const status = part && (await putChanged(sandbox, made, to('replaceStatus'), (now) => merge(now, part)));
      const shown = await look();
      // A controller may have overwritten the status since: a watch shows the earlier states.
      const isOverwritten = viewer.resource.found && part && missing(shown, part) !== undefined;
      const viewed = { ...made, resource: viewer.resource };
      const withStatus = (isOverwritten && (await findEarlierState(sandbox, viewed, part))) || shown;
      const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
      const removal = await client.send({
        method: 'DELETE',
        path: to('delete'),
        headers: { 'content-type': mediaTypes.json },
        body: JSON.stringify(options),
      });
      const gone = { viewer: await look(), writer: await seenIn(sandbox, writer, made) };
      return { writer, before, patch, patched, replace, written, replaced, status, withStatus, removal, gone };
    },
    checks: {
      'one-identity': ({ before: [own, theirs] }) => {
        for (const field of ['uid', 'resourceVersion']) nonEmptyString(at(own, 'metadata', field), `metadata.${field}`);
        isSame(sharedOf(theirs), sharedOf(own), 'in the other version');
      },
      'write-through': ({ writer, patch, patched, replace, written, replaced }) => {
        seenAfter(patch, patched, writer.patch);
        seenAfter(replace, replaced, merge(writer.patch, merge(writer.changed, inMetadata)));
        isSame(sharedOf(replaced), sharedOf(written), `${replace.request}, then seen in the other version`);
      },
      'status-through': ({ writer, status, withStatus }) => {
        if (status === undefined || writer.status === undefined)
          throw new Unchecked(
            'not-supported',
            `the kind ${writer.resource.kind} has no status that a client can write`,
          );
        seenAfter(status, withStatus, { status: writer.status });
      },
      'one-life': ({ removal, gone }) => {
        success(removal);
        if (gone.writer !== undefined) fail(`${removal.request}: it is still there`);
        if (gone.viewer !== undefined) fail(`${removal.request}: it is still there in the other version`);
      },
    },
  }),
  group({
    subjects: 'sharedWatches',
    setup: async (subject, { client, sandbox }) => {
      const { home, away } = versionFormsOf(subject);
      const namespace = home.resource.namespaced ? await sandbox.namespace() : undefined;
      const from = at(await sandbox.list(home.resource, namespace), 'metadata', 'resourceVersion');
      const made = await makeIn(sandbox, home);
      const patch = pathTo(home.resource, 'patch', namespace, made.name);
      await sandbox.attempt('patch', 'PATCH', patch, home.patch);
      const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
      const remove = pathTo(home.resource, 'delete', namespace, made.name);
      await sandbox.attempt('delete', 'DELETE', remove, options);
      const path = pathTo(away.resource, away.resource.stated.includes('watchList') ? 'watchList' : 'list', namespace);
      const seen = await watching(client, path, { resourceVersion: String(from) }, async (stream) => {
        const about = () => eventsAbout(made.name, stream);
        await stream.until(() => about().some(({ type }) => type === 'DELETED'));
        return { request: stream.request, status: stream.status, events: about() };
      });
      return { home, away, ...seen };
    },
    checks: {
      watched: ({ home, away, request, status, events }) => {
        equal(status, 200, `${request}: status`);
        const types = events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
        equal(brief(types), brief(['ADDED', 'MODIFIED', 'DELETED']), `${request}: the types of the events`);
        for (const { object } of events) {
          holds(
            object,
            { apiVersion: away.apiVersion, kind: away.resource.kind },
            `${request}: the object of an event`,
          );
        }
        fieldsOf(away, home, events[0]?.object);
      },
    },
  }),
  group({
    subjects: 'otherBodies',
    setup: async ({ operation }, { sandbox }) => {
      const { own, other } = ownForms(resourceOf(operation));
      const [namespace, name] = [await sandbox.namespace(), sandbox.name()];
      const body = bodyIn(other, { name, namespace, labels: sandbox.labels() });
      const reply = await sendBody(sandbox, 'POST', fill(operation.path, namespace), body);
      const made = await sandbox.current({ resource: own.resource, name, namespace });
      return { own, other, reply, made };
    },
    checks: {
      'other-body': ({ own, other, reply, made }) => {
        const refused = reply.status >= 400 && reply.status <= 499;
        if (refused && made !== undefined) fail(`${reply.request}: it is refused, and the object is there`);
        if (refused) return;
        success(reply);
        holds(made, { apiVersion: own.apiVersion }, `${reply.request}, then read`);
        fieldsOf(own, other, made);
      },
    },
  }),
];
