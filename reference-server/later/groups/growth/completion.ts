// Fills the fields of an object that servers of a version fill, by the table of defaults: one walk over the types.
import { fieldsOf, isTypeName, type Type, type TypeName, typeOf } from '../../../../matrix/api/modern/index.js';
import { isRecord } from '../../../schema/object.js';
import { oncePerType } from './oncePerType.js';

type Fields = Readonly<Record<string, unknown>>;

/** A value, or a function of the fields that the object has. */
type LaterDefault = string | number | boolean | null | ((object: Fields) => unknown);

/**
 * The defaults of the fields of a type, or of a field within one, as `outer.inner`: the minor version since which servers
 * set it, the default, and the last version.
 */
export type LaterDefaults = Readonly<
  Record<TypeName, Readonly<Record<string, readonly [since: number, value: LaterDefault, last?: number]>>>
>;

/** Returns the object with its defaults: the same object if it has all of them. */
export type Complete = (object: Fields) => Fields;

/** Makes the functions that complete objects, one for each type, for servers of a minor version. */
export class Completion {
  /** Returns the function for a type; undefined if there is nothing to complete. */
  readonly of = oncePerType<Complete>((type) => this.#made(type));

  constructor(
    readonly table: LaterDefaults,
    readonly minor: number,
  ) {}

  #made(type: Type): Complete | undefined {
    const own = Object.entries(this.table[type.name as TypeName] ?? {}).flatMap(
      ([path, [since, value, last = Infinity]]) => {
        const [name = '', below] = path.split('.');
        return since <= this.minor && this.minor <= last ? [{ name, below, value }] : [];
      },
    );
    const inner = fieldsOf(type).flatMap(({ name, type: of, shape }) => {
      const complete = isTypeName(of) ? this.of(typeOf(of)) : undefined;
      return complete === undefined || shape === 'map'
        ? []
        : [{ name, complete: shape === 'list' ? listed(complete) : complete }];
    });
    if (own.length + inner.length === 0) return undefined;
    return (object) => {
      let result = object;
      const set = (name: string, value: unknown): void => {
        if (result === object) result = { ...object };
        (result as Record<string, unknown>)[name] = value;
      };
      for (const { name, below, value } of own) {
        const outer = below === undefined ? result : ((result[name] ?? {}) as Fields);
        if (outer[below ?? name] !== undefined) continue;
        const filled = typeof value === 'function' ? value(outer) : value;
        if (filled !== undefined) set(name, below === undefined ? filled : { ...outer, [below]: filled });
      }
      for (const { name, complete } of inner) {
        const value = result[name];
        if (value === undefined || value === null) continue;
        const completed = complete(value as Fields);
        if (completed !== value) set(name, completed);
      }
      return result;
    };
  }
}

/** Completes each object of a list, or one object. */
function listed(complete: Complete): Complete {
  return (list) => {
    if (!Array.isArray(list)) return isRecord(list) ? complete(list) : list;
    let result: Fields[] | undefined;
    for (let at = 0; at < list.length; at += 1) {
      const completed = complete(list[at]);
      if (completed === list[at]) continue;
      result ??= [...list];
      result[at] = completed;
    }
    return (result ?? list) as unknown as Fields;
  };
}
