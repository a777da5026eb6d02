// The story of a watch: writes of every way to an object and its neighbours, each of which is one event.
import { defined, type Resource } from '../../matrix/api/index.js';
import type { Call } from '../client/calls.js';
import { Prerequisite } from '../client/expect.js';
import { at, isEnding, isObject, type JsonObject, merge } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { extended, placesOf } from '../objects/neighbourhood.js';
import { configMaps, pods } from '../objects/related.js';
import { sampleOf } from '../objects/samples/index.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import type { Target } from '../requirements/index.js';
import { releaseDeleted, remove, succeed } from './removal.js';

/** A write that the server acknowledged, and the event that must report it. */
export interface ToldWrite {
  readonly what: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly name: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly uid: unknown;
  /** The version that the response shows; absent if it shows none, or that of another state. */
  readonly version?: string;
  /** The object that the response is. */
  readonly object?: JsonObject;
  /** Recognises the state after a write whose response does not show the object. */
  readonly isEffect?: (object: JsonObject) => boolean;
}

/** The names of a story, which are known before it begins. */
export interface Cast {
  readonly resource: Resource;
  /** The name of the object, which others have too, or begin with. */
  readonly name: string;
  readonly here?: string;
  readonly longer?: string;
}

export async function castOf(sandbox: Sandbox, resource: Resource): Promise<Cast> {
  const { here, longer } = resource.namespaced ? await placesOf(sandbox) : {};
  return { resource, name: sandbox.name(resource), ...defined({ here, longer }) };
}

const held = 'kube-api-conformance/held';
const json = 'application/json';
const mergePatch = 'application/merge-patch+json';
/** Returns what sends a request as another user: one whose credential the run has, or one that the run's user names. */
function asAnotherUser({ credentials, own = [] }: Target): Partial<Call> {
  const { staticPassword: as } = credentials;
  if (as !== undefined && own.length > 0 && !own.includes('staticPassword')) return { as };
  return { headers: { 'impersonate-user': 'kube-api-conformance:another', 'impersonate-group': 'system:masters' } };
}
const otherClient = { headers: { 'user-agent': 'another-client/1.0' } };
const noted = (value: string): JsonObject => ({ metadata: { annotations: { 'kube-api-conformance/told': value } } });

/**
 * Writes the story: creates, also with a generated name; changes by another client and another user, of the status, of
 * the scale, of finalizers, and by a binding; and removals, also with the last finalizer. The object of the name goes
 * last, with its successor. A write that the server refuses is left out: other chapters check it. Throws Prerequisite if
 * the object cannot be created.
 */
export async function tell(sandbox: Sandbox, cast: Cast): Promise<readonly ToldWrite[]> {
  const { resource, name, here, longer } = cast;
  const story = new Story(sandbox, resource);
  const own = await sandbox.make(resource, {
    name,
    ...defined({ namespace: here }),
    statusToCome: true,
    change: { metadata: { finalizers: [held] } },
  });
  story.note('a create', 'ADDED', own.object);
  const namesake = longer === undefined ? undefined : await sandbox.make(resource, { name, namespace: longer });
  if (namesake) story.note('a create of a namesake', 'ADDED', namesake.object);
  const near = (await story.createGenerated(cast)) ?? (await story.createNamed(cast));
  if (namesake) await story.patch('a change of the namesake', namesake, noted('namesake'));
  await story.patch('a change by another client', own, noted('another'), otherClient);
  await story.patch('a change by another user', own, noted('user'), asAnotherUser(sandbox.client.target));
  await story.changeStatus(own);
  await story.changeScale(own);
  await story.finalize(own);
  await story.bind(own);
  // More than a buffer or a column of text may hold.
  if (near && resource === configMaps)
    await story.patch('a large change', near, { data: { large: 'x'.repeat(65 * 1024) } });
  if (near && !(await story.evict(near))) await story.remove('a delete', near);
  if (namesake) await story.remove('a delete of the namesake', namesake);
  await story.removeHeld(own);
  await story.succeed(own);
  return story.writes;
}

