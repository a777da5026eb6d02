// Replaces that leave something out, what only the server sets, or all labels, annotations and owners; and one of no change.
import { type Resource, resourceId } from '../../matrix/api/index.js';
import { fail, holds, isStill, success } from '../client/expect.js';
import { at, isObject, type Json, type JsonObject, merge } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import { withLabel } from '../objects/callParts.js';
import { difference, isChange, mergedWithout } from '../objects/effects/index.js';
import { sampleOf } from '../objects/samples/index.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';

/** The kinds whose field `data` may be left out. */
const withData = new Set(['core/configmaps', 'core/secrets']);

const bareMetadata = { labels: undefined, annotations: undefined, ownerReferences: undefined };

/** A replace by a manifest, and the object before and after it. */
interface PlainReplace {
  readonly reply: Reply;
  readonly before: JsonObject;
  readonly after: JsonObject | undefined;
}

/** Clients in Go write null for the time. */
const plainMetadata = {
  ...{ uid: undefined, generation: undefined, selfLink: undefined, namespace: undefined },
  creationTimestamp: null,
};

/** Replaces an object by one with another label, without the metadata that a manifest does not have. */
export async function replacePlain(sandbox: Sandbox, made: CreatedObject): Promise<PlainReplace> {
  const before = (await sandbox.current(made)) ?? made.object;
  const { resource } = made;
  // Servers want the version of a custom resource, and some that of a Service (recorded on real servers).
  const keepsVersion = resource.found !== undefined || resourceId(resource) === 'core/services';
  const manifest = { metadata: { ...plainMetadata, ...(keepsVersion ? {} : { resourceVersion: undefined }) } };
  const to = (object: JsonObject) => withLabel(mergedWithout(object, manifest), 'plain');
  const reply = await sandbox.put({ ...made, object: before }, to);
  return { reply, before, after: await sandbox.current(made) };
}

/** Throws Failure unless the object has the label. */
export function isReplaced({ reply, after }: PlainReplace): void {
  success(reply);
  holds(after, withLabel({}, 'plain'), `${reply.request} without a resourceVersion, then read`);
}

/** Throws Failure unless the object has the metadata that the server gave it before. */
export function keepsIdentity({ reply, before, after }: PlainReplace): void {
  if (reply.status > 299) return;
  for (const field of ['uid', 'creationTimestamp', 'namespace']) {
    const what = `${reply.request} without it, then read: metadata.${field}`;
    isStill({ before: at(before, 'metadata', field), after: at(after, 'metadata', field) }, what);
  }
}

/** Replaces an object by itself. */
export async function replaceSame(sandbox: Sandbox, made: CreatedObject): Promise<Omit<PlainReplace, 'after'>> {
  let before = (await sandbox.current(made)) ?? made.object;
  const itself = (object: JsonObject): JsonObject => {
    before = object;
    return object;
  };
  const reply = await sandbox.put({ ...made, object: before }, itself);
  return { reply, before };
}

/** Throws Failure unless the response has the version that the object had before. */
export function isStillThere({ reply, before }: Omit<PlainReplace, 'after'>): void {
  success(reply);
  const version = (object: unknown) => at(object, 'metadata', 'resourceVersion');
  isStill(
    { before: version(before), after: version(reply.value()) },
    `${reply.request} without a change: metadata.resourceVersion`,
  );
}

/** A replace that left out what it could, and what it should have removed but did not. */
export interface BareReplace {
  readonly reply: Reply;
  readonly kept: readonly string[];
  /** The fields that a replace had changed before, what this one makes of them, and what a read shows. */
  readonly fields: { readonly before: JsonObject; readonly expected: JsonObject; readonly after: JsonObject };
  /** Set for a kind that only the target knows: a plug-in may refuse to lose its own annotations. */
  readonly mayBeRefused: boolean;
}

/** Kinds whose fields do not go back to what they were: the deadline of a Pod only becomes shorter. */
const withoutReturn = new Set(['core/pods']);

