// Paths of fields in a schema, as rules and selectable fields give them: `.spec.color` or `['a.b'].c`.
import { fieldSchema, type StructuralSchema } from './structuralSchema.js';

interface Segment {
  readonly name: string;
  readonly isInBrackets: boolean;
}

/** The segments of a path, and why it cannot be read further, if it cannot. */
interface ReadPath {
  readonly segments: readonly Segment[];
  readonly fault?: string;
}

const nowhere = 'does not refer to a valid field';

/** Reads a path without its schema. A name after a dot ends at the next dot or bracket, and one in brackets is quoted. */
function readPath(path: string): ReadPath {
  const segments: Segment[] = [];
  const token = /[.[\]]|[^.[\]]+/y;
  const quoted = /'((?:\\.|[^'\\])+)'\]/suy;
  let at = 0;
  const read = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(path) ?? undefined;
    at += found?.[0].length ?? 0;
    return found;
  };
  while (at < path.length) {
    const [first = ''] = read(token) ?? [];
    if (first === '.') {
      const [name] = read(token) ?? [];
      if (name === undefined) return { segments, fault: 'unexpected end of JSON path' };
      segments.push({ name, isInBrackets: false });
    } else if (first === '[') {
      const [, name] = read(quoted) ?? [];
      segments.push({ name: (name ?? '').replace(/\\(.)/gsu, '$1'), isInBrackets: true });
      if (name === undefined) return { segments, fault: nowhere };
    } else return { segments, fault: `expected [ or . but got: ${first}` };
  }
  return segments.length > 0 ? { segments } : { segments, fault: nowhere };
}

/** Returns the names of a path. */
export const namesIn = (path: string): readonly string[] => readPath(path).segments.map(({ name }) => name);

/** Finds the schema that a path leads to. Returns why it leads to none, if so. */
export function schemaAt(
  schema: StructuralSchema,
  path: string,
  allowsBrackets: boolean,
): { readonly schema: StructuralSchema } | { readonly fault: string } {
  const { segments, fault } = readPath(path);
  let node: StructuralSchema | undefined = schema;
  for (const { name, isInBrackets } of segments) {
    if (isInBrackets && !allowsBrackets) return { fault: 'array notation is not allowed' };
    // A map of anything has any field; for real servers, a map of nothing too.
    node = fieldSchema(node, name) ?? (node.additionalProperties === undefined ? undefined : {});
    if (node === undefined) return { fault: nowhere };
  }
  return fault === undefined ? { schema: node } : { fault };
}
