// The types of patches: the objects and the JSON patches that mutations of policies make.
import type { Compiling } from './expression.js';
import { define } from './functions/define.js';
import { library } from './library.js';
import { dyn, type ObjectType, type Type, typeNamed } from './types.js';
import { EvaluationError, List, Mapping, Optional, Uint, type Value } from './values.js';

const root = 'Object';
const patchName = 'JSONPatch';
const text = typeNamed('string');
const patchFields: Readonly<Record<string, Type>> = { op: text, path: text, from: text, value: dyn };

/** An object that an expression makes with the name of its type. Its fields are of any type. */
class Made extends Mapping {
  constructor(
    readonly type: string,
    readonly fields: ReadonlyMap<string, Value>,
  ) {
    super();
  }

  get size(): number {
    return this.fields.size;
  }

  get(key: Parameters<Mapping['get']>[0]): Value | undefined {
    return typeof key === 'string' ? this.fields.get(key) : undefined;
  }

  override has(key: Parameters<Mapping['get']>[0]): boolean {
    return typeof key === 'string' && this.fields.has(key);
  }

  keys(): Iterable<Value> {
    return this.fields.keys();
  }
}

function objectType(name: string): ObjectType | undefined {
  if (name === patchName) {
    return {
      kind: 'object',
      name,
      fieldOf: (field) => (Object.hasOwn(patchFields, field) ? patchFields[field] : undefined),
    };
  }
  // The types of objects are not known: their fields are checked when the patch is applied.
  return name === root || name.startsWith(`${root}.`) ? { kind: 'object', name, fieldOf: () => dyn } : undefined;
}

const escapeKey = define<[string]>('jsonpatch.escapeKey(string): string', (key) =>
  key.replace(/[~/]/g, (sign) => (sign === '~' ? '~0' : '~1')),
);

/** What lets an expression make patches. */
export const patching: Omit<Compiling, 'variables'> = {
  get functions() {
    return new Map([...library(), [escapeKey.name, [escapeKey]]]);
  },
  objectType,
  makeObject: (type, fields) => new Made(type, fields),
};

/** Returns a value as JSON. Throws EvaluationError for a value that JSON does not have, or whose types do not fit its place. */
export function jsonOf(value: Value, path?: string): unknown {
  if (value instanceof Made) {
    const at = path ?? value.type;
    if (at !== value.type) throw misplaced(value.type, at);
    return Object.fromEntries([...value.fields].map(([name, field]) => [name, jsonOf(field, `${at}.${name}`)]));
  }
  if (value instanceof Uint) return jsonOf(value.value);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof List) return [...value].map((item) => jsonOf(item, path));
  if (value instanceof Mapping) return Object.fromEntries([...value.keys()].map((key) => entryOf(value, key, path)));
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Optional && value.value !== undefined) return jsonOf(value.value, path);
  throw new EvaluationError('the value has a type that JSON does not have');
}

function entryOf(map: Mapping, key: Value, path: string | undefined): readonly [string, unknown] {
  if (typeof key !== 'string') throw new EvaluationError(`map key ${JSON.stringify(String(key))} is not a string`);
  return [key, jsonOf(map.get(key) ?? null, path)];
}

function misplaced(type: string, path: string): EvaluationError {
  const why = `expected ${JSON.stringify(path)}, which matches field name path from root Object type`;
  return new EvaluationError(`type mismatch: unexpected type name ${JSON.stringify(type)}, ${why}`);
}

/** Returns the operations of a JSON patch that an expression has made. Throws EvaluationError like `jsonOf`. */
export function operationsOf(list: Value): readonly object[] {
  return [...(list as List)].map((made) => {
    const { fields } = made as Made;
    const [op, path, from] = ['op', 'path', 'from'].map((name) => fields.get(name) ?? '');
    const value = fields.get('value');
    return { op, path, ...(from !== '' && { from }), ...(value !== undefined && { value: jsonOf(value) }) };
  });
}
