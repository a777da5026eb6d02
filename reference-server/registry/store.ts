// The objects of one resource: prepared, validated and stored the same way for all.
import { type Resource, resourceId } from '../../matrix/api/index.js';
import { admitted, fillIn, judgesUpdates } from '../admission/index.js';
import { openNamespace } from '../admission/namespaceLifecycle.js';
import type { Admission } from '../admission/plugin.js';
import { alreadyExists, badRequest, invalid, notFound, StatusError } from '../errors.js';
import { type Draft, equal, type KubeObject } from '../schema/object.js';
import {
  Entry,
  type Fence,
  KeyExists,
  type Range,
  type Storage,
  type Write,
  type Written,
} from '../storage/storage.js';
import { doAll, doInTurns, Turns } from '../turns.js';
import { keyOf, prefixOf, selfLinkOf, storedResource } from './addresses.js';
import { Causes } from './causes.js';
import { type Deleted, type DeleteOptions, removal } from './deletion.js';
import { tryUpdate } from './dryRun.js';
import { createdMetadata, orderedMetadata } from './metadata.js';
import type { Registry } from './registry.js';
import { strategyOf } from './strategies/index.js';
import { type Preparation, type Strategy, Unavailable } from './strategy.js';
import { isFinalized, merged, type Part, type Place, requireSame } from './update.js';
import { causesOf } from './validation.js';
import { shownAs, storedFrom } from './views.js';

export interface WriteOptions {
  readonly dryRun?: boolean;
}

/** What an update makes of the object that is there. */
export interface Change {
  now(current: KubeObject): Draft;
  /** The same for what is large: others are served meanwhile. */
  inTurns(current: KubeObject): Promise<Draft>;
  /** Whether it costs much with any object. */
  readonly isLong?: boolean;
}

/** A change that costs no more than a look at the object. */
export const atOnce = (now: Change['now']): Change => ({ now, inTurns: async (current) => now(current) });

/** An update of an object of more bytes, or by a long body, is made in turns. */
const largeObject = 32 * 1024;
/** So often an update is made in turns; an object that has moved each time is then kept still for it. */
const mostAttempts = 10;

const generatedAttempts = 8;
/** An object is no longer what an update began with. */
const moved = Symbol('moved');

/** The objects of one resource, in its own version. */
export class Store {
  readonly #stored: Resource;
  readonly #strategy: Strategy;
  readonly #hasStatus: boolean;
  readonly #storage: Storage;

  constructor(
    readonly registry: Registry,
    readonly resource: Resource,
  ) {
    this.#stored = storedResource(resource);
    this.#strategy = strategyOf(this.#stored);
    this.#hasStatus = [...this.#stored.stated, ...this.#stored.unstated].includes('replaceStatus');
    this.#storage = registry.storage;
  }

  async get({ namespace, name }: Place): Promise<Entry> {
    const entry = await this.#storage.get(keyOf(this.#stored, namespace, name));
    if (entry === undefined) throw notFound(this.resource, name);
    return entry;
  }

  /** Everything, or everything in a namespace, in key order. */
  list(
    namespace: string | undefined,
    options: { after?: string; limit?: number; revision?: number } = {},
  ): Promise<Range> {
    return this.#storage.list(this.prefix(namespace), options);
  }

