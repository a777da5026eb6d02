// Documents of OpenAPI 2 of other servers: the part about one API, and one document of several.
import { equal, isRecord } from '../../schema/object.js';
import type { DocumentNode } from './dialect.js';

const prefix = '#/definitions/';
const parameterPrefix = '#/parameters/';

type Named = Readonly<Record<string, unknown>>;

const recordIn = (document: DocumentNode, field: string): Named => {
  const value = document[field] ?? {};
  if (!isRecord(value)) throw new Error(`${field} is no object`);
  return value;
};

/**
 * Returns the part of a document below a path: its paths, and the definitions that they need. Parameters that are
 * referred to become those of the operations. Throws if the document is none.
 */
export function partBelow(document: DocumentNode, path: string): DocumentNode {
  const parameters = recordIn(document, 'parameters');
  const own = Object.entries(recordIn(document, 'paths')).filter(([at]) => at === path || at.startsWith(`${path}/`));
  const paths = mapped(Object.fromEntries(own), (node) => {
    const { $ref: reference } = node;
    return typeof reference === 'string' && reference.startsWith(parameterPrefix)
      ? parameters[reference.slice(parameterPrefix.length)]
      : undefined;
  });
  const all = recordIn(document, 'definitions');
  const definitions: Record<string, unknown> = {};
  const wanted = [...namesIn(paths)];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (Object.hasOwn(definitions, name) || !Object.hasOwn(all, name)) continue;
    definitions[name] = all[name];
    wanted.push(...namesIn(all[name]));
  }
  return { paths, definitions };
}

/** Returns a document with the parts of others. A definition that differs from one of its name gets another name. */
export function merged(own: DocumentNode, parts: readonly DocumentNode[]): DocumentNode {
  const definitions = { ...recordIn(own, 'definitions') };
  const paths = { ...recordIn(own, 'paths') };
  for (const part of parts) {
    const added = recordIn(part, 'definitions');
    const names = newNames(definitions, added);
    const renamed = (value: unknown) => mapped(value, (node) => referenceIn(node, names));
    for (const [name, schema] of Object.entries(added)) {
      const isShared = Object.hasOwn(definitions, name) && !names.has(name);
      if (!isShared) definitions[names.get(name) ?? name] = renamed(schema);
    }
    for (const [path, item] of Object.entries(recordIn(part, 'paths'))) {
      if (!Object.hasOwn(paths, path)) paths[path] = renamed(item);
    }
  }
  return { ...own, paths, definitions };
}

/** Returns the new names of the definitions that differ, or need one that does: `name_v2`, or the next that is free. */
function newNames(known: Named, added: Named): ReadonlyMap<string, string> {
  const shared = new Map<string, ReadonlySet<string>>();
  const differing = new Set<string>();
  for (const [name, schema] of Object.entries(added)) {
    if (!Object.hasOwn(known, name)) continue;
    if (equal(known[name], schema)) shared.set(name, namesIn(schema));
    else differing.add(name);
  }
  for (let before = -1; before !== differing.size; ) {
    before = differing.size;
    for (const [name, needed] of shared) {
      if (![...needed].some((each) => differing.has(each))) continue;
      differing.add(name);
      shared.delete(name);
    }
  }
  const taken = (name: string) => Object.hasOwn(known, name) || Object.hasOwn(added, name);
  return new Map(
    [...differing].map((name) => {
      let count = 2;
      while (taken(`${name}_v${count}`)) count++;
      return [name, `${name}_v${count}`];
    }),
  );
}

function referenceIn({ $ref: reference }: DocumentNode, names: ReadonlyMap<string, string>): unknown {
  if (typeof reference !== 'string' || !reference.startsWith(prefix)) return undefined;
  const name = names.get(reference.slice(prefix.length));
  return name === undefined ? undefined : { $ref: `${prefix}${name}` };
}

/** Returns the names of the definitions that a value refers to. */
function namesIn(value: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(value)) for (const item of value) namesIn(item, names);
  if (!isRecord(value)) return names;
  const { $ref: reference } = value;
  if (typeof reference === 'string' && reference.startsWith(prefix)) names.add(reference.slice(prefix.length));
  for (const inner of Object.values(value)) namesIn(inner, names);
  return names;
}

/** Returns a copy of a value in which `change` replaces objects; it returns undefined for those that stay. */
export function mapped(value: unknown, change: (node: DocumentNode) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (!isRecord(value)) return value;
  const changed = change(value);
  if (changed !== undefined) return changed;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapped(inner, change)]));
}
