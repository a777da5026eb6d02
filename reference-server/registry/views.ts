// Stored objects as clients see them: in a group version, encoded once for each codec, alone or in a list.
import { apiVersionOf, type Resource } from '../../matrix/api/index.js';
import type { ApiObject, Codec } from '../codecs/codec.js';
import { json } from '../codecs/json.js';
import type { Encodable } from '../request.js';
import type { Draft, KubeObject } from '../schema/object.js';
import type { Entry } from '../storage/storage.js';
import { Turns } from '../turns.js';
import { selfLinkOf, storedResource } from './addresses.js';
import { conversionOf } from './convert/index.js';

/** An object of more bytes of JSON is written in turns, where that is costly. */
const longObject = 32 * 1024;

/** An entry in one group version. It keeps its items as they were encoded, for as long as the entry lives. */
export class View implements Encodable {
  #object: KubeObject | undefined;
  readonly #items: { readonly codec: Codec; readonly bytes: Uint8Array }[] = [];

  constructor(
    readonly resource: Resource,
    readonly entry: Entry,
  ) {}

  /** The object with its apiVersion and kind. */
  get object(): KubeObject {
    this.#object ??= shownAs(this.resource, this.entry.value as KubeObject);
    return this.#object;
  }

  /** The object as an item of a typed list: without apiVersion and kind. */
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

  encodeInTurns(codec: Codec): Promise<readonly Uint8Array[]> | undefined {
    if (codec.encodeInTurns === undefined) return undefined;
    const bytes = this.encode(json, false);
    return bytes.length > longObject ? codec.encodeInTurns(bytes).then((written) => [written]) : undefined;
  }

  /** The bytes of the item, by a codec's `encodeItem`. */
  encodeItem(codec: Codec, encode: NonNullable<Codec['encodeItem']>): Uint8Array {
    for (const item of this.#items) if (item.codec === codec) return item.bytes;
    const { kind, groupVersion } = this.resource;
    const bytes = encode.call(codec, apiVersionOf(groupVersion), kind, this.item);
    this.#items.push({ codec, bytes });
    return bytes;
  }
}

/** The view of an entry as a resource; always the same one. */
export function viewOf(resource: Resource, entry: Entry): View {
  entry.derived ??= [];
  for (const view of entry.derived) if (view instanceof View && view.resource === resource) return view;
  const view = new View(resource, entry);
  entry.derived.push(view);
  return view;
}

/**
 * An entry as a resource shows it, for one reading: it takes what its view has encoded already, and makes an entry that
 * nobody else reads keep nothing.
 */
export function shownOnce(resource: Resource, entry: Entry): Encodable & { readonly object: KubeObject } {
  return entry.derived === undefined ? new View(resource, entry) : viewOf(resource, entry);
}

/** A stored object in a resource's own version. */
export function shownAs(resource: Resource, stored: KubeObject): KubeObject {
  if (storedResource(resource) === resource) return stored;
  const { namespace, name = '' } = stored.metadata;
  const converted = conversionOf(resource).fromStored(stored);
  return {
    ...converted,
    apiVersion: apiVersionOf(resource.groupVersion),
    kind: resource.kind,
    metadata: { ...converted.metadata, selfLink: selfLinkOf(resource, namespace, name) },
  };
}

/** The same back: what is stored of an object in a resource's own version. */
export function storedFrom(resource: Resource, shown: Draft): Draft {
  const stored = storedResource(resource);
  if (stored === resource) return shown;
  const { namespace, name = '' } = shown.metadata;
  const converted = conversionOf(resource).toStored(shown);
  return {
    ...converted,
    apiVersion: apiVersionOf(stored.groupVersion),
    kind: stored.kind,
    metadata: { ...converted.metadata, selfLink: selfLinkOf(stored, namespace, name) },
  };
}

/** The metadata of a list. */
export interface ListMeta extends ApiObject {
  readonly selfLink: string;
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** A typed list: an envelope, and items that are encoded once. A long one is encoded in turns. */
export class ListBody implements Encodable {
  constructor(
    readonly resource: Resource,
    readonly metadata: ListMeta,
    readonly entries: readonly Entry[],
  ) {}

  encode(codec: Codec, pretty: boolean): readonly Uint8Array[] {
    return [...this.#parts(codec, pretty)].flat();
  }

  async encodeInTurns(codec: Codec, pretty: boolean): Promise<readonly Uint8Array[]> {
    const turns = new Turns();
    const parts: Uint8Array[] = [];
    for (const made of this.#parts(codec, pretty)) {
      for (const part of made) parts.push(part);
      if (turns.isOver) await turns.next();
    }
    return parts;
  }

  /** The body in parts, a few at a time; some come to nothing. */
  *#parts(codec: Codec, pretty: boolean): Generator<readonly Uint8Array[]> {
    const envelope = {
      kind: `${this.resource.kind}List`,
      apiVersion: apiVersionOf(this.resource.groupVersion),
      metadata: this.metadata,
    };
    const { encodeItem, joinList } = codec;
    if (!pretty && encodeItem && joinList) {
      const items: Uint8Array[] = [];
      for (const entry of this.entries) {
        items.push(viewOf(this.resource, entry).encodeItem(codec, encodeItem));
        yield [];
      }
      yield joinList.call(codec, envelope, items);
    } else if (codec.listInParts) {
      for (const part of codec.listInParts(envelope, this.#items(), pretty)) yield [part];
    } else yield [codec.encode({ ...envelope, items: [...this.#items()] }, pretty)];
  }

  *#items(): Generator<ApiObject> {
    for (const entry of this.entries) yield viewOf(this.resource, entry).item;
  }
}

/** An object that is not stored: a Status, a Scale, what a dry run would have written. */
export function encodable(object: ApiObject): Encodable {
  return { encode: (codec, pretty) => codec.encode(object, pretty) };
}