class Story {
  readonly writes: ToldWrite[] = [];

  constructor(
    readonly sandbox: Sandbox,
    readonly resource: Resource,
  ) {}

  note(what: string, type: ToldWrite['type'], object: JsonObject): void {
    const { name, namespace, uid, resourceVersion } = Object(object.metadata) as JsonObject;
    const version = String(resourceVersion ?? '');
    const isTold = this.writes.some((write) => write.uid === uid && write.version === version);
    // A write that changes nothing is no event.
    if (isTold || version === '') return;
    this.writes.push({ ...whose(String(name), namespace), what, type, uid, version, object });
  }

  async createGenerated({ resource, name, here }: Cast): Promise<CreatedObject | undefined> {
    const { name: _, ...metadata } = Object(this.sandbox.body(resource, name, here).metadata) as JsonObject;
    const sent = { ...this.sandbox.body(resource, name, here), metadata: { ...metadata, generateName: `${name}-` } };
    const reply = await this.#send('POST', pathTo(resource, 'create', here), sent);
    return this.#created('a create with a generated name', reply, sent);
  }

  async createNamed({ resource, name, here }: Cast): Promise<CreatedObject | undefined> {
    const sent = this.sandbox.body(resource, extended(name), here);
    const reply = await this.#send('POST', pathTo(resource, 'create', here), sent);
    return this.#created('a create of a longer name', reply, sent);
  }

  async patch(what: string, made: CreatedObject, patch: JsonObject, more: Partial<Call> = {}): Promise<void> {
    const path = pathTo(this.resource, 'patch', made.namespace, made.name);
    this.#changed(what, await this.#send('PATCH', path, patch, mergePatch, more));
  }

  async changeStatus(made: CreatedObject): Promise<void> {
    const { status } = sampleOf(this.resource);
    if (status === undefined) return;
    const what = 'a change of the status';
    if (this.resource.stated.includes('patchStatus')) {
      const path = pathTo(this.resource, 'patchStatus', made.namespace, made.name);
      this.#changed(what, await this.#send('PATCH', path, { status }, mergePatch));
    } else if (this.resource.stated.includes('replaceStatus')) {
      const path = pathTo(this.resource, 'replaceStatus', made.namespace, made.name);
      const current = (await this.sandbox.current(made)) ?? made.object;
      this.#changed(what, await this.#send('PUT', path, merge(current, { status })));
    }
  }

  /** Scales with a patch, whose response is the Scale. */
  async changeScale(made: CreatedObject): Promise<void> {
    if (!this.resource.stated.includes('patchScale')) return;
    const path = pathTo(this.resource, 'patchScale', made.namespace, made.name);
    const patch = { spec: { replicas: 2 } };
    const reply = await this.#send('PATCH', path, patch, mergePatch);
    const isEffect = (object: JsonObject): boolean => at(object, 'spec', 'replicas') === 2;
    if (reply.status > 299) return;
    // The version of a Scale is that of its object.
    const version = at(reply.tryValue(), 'metadata', 'resourceVersion');
    const write = told('a change of the scale', 'MODIFIED', made);
    this.writes.push({ ...write, ...(typeof version === 'string' && version !== '' ? { version } : { isEffect }) });
  }

  async finalize(made: CreatedObject): Promise<void> {
    if (!this.resource.stated.includes('finalize')) return;
    const path = pathTo(this.resource, 'finalize', made.namespace, made.name);
    for (const finalizers of [['kubernetes', held], ['kubernetes']]) {
      const current = (await this.sandbox.current(made)) ?? made.object;
      this.#changed('a finalize', await this.#send('PUT', path, { ...current, spec: { finalizers } }));
    }
  }

