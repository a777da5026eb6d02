// A list of representations: encoded item by item, in turns with other requests.
import type { ApiObject, Codec, ListField } from '../../codecs/codec.js';
import { PartsBody } from '../../versions/views.js';

/** A list whose items are made while it is encoded. */
export class MadeListBody extends PartsBody {
  /** `items` makes the items. `envelope` has all other fields, and `itemKind` is the kind of the items in protobuf. */
  constructor(
    readonly envelope: ApiObject,
    readonly field: ListField,
    readonly itemKind: string,
    readonly items: () => Iterable<ApiObject>,
  ) {
    super();
  }

  protected *parts(codec: Codec, pretty: boolean): Generator<readonly Uint8Array[]> {
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
