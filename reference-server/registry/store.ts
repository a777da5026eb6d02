// The objects of one resource: reads from the storage, and the one write path.

import { type Resource, resourceId } from '../../matrix/api/index.js';
import { badRequest, notFound } from '../errors.js';
import { type DecodedObject, type KubeObject, type ObjectKey, withVersionOf } from '../schema/object.js';
import { defaultMaxObjectSize } from '../schema/objectSize.js';
import { StatusError, unlessGone } from '../statusError.js';
import { Entry, type Range, type Storage, type Written } from '../storage/storage.js';
import { oneStep } from '../turns.js';
import { keyOf, prefixOf, storageResource } from '../versions/addresses.js';
import { kindConversionOf } from '../versions/kindConversions.js';
import type { Admission, Origin, ShownPart } from './admission.js';
import { type Deleted, type DeleteOptions, markedForDeletion } from './deletion.js';
import type { Manager, OwnedTypes } from './fields.js';
import { type Loadable, loadable } from './load.js';
import { strategyOf } from './strategies/index.js';
import type { Part, Strategy } from './strategy.js';
import { isFinalized, isRevision } from './update.js';
import { createObject, updateObject } from './write.js';
import type { ObjectChange, WriteContext, WriteRequest } from './writing.js';

export interface WriteOptions {
  readonly dryRun?: boolean;
  /** Who becomes the owner of the changed fields: by default the owner that the registry names, if any. */
  readonly manager?: Manager;
  /** Who asks for the write: by default whom the registry names, if any. */
  readonly origin?: Origin;
  readonly shown?: ShownPart;
}

/** Makes a change that is cheap for an object of any size. */
export const cheapChange = (make: (current: KubeObject) => DecodedObject): ObjectChange => ({
  apply: (current) => oneStep(() => make(current)),
});

export interface StoreParts {
  readonly storage: Storage;
  readonly admission: Admission;
  readonly now: () => Date;
  /** Whether objects have a `metadata.selfLink`. */
  readonly selfLinks: boolean;
  /** Whether no controller removes the contents of deleted objects, so that removals do not wait for it. */
  readonly leavesContents: boolean;
  /** Returns the row of a resource, given `group/plural`. Throws if there is none. */
  readonly rowOf: (id: string) => Resource;
  /** Returns a strategy with what parts beside the core add to it. */
  readonly grown?: (stored: Resource, strategy: Strategy) => Strategy;
  /** Absent if the server does not keep track of the owners of fields. */
  readonly types?: OwnedTypes;
  /** The largest object that clients may write, in bytes of JSON; 1.5 MiB by default. */
  readonly maxObjectSize?: number;
  /** The name under which the server itself writes through these stores; absent for the requests of clients. */
  readonly manager?: string;
  /** Who asks for the writes through these stores, unless a client does; absent if the server writes for itself. */
  readonly origin?: Origin;
}

const generatedAttempts = 8;

/** The objects of one resource. All versions of a resource share one stored version. */
export class Store<Kind extends KubeObject = KubeObject> {
  /** What all writes of these objects share. */
  readonly context: WriteContext;

  constructor(
    readonly resource: Resource,
    readonly parts: StoreParts,
    strategy?: Strategy,
  ) {
    const stored = storageResource(resource);
    // Versions that were made at run time have subresources of their own.
    const { stated, unstated } = resource.storedAs === undefined ? stored : resource;
    const hasStatus = [...stated, ...unstated].includes('replaceStatus');
    const { admission, types, maxObjectSize = defaultMaxObjectSize } = parts;
    const storage = kindConversionOf(resource)?.over(parts.storage) ?? parts.storage;
    const own = strategy ?? strategyOf(stored);
    const grown = parts.grown?.(stored, own) ?? own;
    const { selfLinks } = parts;
    const kept = { storage, admission, selfLinks, maxObjectSize, ...(types && { types }) };
    this.context = { resource, stored, strategy: grown, hasStatus, ...kept };
  }

  /** Returns the object in its stored version. Throws 404 if it is absent. */
  async get(key: ObjectKey): Promise<Entry<Kind>> {
    const entry = await this.find(key);
    if (entry === undefined) throw notFound(this.resource, key.name);
    return entry;
  }

  /** Returns the object in its stored version, or undefined. */
  async find({ namespace, name }: ObjectKey): Promise<Entry<Kind> | undefined> {
    return (await this.context.storage.get(keyOf(this.context.stored, namespace, name))) as Entry<Kind> | undefined;
  }

  /** Returns all objects, or the objects of a namespace, in key order. */
  async list(namespace?: string): Promise<Range<Kind>> {
    return (await this.context.storage.list(this.prefix(namespace))) as Range<Kind>;
  }

  /** The key prefix of all objects, or of the objects in a namespace. */
  prefix(namespace?: string): string {
    return prefixOf(this.context.stored, namespace);
  }

  /**
   * Creates an object. If a generated name is taken, another one is generated, up to eight times in all. Throws 400 for
   * another namespace or a resourceVersion, 409 if the name is taken, and the errors of the stages.
   */
  async create(
    namespace: string | undefined,
    object: DecodedObject,
    options: WriteOptions & { readonly applies?: boolean } = {},
  ): Promise<Entry<Kind>> {
    const { metadata } = object;
    if (this.context.stored.namespaced && metadata.namespace && metadata.namespace !== namespace)
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
    const key = { namespace, name: metadata.name ?? '' };
    for (let attempt = 1; ; attempt++) {
      try {
        const request = this.#request('create', key, options);
        const { entry } = await createObject(
          this.context,
          { ...request, isVersioned: isRevision(metadata.resourceVersion) },
          object,
          this.parts.now(),
        );
        return entry as Entry<Kind>;
      } catch (error) {
        const again = error instanceof StatusError && error.reason === 'AlreadyExists' && !metadata.name;
        if (!again || attempt === generatedAttempts) throw error;
      }
    }
  }

