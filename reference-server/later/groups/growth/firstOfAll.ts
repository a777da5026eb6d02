// Fields that came twice: a single value, and later a list that begins with it.

interface Pair<Item> {
  readonly one: string;
  readonly all: string;
  itemOf(value: string): Item;
  valueIn(item: Item): string | undefined;
}

/** Returns fields in which the single value and the list say the same: the single one decides. */
export function withBoth<Item>(fields: object, { one, all, itemOf, valueIn }: Pair<Item>): object {
  const { [one]: value, [all]: items = [] } = fields as { readonly [name: string]: unknown };
  const [item] = items as readonly Item[];
  const first = item === undefined ? undefined : valueIn(item);
  if (value === first || (!value && !first)) return fields;
  return value ? { ...fields, [all]: [itemOf(String(value))] } : { ...fields, [one]: first };
}
