// A list of representations: encoded item by item, in turns with other requests.
import type { ApiObject, Codec, ListField } from '../../codecs/codec.js';
import { MadeList } from '../../versions/views.js';

/** A list whose items are made while it is encoded. */
export class MadeListBody extends MadeList {
  /** `make` makes the items. `envelope` has all other fields, and `itemKind` is the kind of the items in protobuf. */
  constructor(
    readonly envelope: ApiObject,
    field: ListField,
    readonly itemKind: string,
    private readonly make: () => Iterable<ApiObject>,
  ) {
    super(field);
  }

  items(): Iterable<ApiObject> {
    return this.make();
  }

  protected *encodedItems(codec: Codec, encode: NonNullable<Codec['encodeItem']>): Generator<Uint8Array> {
    const apiVersion = String(this.envelope.apiVersion);
    for (const item of this.items()) yield encode.call(codec, apiVersion, this.itemKind, item);
  }
}
