// Stored objects as clients see them: in a group version, encoded once for each codec, alone or in a list.

import { apiVersionOf, type Resource } from '../../matrix/api/index.js';
import type { ApiObject, Codec, Encodable, ListField, Parts } from '../codecs/codec.js';
import { encodeLongItem, json } from '../codecs/json.js';
import { type DecodedObject, internalOf, type KubeObject, type ObjectMeta, withInternal } from '../schema/object.js';
import { runTimeKindOf } from '../schema/runTimeKind.js';
import type { Entry } from '../storage/storage.js';
import { doInTurns } from '../turns.js';
import { selfLinkOf, storageResource } from './addresses.js';
import { conversionOf } from './conversions.js';
import { kindConversionOf } from './kindConversions.js';
import { withNull } from './shownFields.js';

/** Larger objects, in bytes of memory, are encoded in turns: by a slow codec, and by others. */
const longForSlow = 32 * 1024;
const longForFast = 256 * 1024;

/** The item of an object in one codec, and those in others. Each object has one: an array would take three times as much. */
interface EncodedItem {
  readonly codec: Codec;
  readonly bytes: Uint8Array;
  readonly next: EncodedItem | undefined;
}

/** An entry in one group version. It caches its encoded items as long as the entry lives. */
export class View implements Encodable {
  #object: KubeObject | undefined;
  #items: EncodedItem | undefined;

  constructor(
    readonly resource: Resource,
    readonly entry: Entry,
  ) {}

  /** The object with its apiVersion and kind. */
  get object(): KubeObject {
    this.#object ??= shownAs(this.resource, this.entry.value);
    return this.#object;
  }

  /** The object as an item of a typed list, without apiVersion and kind. */
  get item(): ApiObject {
    const { apiVersion: _apiVersion, kind: _kind, ...item } = this.object;
    return item;
  }

  encode(codec: Codec, pretty: boolean): Uint8Array {
    const { encodeItem, wholeOf } = codec;
    if (pretty || !encodeItem || !wholeOf) return codec.encode(this.object, pretty);
    const { kind, groupVersion } = this.resource;
    return wholeOf.call(codec, apiVersionOf(groupVersion), kind, this.encodeItem(codec, encodeItem));
  }

  encodeInTurns(codec: Codec, pretty: boolean): Promise<Uint8Array> | undefined {
    const isSlow = codec.encodeInTurns !== undefined;
    if (!isSlow && (pretty || codec !== json)) return undefined;
    return this.entry.size > (isSlow ? longForSlow : longForFast) ? this.#encodedInTurns(codec) : undefined;
  }

  async #encodedInTurns(codec: Codec): Promise<Uint8Array> {
    if (this.#known(json) === undefined) {
      this.#keep(json, await doInTurns(encodeLongItem(this.item)));
    }
    const bytes = this.encode(json, false);
    return codec.encodeInTurns === undefined ? bytes : codec.encodeInTurns(bytes);
  }

  /** Returns the bytes of the item from a codec's `encodeItem`, cached. */
  encodeItem(codec: Codec, encode: NonNullable<Codec['encodeItem']>): Uint8Array {
    const known = this.#known(codec);
    if (known !== undefined) return known;
    const { kind, groupVersion } = this.resource;
    return this.#keep(codec, encode.call(codec, apiVersionOf(groupVersion), kind, this.item));
  }

  #keep(codec: Codec, bytes: Uint8Array): Uint8Array {
    this.#items = { codec, bytes, next: this.#items };
    return bytes;
  }

  #known(codec: Codec): Uint8Array | undefined {
    for (let item = this.#items; item !== undefined; item = item.next) if (item.codec === codec) return item.bytes;
    return undefined;
  }
}

/** Returns the view of an entry as a resource. The same entry always has the same view. */
export function viewOf(resource: Resource, entry: Entry): View {
  const { derived } = entry;
  if (derived !== undefined)
    for (const view of derived) if (view instanceof View && view.resource === resource) return view;
  const view = new View(resource, entry);
  // The first element that is pushed to an array makes room for 16 more.
  if (derived === undefined) entry.derived = [view];
  else derived.push(view);
  return view;
}

/**
 * Returns an entry as a resource shows it, for one use. It uses the cached encoding of a view, but adds no cache to an
 * entry without a view.
 */
export function sharedView(resource: Resource, entry: Entry): View {
  return entry.derived === undefined ? new View(resource, entry) : viewOf(resource, entry);
}

/** Converts a stored object to what clients, patches and webhooks see of it in the version of a resource. */
export const shownAs = (resource: Resource, stored: KubeObject): KubeObject =>
  withNull(resource, toVersion(resource, stored));

/** Converts a stored object to the version of a resource. */
export function toVersion(resource: Resource, stored: KubeObject): KubeObject {
  if (storageResource(resource) === resource) return asRead(resource, stored);
  const made = runTimeKindOf(resource);
  if (made !== undefined) return made.read(stored);
  const { namespace } = stored.metadata;
  const converted = conversionOf(resource).fromStorage(stored);
  return {
    ...converted,
    apiVersion: apiVersionOf(resource.groupVersion),
    kind: resource.kind,
    metadata: relinked(converted.metadata, resource, namespace),
  };
}