  /**
   * Updates an object for a client. Each attempt calls `change` with the current object in this resource's version.
   * Throws 404 if the object is absent, 409 for a conflict, and the errors of the stages.
   */
  async update(
    key: ObjectKey,
    change: ObjectChange,
    options: WriteOptions & { readonly part?: Part; readonly applies?: boolean } = {},
  ): Promise<Entry<Kind>> {
    return (await this.#update('update', key, change, options)).entry;
  }

  /** Whether the owners of the fields of these objects are known, so that configurations can be applied. */
  get isApplicable(): boolean {
    return this.context.types?.areOwned(this.resource) === true;
  }

  /**
   * Updates an object for the server itself, in the stored version. The update may change any field and is not
   * validated. `emptied` says that the contents of the object are removed. Throws 404 if the object is absent.
   */
  async updateInternally(
    key: ObjectKey,
    change: (current: Kind) => KubeObject,
    options: WriteOptions & { readonly emptied?: boolean; readonly part?: Part } = {},
  ): Promise<Entry<Kind>> {
    const update = cheapChange((current) => change(current as Kind));
    return (await this.#update('internal', key, update, options)).entry;
  }

  /** Makes an object ready to be stored with its status and its metadata. No plug-in and no quota looks at it. */
  load(namespace: string | undefined, object: DecodedObject): Promise<Loadable> {
    return loadable(this.context, namespace, object, this.parts.now());
  }

  /** Whether a replace creates an absent object. */
  get createsOnReplace(): boolean {
    return this.context.strategy.createOnReplace === true;
  }

  /**
   * Removes an object, or marks it as deleted if something holds it back. Throws 404 if the object is absent, and 409
   * if a precondition fails.
   */
  async delete(
    key: ObjectKey,
    options: DeleteOptions,
    { origin = this.parts.origin, isOfCollection = false }: DeleteRequest = {},
  ): Promise<Deleted> {
    const { strategy, admission, stored } = this.context;
    const emptied = this.parts.leavesContents;
    let last: KubeObject | undefined;
    const deletion = (current: KubeObject): KubeObject => {
      last = current;
      return markedForDeletion(current, strategy, this.resource, options, { now: this.parts.now(), emptied });
    };
    if (origin !== undefined && admission.shows(resourceId(stored))) {
      const { value } = await this.get(key);
      deletion(value);
      await admission.review({
        ...{ resource: this.resource, stored: resourceId(stored), operation: 'DELETE', part: 'main', origin, options },
        ...{ namespace: key.namespace, name: isOfCollection ? '' : key.name, dryRun: options.dryRun, before: value },
        complete: async (_view, object) => object as KubeObject,
      });
    }
    const { entry, change } = await this.#update('delete', key, cheapChange(deletion), {
      dryRun: options.dryRun,
      keepsOwners: true,
    });
    if (change === 'put' && isFinalized(entry.value, strategy, emptied)) {
      if (!options.dryRun) await this.#removeMarked(key, entry.value);
      return { entry, answersObject: strategy.deleteAnswersObject === true };
    }
    const isRemoved = change === 'remove';
    return {
      entry: isRemoved && last ? new Entry(entry.key, entry.revision, withVersionOf(entry.value, last)) : entry,
      answersObject: !isRemoved || strategy.deleteAnswersObject === true,
    };
  }

  /** Removes an object that is stored with the marks of its delete, unless it is gone. */
  async #removeMarked(key: ObjectKey, { metadata: { uid } }: KubeObject): Promise<void> {
    const removal = cheapChange((current) => {
      if (current.metadata.uid !== uid) throw notFound(this.resource, key.name);
      return current;
    });
    await this.#update('delete', key, removal, { keepsOwners: true }).catch(unlessGone);
  }

  #ownManager(part: Part): Manager | undefined {
    const { manager: name } = this.parts;
    return name === undefined ? undefined : { name, ...(part !== 'main' && { subresource: part }) };
  }

  async #update(
    kind: 'update' | 'internal' | 'delete',
    key: ObjectKey,
    change: ObjectChange,
    options: RequestOptions,
  ): Promise<Written<Kind>> {
    const request = this.#request(kind, key, options);
    return (await updateObject(this.context, request, change, this.parts.now)) as Written<Kind>;
  }

  #request(kind: WriteRequest['kind'], key: ObjectKey, options: RequestOptions): WriteRequest {
    const { dryRun = false, part = 'main', emptied = this.parts.leavesContents, applies = false } = options;
    const { manager = this.#ownManager(part) } = options;
    const owners = options.keepsOwners === true || manager === undefined ? {} : { manager, applies };
    const { origin = this.parts.origin, shown } = options;
    return { kind, key, part, dryRun, emptied, ...owners, ...(origin && { origin }), ...(shown && { shown }) };
  }
}

interface DeleteRequest {
  readonly origin?: Origin | undefined;
  /** Whether the request names no object. */
  readonly isOfCollection?: boolean;
}

type RequestOptions = Partial<WriteRequest> & { readonly keepsOwners?: boolean };
