// The objects of one resource: prepared, validated and stored the same way for all.
import { apiVersionOf, type Resource } from '../../matrix/api/index.js';
import { alreadyExists, badRequest, invalid, namespaceTerminating, notFound, StatusError } from '../errors.js';
import { type Draft, equal, type KubeObject } from '../schema/object.js';
import { Entry, KeyExists, type Range, type Storage, type Write, type Written } from '../storage/storage.js';
import { keyOf, prefixOf, selfLinkOf, storedResource } from './addresses.js';
import { Causes } from './causes.js';
import { conversionOf } from './convert/index.js';
import { type Deleted, type DeleteOptions, removal } from './deletion.js';
import { dns1123Subdomain } from './formats.js';
import { createdMetadata, orderedMetadata, validateFinalizersKept, validateMetadata } from './metadata.js';
import type { Registry } from './registry.js';
import { strategyOf } from './strategies/index.js';
import { type Preparation, type Strategy, Unavailable } from './strategy.js';
import { isFinalized, merged, type Part, type Place, requireSame } from './update.js';
import { shownAs } from './views.js';

export interface WriteOptions {
  readonly dryRun?: boolean;
}

const generatedAttempts = 8;

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
    await this.#requireLivingNamespace(draft, namespace);
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
    change: (current: KubeObject) => Draft,
    { dryRun = false, part = 'main' }: WriteOptions & { part?: Part } = {},
  ): Promise<Entry> {
    const preparation = this.#preparation(dryRun);
    const key = keyOf(this.#stored, place.namespace, place.name);
    const next = (current: Entry | undefined) => this.#nextState(place, current, change, part);
    if (this.#strategy.reallocate && part === 'main') return this.#reallocated(place, key, next, preparation);
    const { entry, change: outcome } = await this.#guaranteedUpdate(key, next, preparation);
    if (outcome === 'remove' && !dryRun) await this.#strategy.release?.(entry.value as KubeObject, this.#storage);
    return entry;
  }

  /** A change of the server's own: free to touch what clients may not, and right without a validation. */
  async amend(
    place: Place,
    change: (current: KubeObject) => KubeObject,
    { dryRun = false }: WriteOptions = {},
  ): Promise<Entry> {
    const update = (current: Entry | undefined): Write => {
      if (current === undefined) throw notFound(this.resource, place.name);
      const changed = change(current.value as KubeObject);
      const next = { ...changed, metadata: orderedMetadata(changed.metadata) };
      if (isFinalized(next, this.#strategy)) return { remove: next };
      return equal(next, current.value) ? 'keep' : { put: next };
    };
    const { entry } = await this.#guaranteedUpdate(
      keyOf(this.#stored, place.namespace, place.name),
      update,
      this.#preparation(dryRun),
    );
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
        return removal(last, this.#strategy, this.resource, options, preparation.now);
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
    const { namespaced } = this.#stored;
    const metadata = createdMetadata(given.metadata, {
      namespace: namespaced ? namespace : undefined,
      generation: this.#strategy.generation ? 1 : undefined,
      now: preparation.now,
    });
    const draft = this.#toStored({ ...given, metadata });
    this.#strategy.defaults?.(draft);
    this.#setStatus(draft);
    this.#strategy.prepareCreate?.(draft);
    this.#validate(draft, undefined, 'main');
    const name = draft.metadata.name ?? '';
    draft.metadata.selfLink = selfLinkOf(this.#stored, namespace, name);
    const key = keyOf(this.#stored, namespace, name);
    if (dryRun && (await this.#storage.get(key))) throw alreadyExists(this.resource, name);
    const giveBack = await this.#refusing(name, this.#strategy.allocate?.(draft, preparation));
    if (dryRun) {
      delete draft.metadata.resourceVersion;
      return new Entry(key, 0, draft);
    }
    try {
      return await this.#storage.create(key, draft);
    } catch (error) {
      await giveBack?.();
      throw error instanceof KeyExists ? alreadyExists(this.resource, name) : error;
    }
  }

  #nextState(place: Place, current: Entry | undefined, change: (current: KubeObject) => Draft, part: Part): Write {
    if (current === undefined) throw notFound(this.resource, place.name);
    const before = current.value as KubeObject;
    const given = change(shownAs(this.resource, before));
    requireSame(this.resource, place, given, before);
    const draft = this.#toStored({ ...given, metadata: { ...given.metadata } });
    this.#strategy.defaults?.(draft);
    const next = merged(draft, before, part, this.#strategy, this.#hasStatus);
    this.#validate(next, before, part);
    if (isFinalized(next, this.#strategy)) return { remove: next };
    return equal(next, before) ? 'keep' : { put: next };
  }

  /** An update that may need something for itself: taken first, given back when the object moved meanwhile. */
  async #reallocated(
    place: Place,
    key: string,
    next: (current: Entry | undefined) => Write,
    preparation: Preparation,
  ): Promise<Entry> {
    for (;;) {
      const current = await this.get(place);
      const before = current.value as KubeObject;
      const write = next(current);
      if (write === 'keep') return current;
      const reallocated =
        'put' in write
          ? await this.#refusing(place.name, this.#strategy.reallocate?.(write.put as KubeObject, before, preparation))
          : undefined;
      const settled = reallocated ? { put: reallocated.object } : write;
      const moved = Symbol('moved');
      try {
        const { entry, change } = await this.#guaranteedUpdate(
          key,
          (now) => {
            if (now?.revision !== current.revision) throw moved;
            return settled;
          },
          preparation,
        );
        const successor = change === 'remove' ? undefined : (entry.value as KubeObject);
        if (!preparation.dryRun) await this.#strategy.release?.(before, this.#storage, successor);
        return entry;
      } catch (error) {
        await reallocated?.undo();
        if (error !== moved) throw error;
      }
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

  #toStored(draft: Draft): Draft {
    if (this.#stored === this.resource) return draft;
    const { namespace, name = '' } = draft.metadata;
    const converted = conversionOf(this.resource).toStored(draft);
    return {
      ...converted,
      apiVersion: apiVersionOf(this.#stored.groupVersion),
      kind: this.#stored.kind,
      metadata: { ...converted.metadata, selfLink: selfLinkOf(this.#stored, namespace, name) },
    };
  }

  #setStatus(draft: Draft): void {
    if (!this.#hasStatus || this.#strategy.initialStatus === 'given') return;
    draft.status = this.#strategy.initialStatus?.() ?? {};
  }

  #validate(object: KubeObject, before: KubeObject | undefined, updated: Part): void {
    const causes = new Causes();
    validateMetadata(object.metadata, this.#strategy.name ?? dns1123Subdomain, causes);
    if (before) validateFinalizersKept(object.metadata, before.metadata, causes);
    if (updated === 'main') {
      this.#strategy.validate?.(object, causes);
      if (before) this.#strategy.validateUpdate?.(object, before, causes);
    } else if (before) this.#strategy.validateStatus?.(object, before, causes);
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

  async #requireLivingNamespace({ metadata }: Draft, namespace: string | undefined): Promise<void> {
    if (namespace === undefined || !this.#stored.namespaced) return;
    const entry = await this.registry.of('core/namespaces').get({ namespace: undefined, name: namespace });
    if ((entry.value as KubeObject).metadata.deletionTimestamp === undefined) return;
    throw namespaceTerminating(this.resource, metadata.name ?? '', namespace);
  }

  #preparation(dryRun: boolean): Preparation {
    return { storage: this.#storage, now: this.registry.now(), dryRun };
  }

  async #guaranteedUpdate(
    key: string,
    update: (current: Entry | undefined) => Write,
    { dryRun, storage }: Preparation,
  ): Promise<Written> {
    if (!dryRun) return storage.guaranteedUpdate(key, update);
    const current = await storage.get(key);
    const write = update(current);
    if (write === 'keep') return { entry: current as Entry, change: 'keep' };
    const [change, value] = 'put' in write ? (['put', write.put] as const) : (['remove', write.remove] as const);
    return { entry: new Entry(key, current?.revision ?? 0, value), change };
  }
}

/** A removed object is answered as it was, with the marks of its deletion and the version that the client knew. */
function withVersionOf(entry: Entry, last: KubeObject): KubeObject {
  const removed = entry.value as KubeObject;
  const { resourceVersion } = last.metadata;
  return { ...removed, metadata: { ...removed.metadata, ...(resourceVersion && { resourceVersion }) } };
}