/** Returns metadata with the selfLink of a resource, if they have one. */
export function relinked(
  metadata: Readonly<ObjectMeta>,
  resource: Resource,
  namespace: string | undefined,
): ObjectMeta {
  const { selfLink, name = '' } = metadata;
  return selfLink === undefined ? metadata : { ...metadata, selfLink: selfLinkOf(resource, namespace, name) };
}

/** Returns a stored object as a reader of its own resource sees it: one made at run time has the present defaults. */
export function asRead(resource: Resource, stored: KubeObject): KubeObject {
  return runTimeKindOf(resource)?.read(stored) ?? shown(stored);
}

const shown = (stored: KubeObject): KubeObject =>
  internalOf(stored) === undefined ? stored : withInternal(stored, undefined);

/**
 * Converts an object from the version of a resource to the storage version, unless the storage of the resource does that.
 */
export function toStorageVersion(resource: Resource, given: DecodedObject): DecodedObject {
  const stored = storageResource(resource);
  if (stored === resource || kindConversionOf(resource) !== undefined) return given;
  const { namespace } = given.metadata;
  const converted = conversionOf(resource).toStorage(given);
  return {
    ...converted,
    apiVersion: apiVersionOf(stored.groupVersion),
    kind: stored.kind,
    metadata: relinked(converted.metadata, stored, namespace),
  };
}

export interface ListMeta extends ApiObject {
  readonly selfLink?: string;
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** A list whose items are made while it is sent: as many as a client has read, and no more. */
export abstract class MadeList implements Encodable {
  /** All fields but the items. */
  abstract readonly envelope: ApiObject;
  /** Whether the encoded items stay in memory when the list is sent. */
  protected get keepsItems(): boolean {
    return false;
  }

  abstract items(): Iterable<ApiObject>;
  /** The items as `encodeItem` of a codec encodes them. */
  protected abstract encodedItems(codec: Codec, encode: NonNullable<Codec['encodeItem']>): Iterable<Uint8Array>;

  constructor(readonly field: ListField = 'items') {}

  encode(codec: Codec, pretty: boolean): Parts {
    const { envelope, field } = this;
    const { encodeItem, joinList, listInParts } = codec;
    const isJoinable = encodeItem !== undefined && joinList !== undefined;
    if (listInParts && (pretty || !isJoinable)) return listInParts.call(codec, envelope, this.items(), pretty, field);
    if (!isJoinable) return [codec.encode({ ...envelope, [field]: [...this.items()] }, pretty)];
    const join = () => joinList.call(codec, envelope, () => this.encodedItems(codec, encodeItem), field);
    return { areKept: this.keepsItems, [Symbol.iterator]: () => join()[Symbol.iterator]() };
  }
}

/** A typed list of objects that are or were stored, whose items are encoded once, unless `view` keeps none of them. */
export class ListBody extends MadeList {
  constructor(
    readonly resource: Resource,
    readonly metadata: ListMeta,
    readonly entries: readonly Entry[],
    readonly view = viewOf,
  ) {
    super();
  }

  protected override get keepsItems(): boolean {
    return this.view === viewOf && !this.#namesKinds;
  }

  /** Whether each item has its apiVersion and kind: a kind that is made at run time has no type that would imply them. */
  get #namesKinds(): boolean {
    return runTimeKindOf(this.resource) !== undefined;
  }

  get envelope(): ApiObject {
    const { kind, groupVersion } = this.resource;
    return { kind: `${kind}List`, apiVersion: apiVersionOf(groupVersion), metadata: this.metadata };
  }

  *items(): Generator<ApiObject> {
    const namesKinds = this.#namesKinds;
    for (const entry of this.entries) {
      const view = this.view(this.resource, entry);
      yield namesKinds ? view.object : view.item;
    }
  }

  protected *encodedItems(codec: Codec, encode: NonNullable<Codec['encodeItem']>): Generator<Uint8Array> {
    const { kind, groupVersion } = this.resource;
    const { wholeOf } = codec;
    const namesKinds = this.#namesKinds && wholeOf !== undefined;
    for (const entry of this.entries) {
      const item = this.view(this.resource, entry).encodeItem(codec, encode);
      yield namesKinds ? wholeOf.call(codec, apiVersionOf(groupVersion), kind, item, true) : item;
    }
  }
}

/** An object that is not stored: a Status, a Scale, or the result of a dry run. */
export class ObjectBody implements Encodable {
  constructor(readonly object: ApiObject) {}

  encode(codec: Codec, pretty: boolean): Uint8Array {
    return codec.encode(this.object, pretty);
  }
}

/** Makes an object encodable that is not stored. */
export const encodable = (object: ApiObject): Encodable => new ObjectBody(object);
