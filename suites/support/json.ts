// JSON values as the suite sees them: typed access without believing anything.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of keys and indexes, or undefined where the path ends early. */
export function at(value: unknown, ...path: readonly (string | number)[]): Json | undefined {
  let here = value;
  for (const step of path) {
    if (typeof step === 'number') here = Array.isArray(here) ? here[step] : undefined;
    else here = isObject(here) && Object.hasOwn(here, step) ? here[step] : undefined;
  }
  return here as Json | undefined;
}

/** The items of a list body, each an object; none where there are none. */
export function itemsOf(list: unknown): JsonObject[] {
  const items = at(list, 'items');
  return Array.isArray(items) ? items.filter(isObject) : [];
}

/** A merge of plain objects: values of `over` win, objects merge. */
export function merge(base: JsonObject, over: JsonObject): JsonObject {
  const result: Record<string, Json | undefined> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = result[key];
    result[key] = isObject(before) && isObject(value) ? merge(before, value) : value;
  }
  return result;
}

/** Metadata that servers and their controllers move on their own. */
const volatile = new Set(['resourceVersion', 'annotations', 'managedFields', 'generation', 'selfLink']);

/** What a client wrote of an object: without status, the metadata and the taints of nodes that controllers move. */
export function essence(object: unknown): JsonObject {
  if (!isObject(object)) return {};
  const { status: _, metadata, ...rest } = object;
  const kept = isObject(metadata) ? Object.entries(metadata).filter(([key]) => !volatile.has(key)) : [];
  return { ...rest, ...withoutTaints(rest.spec), metadata: Object.fromEntries(kept) };
}

/** The spec without taints, where all of them are those that a controller gives nodes for their conditions. */
function withoutTaints(spec: unknown): JsonObject {
  if (!isObject(spec) || !Array.isArray(spec.taints)) return {};
  const { taints, ...kept } = spec;
  const isControllers = (taint: Json): boolean => String(at(taint, 'key')).startsWith('node.kubernetes.io/');
  return Array.isArray(taints) && taints.every(isControllers) ? { spec: kept } : {};
}

/** The first place where `actual` lacks what `expected` holds, or undefined; `actual` may hold more in objects. */
export function missing(actual: unknown, expected: Json | undefined, path = ''): string | undefined {
  if (isObject(expected)) {
    if (!isObject(actual)) return `${path || '(body)'} is ${brief(actual)}, not an object`;
    for (const [key, value] of Object.entries(expected)) {
      const found = missing(actual[key], value, path ? `${path}.${key}` : key);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) {
      return `${path} is ${brief(actual)}, not a list of ${expected.length}`;
    }
    for (const [index, value] of expected.entries()) {
      const found = missing(actual[index], value, `${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return actual === expected ? undefined : `${path || '(body)'} is ${brief(actual)}, not ${brief(expected)}`;
}

/** A value in a message: JSON, cut at 200 characters. */
export function brief(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
