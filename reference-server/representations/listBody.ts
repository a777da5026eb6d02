// A list of representations: encoded item by item, in turns with other requests.
import type { ApiObject, Codec, Encodable, ListField } from '../codecs/codec.js';
import { Turns } from '../turns.js';

/** A list whose items are made while it is encoded. */
export class MadeListBody implements Encodable {
  /** `items` makes the items. `envelope` has all other fields, and `itemKind` is the kind of the items in protobuf. */
  constructor(
    readonly envelope: ApiObject,
    readonly field: ListField,
    readonly itemKind: string,
    readonly items: () => Iterable<ApiObject>,
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

  /** The body in parts, some of which are empty. */
  *#parts(codec: Codec, pretty: boolean): Generator<readonly Uint8Array[]> {
    const { envelope, field, itemKind } = this;
    const { encodeItem, joinList } = codec;
    if (!pretty && encodeItem && joinList) {
      const items: Uint8Array[] = [];
      for (const item of this.items()) {
        items.push(encodeItem.call(codec, String(envelope.apiVersion), itemKind, item));
        yield [];
      }
      yield joinList.call(codec, envelope, items, field);
    } else if (codec.listInParts) {
      for (const part of codec.listInParts(envelope, this.items(), pretty, field)) yield [part];
    } else yield [codec.encode({ ...envelope, [field]: [...this.items()] }, pretty)];
  }
}