  async bind(made: CreatedObject): Promise<void> {
    if (this.resource !== pods) return;
    const node = this.sandbox.name();
    const target = { apiVersion: 'v1', kind: 'Node', name: node };
    const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name: made.name }, target };
    const reply = await this.#send('POST', `${pathTo(pods, 'read', made.namespace, made.name)}/binding`, body);
    const isEffect = (object: JsonObject): boolean => at(object, 'spec', 'nodeName') === node;
    if (reply.status < 300) this.writes.push({ ...told('a binding', 'MODIFIED', made), isEffect });
  }

  /** Evicts a pod. Reports whether the server did. */
  async evict(made: CreatedObject): Promise<boolean> {
    if (this.resource !== pods) return false;
    const { name, namespace } = made;
    const deleteOptions = { gracePeriodSeconds: 0 };
    const body = { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name, namespace }, deleteOptions };
    const reply = await this.#send('POST', `${pathTo(pods, 'read', namespace, name)}/eviction`, body as JsonObject);
    if (reply.status > 299) return false;
    this.writes.push(told('an eviction', 'DELETED', made));
    return true;
  }

  async remove(what: string, made: CreatedObject): Promise<void> {
    await remove(this.sandbox, made);
    this.writes.push(told(what, 'DELETED', made));
  }

  /** Deletes the object, which its finalizer holds, and removes the finalizer. */
  async removeHeld(made: CreatedObject): Promise<void> {
    const path = pathTo(this.resource, 'delete', made.namespace, made.name);
    const query = 'propagationPolicy=Background&gracePeriodSeconds=0';
    const reply = await this.#send('DELETE', `${path}?${query}`);
    this.#changed('a delete of an object with a finalizer', reply);
    // Some servers answer with a Status though a finalizer holds the object.
    const answer = reply.tryValue();
    const isShown = isEnding(answer);
    await releaseDeleted(this.sandbox, made, isShown ? answer : ((await this.sandbox.current(made)) ?? {}));
    this.writes.push(told('the removal of the last finalizer', 'DELETED', made));
  }

  /** Creates an object under the name of one that was removed, and removes it too: other cases may read the story later. */
  async succeed(made: CreatedObject): Promise<void> {
    const object = await succeed(this.sandbox, made);
    if (object === undefined) return;
    this.note('a create under the name of what was removed', 'ADDED', object);
    const successor = { ...made, object };
    try {
      await remove(this.sandbox, successor);
    } catch (error) {
      // A controller that hears late of the first delete may have removed the successor.
      if (!(error instanceof Prerequisite) || (await this.sandbox.current(successor)) !== undefined) throw error;
    }
    this.writes.push(told('a delete of the successor', 'DELETED', successor));
  }

  #send(method: string, path: string, body?: JsonObject, type = json, more: Partial<Call> = {}): Promise<Reply> {
    const content = body && { headers: { 'content-type': type, ...more.headers }, body: JSON.stringify(body) };
    return this.sandbox.client.send({ method, path, ...more, ...content });
  }

  #created(what: string, reply: Reply, sent: JsonObject): CreatedObject | undefined {
    const object = reply.tryValue();
    if (reply.status > 299 || !isObject(object)) return undefined;
    this.note(what, 'ADDED', object);
    const { name, namespace } = Object(object.metadata) as JsonObject;
    return { resource: this.resource, ...whose(String(name), namespace), sent, object };
  }

  #changed(what: string, reply: Reply): void {
    const object = reply.tryValue();
    if (reply.status < 300 && isObject(object) && object.kind === this.resource.kind)
      this.note(what, 'MODIFIED', object);
  }
}

const whose = (name: string, namespace: unknown) => ({
  name,
  ...(typeof namespace === 'string' && namespace !== '' && { namespace }),
});

const told = (what: string, type: ToldWrite['type'], { name, namespace, object }: CreatedObject): ToldWrite => ({
  ...whose(name, namespace),
  what,
  type,
  uid: at(object, 'metadata', 'uid'),
});