/** Replaces an object by its current state without those members, and with the fields that it was created with. */
export async function replaceBare(sandbox: Sandbox, made: CreatedObject): Promise<BareReplace> {
  const { resource } = made;
  const bare = {
    metadata: bareMetadata,
    ...(withData.has(resourceId(resource)) && { data: undefined }),
  };
  const isReturned = resource.found === undefined && !withoutReturn.has(resourceId(resource));
  const { replaced, leftOut = {} } = sampleOf(resource);
  const fields = isReturned ? Object.keys(replaced) : [];
  let sent: JsonObject = {};
  const before = (await sandbox.current(made)) ?? made.object;
  const reply = await sandbox.put({ ...made, object: before }, (object) => {
    sent = mergedWithout({ ...object, ...returning(fields, object, made.object) }, merge(leftOut, bare));
    return sent;
  });
  const after = (await sandbox.current(made)) ?? {};
  const kept = writtenIn(resource, after);
  const expected = withOwn(leftOut, sent, before, after);
  return {
    reply,
    kept: writtenIn(resource, before).filter((part) => kept.includes(part)),
    fields: { before: partOf(fields, before), expected: partOf(fields, expected), after: partOf(fields, after) },
    mayBeRefused: resource.found !== undefined,
  };
}

const partOf = (fields: readonly string[], object: JsonObject): JsonObject =>
  Object.fromEntries(fields.map((field) => [field, object[field]]));

/** Returns these fields as the object was created with, but for a counter that only grows. */
function returning(fields: readonly string[], object: JsonObject, made: JsonObject): JsonObject {
  const counter = at(object, 'spec', 'templateGeneration');
  const back = partOf(fields, made);
  return counter === undefined ? back : merge(back, { spec: { templateGeneration: counter as Json } });
}

/** Returns what a body makes of an object: the server may give what was left out another value, but not keep the old one. */
function withOwn(leftOut: JsonObject, sent: JsonObject, before: JsonObject, after: JsonObject): JsonObject {
  const own = Object.entries(leftOut).map(([key, value]): readonly [string, Json | undefined] => {
    if (value !== undefined) {
      const [inSent, inBefore, inAfter] = [sent[key], before[key], after[key]];
      const isInEach = isObject(value) && isObject(inSent) && isObject(inBefore) && isObject(inAfter);
      return [key, isInEach ? withOwn(value, inSent, inBefore, inAfter) : inSent];
    }
    return [key, difference(after[key], before[key]) === undefined ? undefined : after[key]];
  });
  return { ...sent, ...Object.fromEntries(own) };
}

/** Throws Failure if something that the suite wrote is still there, or a field is not as it was sent. */
export function leavesOut({ reply, kept, fields, mayBeRefused }: BareReplace): void {
  if (mayBeRefused && reply.status >= 400 && reply.status < 500) return;
  success(reply);
  if (kept.length > 0) fail(`${reply.request}: the body left out, and a read still shows: ${kept.join(', ')}`);
  isChange(fields.before, fields.after, () => fields.expected, `${reply.request} as it was created, then read`);
}

/** Returns what the suite wrote to those members, in words: servers and their plug-ins may add keys of their own. */
function writtenIn(resource: Resource, object: JsonObject): string[] {
  const keys = (...path: readonly string[]): string[] => {
    const map = at(object, ...path);
    return isObject(map) ? Object.keys(map).map((key) => `${path.join('.')} ${key}`) : [];
  };
  const own = [...keys('metadata', 'labels'), ...keys('metadata', 'annotations')].filter((key) =>
    key.includes(' kube-api-conformance/'),
  );
  const owners = at(object, 'metadata', 'ownerReferences');
  return [
    ...own,
    ...(Array.isArray(owners) ? owners.map((owner) => `the owner ${String(at(owner, 'uid'))}`) : []),
    ...(withData.has(resourceId(resource)) ? keys('data') : []),
  ];
}