  /** The prefix of the keys of all objects, or of those in a namespace. */
  prefix(namespace?: string): string {
    return prefixOf(this.#stored, namespace);
  }

  async create(namespace: string | undefined, draft: Draft, { dryRun = false }: WriteOptions = {}): Promise<Entry> {
    this.#requireNamespace(draft, namespace);
    if (draft.metadata.resourceVersion) throw badRequest('resourceVersion should not be set on objects to be created');
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#createOnce(namespace, draft, dryRun);
      } catch (error) {
        const again = error instanceof StatusError && error.reason === 'AlreadyExists' && !draft.metadata.name;
        if (!again || attempt === generatedAttempts) throw error;
      }
    }
  }

  /**
   * Changes an object. `change` gets the current one in this resource's version and answers the new one; it is
   * asked again when the object moved meanwhile, unless it had said which resourceVersion it means.
   */
  async update(
    place: Place,
    change: Change,
    { dryRun = false, part = 'main' }: WriteOptions & { part?: Part } = {},
  ): Promise<Entry> {
    const preparation = this.#preparation(dryRun);
    const key = keyOf(this.#stored, place.namespace, place.name);
    const now = (current: Entry | undefined) => {
      const before = this.#required(place, current);
      return doAll(this.#nextState(place, before, change.now(shownAs(this.resource, before)), part));
    };
    const inTurns = async (current: Entry) => {
      if (change.isLong !== true && current.size <= largeObject) return now(current);
      const before = current.value as KubeObject;
      const turns = new Turns();
      const given = await change.inTurns(shownAs(this.resource, before));
      return doInTurns(this.#nextState(place, before, given, part), turns);
    };
    const asksOthers = this.#strategy.reallocate !== undefined || judgesUpdates(resourceId(this.#stored));
    if (asksOthers && part === 'main') return this.#consultedUpdate(place, key, inTurns, preparation);
    const isLong = change.isLong === true || (await this.get(place)).size > largeObject;
    const { entry, change: outcome } = isLong
      ? await this.#updateInTurns(place, key, { now, inTurns }, preparation)
      : await this.#guaranteedUpdate(key, now, preparation);
    if (outcome === 'remove' && !dryRun) await this.#strategy.release?.(entry.value as KubeObject, this.#storage);
    return entry;
  }

  /**
   * A change of the server's own: free to touch what clients may not, and right without a validation. `emptied` says
   * that what is in the object has been removed.
   */
  async amend(
    place: Place,
    change: (current: KubeObject) => KubeObject,
    { dryRun = false, emptied = this.#isLeftFull }: WriteOptions & { emptied?: boolean } = {},
  ): Promise<Entry> {
    const update = (current: Entry | undefined): Write => {
      if (current === undefined) throw notFound(this.resource, place.name);
      const changed = change(current.value as KubeObject);
      const next = { ...changed, metadata: orderedMetadata(changed.metadata) };
      if (isFinalized(next, this.#strategy, emptied)) return { remove: next };
      return equal(next, current.value) ? 'keep' : { put: next };
    };
    const { entry, change: outcome } = await this.#guaranteedUpdate(
      keyOf(this.#stored, place.namespace, place.name),
      update,
      this.#preparation(dryRun),
    );
    if (outcome === 'remove' && !dryRun) await this.#strategy.release?.(entry.value as KubeObject, this.#storage);
    return entry;
  }

  /** A replace of what is absent, for the kinds where that creates it. */
  get createsOnReplace(): boolean {
    return this.#strategy.createOnReplace === true;
  }

  async delete({ namespace, name }: Place, options: DeleteOptions): Promise<Deleted> {
    const preparation = this.#preparation(options.dryRun);
    let last: KubeObject | undefined;
    const { entry, change } = await this.#guaranteedUpdate(
      keyOf(this.#stored, namespace, name),
      (current) => {
        if (current === undefined) throw notFound(this.resource, name);
        last = current.value as KubeObject;
        return removal(last, this.#strategy, this.resource, options, {
          now: preparation.now,
          emptied: this.#isLeftFull,
        });
      },
      preparation,
    );
    if (change === 'remove' && !options.dryRun)
      await this.#strategy.release?.(entry.value as KubeObject, this.#storage);
    return {
      entry: change === 'remove' && last ? new Entry(entry.key, entry.revision, withVersionOf(entry, last)) : entry,
      answersObject: change !== 'remove' || this.#strategy.deleteAnswersObject === true,
    };
  }

  async #createOnce(namespace: string | undefined, given: Draft, dryRun: boolean): Promise<Entry> {
    const preparation = this.#preparation(dryRun);
    const turns = new Turns();
    const { namespaced } = this.#stored;
    const metadata = createdMetadata(given.metadata, {
      namespace: namespaced ? namespace : undefined,
      generation: this.#strategy.generation ? 1 : undefined,
      now: preparation.now,
    });
    const draft = storedFrom(this.resource, { ...given, metadata });
    this.#strategy.defaults?.(draft);
    const admission = this.#admission(namespace, dryRun);
    await fillIn({ ...admission, draft });
    if (turns.isOver) await turns.next();
    this.#setStatus(draft);
    this.#strategy.prepareCreate?.(draft);
    this.#validate(draft, undefined, 'main');
    if (turns.isOver) await turns.next();
    const name = draft.metadata.name ?? '';
    draft.metadata.selfLink = selfLinkOf(this.#stored, namespace, name);
    const key = keyOf(this.#stored, namespace, name);
    const fence = openNamespace({ ...admission, draft });
    if (dryRun) {
      fence?.check(await this.#storage.get(fence.key));
      if (await this.#storage.get(key)) throw alreadyExists(this.resource, name);
    }
    const entry = await admitted({ ...admission, object: draft }, () => this.#insert(key, draft, preparation, fence));
    if (!dryRun) await this.#strategy.created?.(entry.value as KubeObject, this.registry);
    return entry;
  }

  async #insert(key: string, draft: Draft, preparation: Preparation, fence: Fence | undefined): Promise<Entry> {
    const { name = '' } = draft.metadata;
    const giveBack = await this.#refusing(name, this.#strategy.allocate?.(draft, preparation));
    if (preparation.dryRun) {
      delete draft.metadata.resourceVersion;
      return new Entry(key, 0, draft);
    }
    try {
      return await this.#storage.create(key, draft, fence);
    } catch (error) {
      await giveBack?.();
      throw error instanceof KeyExists ? alreadyExists(this.resource, name) : error;
    }
  }

  #required({ name }: Place, current: Entry | undefined): KubeObject {
    if (current === undefined) throw notFound(this.resource, name);
    return current.value as KubeObject;
  }

  /** What an update writes, step by step. */
  *#nextState(place: Place, before: KubeObject, given: Draft, part: Part): Generator<void, Write> {
    yield;
    requireSame(this.resource, place, given, before);
    const draft = storedFrom(this.resource, { ...given, metadata: { ...given.metadata } });
    this.#strategy.defaults?.(draft);
    const next = merged(draft, before, part, this.#strategy, this.#hasStatus);
    yield;
    this.#validate(next, before, part);
    if (isFinalized(next, this.#strategy, this.#isLeftFull)) return { remove: next };
    yield;
    return equal(next, before) ? 'keep' : { put: next };
  }

  /** An update that takes its time: made again when the object moved meanwhile. */
  async #updateInTurns(
    place: Place,
    key: string,
    { now, inTurns }: { now: (current: Entry | undefined) => Write; inTurns: (current: Entry) => Promise<Write> },
    preparation: Preparation,
  ): Promise<Written> {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const current = await this.get(place);
      const write = await inTurns(current);
      if (write === 'keep') return { entry: current, change: 'keep' };
      try {
        return await this.#guaranteedUpdate(key, ifUnmoved(current, write), preparation);
      } catch (error) {
        if (error !== moved) throw error;
      }
    }
    return this.#guaranteedUpdate(key, now, preparation);
  }

  /** An update that others admit, or that takes something for itself: begun anew when the object moved meanwhile. */
  async #consultedUpdate(
    place: Place,
    key: string,
    next: (current: Entry) => Promise<Write>,
    preparation: Preparation,
  ): Promise<Entry> {
    const admission = this.#admission(place.namespace, preparation.dryRun);
    for (;;) {
      const current = await this.get(place);
      const before = current.value as KubeObject;
      const write = await next(current);
      if (write === 'keep') return current;
      const object = ('put' in write ? write.put : write.remove) as KubeObject;
      try {
        return await admitted({ ...admission, object, before }, () => this.#settle(key, current, write, preparation));
      } catch (error) {
        if (error !== moved) throw error;
      }
    }
  }

  /** Writes over one revision of an object, with what the strategy takes for it. Throws `moved` if it is past. */
  async #settle(key: string, current: Entry, write: Exclude<Write, 'keep'>, preparation: Preparation): Promise<Entry> {
    const before = current.value as KubeObject;
    const { name = '' } = before.metadata;
    const reallocated =
      'put' in write
        ? await this.#refusing(name, this.#strategy.reallocate?.(write.put as KubeObject, before, preparation))
        : undefined;
    const settled = reallocated ? { put: reallocated.object } : write;
    try {
      const { entry, change } = await this.#guaranteedUpdate(key, ifUnmoved(current, settled), preparation);
      const successor = change === 'remove' ? undefined : (entry.value as KubeObject);
      if (!preparation.dryRun) await this.#strategy.release?.(before, this.#storage, successor);
      return entry;
    } catch (error) {
      await reallocated?.undo();
      throw error;
    }
  }

  /** What cannot be had is the client's to change. */
  async #refusing<T>(name: string, allocation: Promise<T> | undefined): Promise<T | undefined> {
    try {
      return await allocation;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      const causes = new Causes();
      causes.invalid(error.field, error.value, error.message);
      throw this.#invalid(name, causes);
    }
  }

  /** Whether no controller empties what is deleted: nothing waits for that. */
  get #isLeftFull(): boolean {
    return this.registry.lacks('namespace-controller');
  }

  #setStatus(draft: Draft): void {
    if (!this.#hasStatus || this.#strategy.initialStatus === 'given') return;
    draft.status = this.#strategy.initialStatus?.() ?? {};
  }

  #validate(object: KubeObject, before: KubeObject | undefined, updated: Part): void {
    const causes = causesOf(object, before, updated, this.#strategy);
    if (causes.list.length > 0) throw this.#invalid(object.metadata.name ?? '', causes);
  }

  #invalid(name: string, causes: Causes): StatusError {
    const { kind, groupVersion } = this.resource;
    return invalid({ group: groupVersion.group, kind }, name, causes.list);
  }

  /** A write of another namespace than the URL's is a mistake. */
  #requireNamespace({ metadata }: Draft, namespace: string | undefined): void {
    if (!this.#stored.namespaced || !metadata.namespace || metadata.namespace === namespace) return;
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }

  #admission(namespace: string | undefined, dryRun: boolean): Admission {
    const { registry, resource } = this;
    return { registry, resource, stored: resourceId(this.#stored), namespace, dryRun };
  }

  #preparation(dryRun: boolean): Preparation {
    return { storage: this.#storage, now: this.registry.now(), dryRun };
  }

  async #guaranteedUpdate(
    key: string,
    update: (current: Entry | undefined) => Write,
    { dryRun, storage }: Preparation,
  ): Promise<Written> {
    return dryRun ? tryUpdate(storage, key, update) : storage.guaranteedUpdate(key, update);
  }
}

/** Writes over one revision of an object. Throws `moved` when it is past. */
function ifUnmoved(current: Entry, write: Write): (now: Entry | undefined) => Write {
  return (now) => {
    if (now?.revision !== current.revision) throw moved;
    return write;
  };
}

/** A removed object is answered as it was, with the marks of its deletion and the version that the client knew. */
function withVersionOf(entry: Entry, last: KubeObject): KubeObject {
  const removed = entry.value as KubeObject;
  const { resourceVersion } = last.metadata;
  return { ...removed, metadata: { ...removed.metadata, ...(resourceVersion && { resourceVersion }) } };
}
