// Costs of objects of every kind with one long list or map: decoding, admission and validation.
import { apiVersionOf, type Resource, resources } from '../../../matrix/api/index.js';
import { type Field, fieldsOf, isTypeName, type Type, typeOf, typeOfKind } from '../../../matrix/api/modern/index.js';
import type { Direct } from '../direct.js';
import type { Work } from './growth.js';

/** The path of a list or map in an object: the fields that lead to it. */
type Path = readonly Field[];

const deepest = 6;

/** Returns the paths of all lists and maps of a type. */
function pathsOf(type: Type, before: Path = []): Path[] {
  if (type.bare !== undefined || before.length >= deepest) return [];
  return fieldsOf(type).flatMap((field) => {
    if (field.name === 'status' || (before.length > 0 && before.at(-1)?.type === field.type)) return [];
    const path = [...before, field];
    const inner = isTypeName(field.type) ? pathsOf(typeOf(field.type), path) : [];
    return field.shape === undefined ? inner : [path, ...inner];
  });
}

/** The items of a list, in three variants. */
const variants: Readonly<Record<string, (field: Field, index: number) => unknown>> = {
  'empty items': (field) => (isTypeName(field.type) && typeOf(field.type).bare === undefined ? {} : itemOf(field, 0)),
  'equal items': (field) => itemOf(field, 0),
  'different items': (field, index) => itemOf(field, index),
};

/** The keys of a map always differ, so maps have one variant. */
function variantsOf(path: Path) {
  return Object.entries(variants).filter(([variant]) => path.at(-1)?.shape !== 'map' || variant === 'different items');
}

/** Returns an item with all of its plain fields, whose values depend on the index. */
function itemOf(field: Field, index: number): unknown {
  if (!isTypeName(field.type)) return scalarOf(field, index);
  const type = typeOf(field.type);
  if (type.bare !== undefined) return [scalarOf(type.bare, index)];
  const plain = fieldsOf(type).filter(({ type, shape }) => shape === undefined && !isTypeName(type));
  return Object.fromEntries(plain.map((inner) => [inner.name, scalarOf(inner, index)]));
}

function scalarOf({ type }: Field, index: number): unknown {
  if (type === 'int32' || type === 'int64') return 1 + (index % 65_535);
  if (type === 'boolean') return false;
  if (type === 'quantity') return '1';
  if (type === 'time') return '2016-01-01T00:00:00Z';
  if (type === 'bytes') return '';
  return `v${index}`;
}

/** Returns an object with a list or map of about this many bytes at a path. */
function objectWith(path: Path, bytes: number, item: (field: Field, index: number) => unknown): unknown {
  const [field, ...rest] = path;
  if (field === undefined) return {};
  if (rest.length > 0) {
    const inner = objectWith(rest, bytes, item);
    if (field.shape === 'list') return { [field.name]: [{ name: 'v0', ...(inner as object) }] };
    return { [field.name]: field.shape === 'map' ? { k: inner } : inner };
  }
  const items: unknown[] = [];
  for (let length = 0, index = 0; length < bytes; index += 1) {
    const next = item(field, index);
    length += JSON.stringify(next).length + (field.shape === 'map' ? 12 : 1);
    items.push(next);
  }
  return {
    [field.name]: field.shape === 'map' ? Object.fromEntries(items.map((each, at) => [`k${at}`, each])) : items,
  };
}

const created = resources.filter(
  ({ bodyKinds, stated, unstated }) => [...stated, ...unstated].includes('create') && bodyKinds.create === undefined,
);

/** Dry-run creates of every kind. A field of a type is covered by the first kind that has it. */
export function objectWorks(server: Direct): Work[] {
  const tried = new Set<string>();
  const isNew = (kind: string, path: Path): boolean => {
    const id = `${path.at(-2)?.type ?? kind}.${path.at(-1)?.name}`;
    return !tried.has(id) && tried.add(id) !== undefined;
  };
  return created.flatMap((resource) => {
    const type = typeOfKind(apiVersionOf(resource.groupVersion), resource.kind);
    if (type === undefined) return [];
    const paths = pathsOf(type).filter((path) => isNew(resource.kind, path));
    return paths.flatMap((path) =>
      variantsOf(path).map(([variant, item]): Work => {
        const where = path.map(({ name }) => name).join('.');
        return {
          name: `${resource.kind} ${where}: ${variant}`,
          request: (bytes) => ({
            path: `${collectionOf(resource)}?dryRun=All`,
            mediaType: 'application/json',
            body: JSON.stringify(named(objectWith(path, bytes, item))),
          }),
          prepare(bytes) {
            const body = named(objectWith(path, bytes, item));
            return async () => {
              const reply = await server.call('POST', `${collectionOf(resource)}?dryRun=All`, { body, isLong: true });
              if (reply.status >= 500) throw new Error(`${resource.kind} ${where}: ${JSON.stringify(reply.body)}`);
              return JSON.stringify(reply.body).length;
            };
          },
        };
      }),
    );
  });
}

function named(object: unknown): object {
  const { metadata, ...others } = object as { metadata?: object };
  return { ...others, metadata: { name: 'x', ...metadata } };
}

function collectionOf({ groupVersion, namespaced, plural }: Resource): string {
  const { group } = groupVersion;
  const root = group === '' ? '/api/v1' : `/apis/${apiVersionOf(groupVersion)}`;
  return `${root}/${namespaced ? 'namespaces/default/' : ''}${plural}`;
}
