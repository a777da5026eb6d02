// The types of the language, and which fits which.

/** The most elements, characters or bytes that a value of a schema may have. */
interface Sized {
  readonly most?: number;
}

export type Type =
  | ({ readonly kind: Simple } & Sized)
  | ({ readonly kind: 'list'; readonly of: Type } & Sized)
  | ({ readonly kind: 'map'; readonly key: Type; readonly value: Type } & Sized)
  | { readonly kind: 'optional'; readonly of: Type }
  | { readonly kind: 'type'; readonly of: Type }
  | ObjectType
  | { readonly kind: 'opaque'; readonly name: string }
  | { readonly kind: 'parameter'; readonly name: string };

/** An object with known fields. `fieldOf` takes the name that expressions use. */
export interface ObjectType extends Sized {
  readonly kind: 'object';
  readonly name: string;
  fieldOf(name: string): Type | undefined;
}

const simple = [
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'null',
  'string',
  'timestamp',
  'uint',
  // The type of a part with a mistake: it fits everywhere, so that one mistake has one message.
  'wrong',
] as const;
type Simple = (typeof simple)[number];

const simpleTypes = new Map<string, Type>(simple.map((kind) => [kind, { kind }]));

/** Returns the type of a simple name. */
export const typeNamed = (name: Simple): Type => simpleTypes.get(name) as Type;
export const dyn = typeNamed('dyn');
export const wrong = typeNamed('wrong');
export const listOf = (of: Type): Type => ({ kind: 'list', of });
export const mapOf = (key: Type, value: Type): Type => ({ kind: 'map', key, value });
export const optionalOf = (of: Type): Type => ({ kind: 'optional', of });

const isFree = ({ kind }: Type): boolean => kind === 'dyn' || kind === 'wrong';

/** Returns a type in the words of messages. */
export function typeText(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list(${typeText(type.of)})`;
    case 'map':
      return `map(${typeText(type.key)}, ${typeText(type.value)})`;
    case 'optional':
      return `optional_type(${typeText(type.of)})`;
    case 'type':
      return `type(${typeText(type.of)})`;
    case 'object':
    case 'opaque':
    case 'parameter':
      return type.name;
    case 'wrong':
      return '!error!';
    default:
      return type.kind;
  }
}

/** What the parameters of generic functions stand for, while one expression is checked. */
export class Bindings {
  #known = new Map<string, Type>();

  /** Returns a type without the parameters that are bound. A free one is `dyn` if `isFinal`. */
  resolve(type: Type, isFinal = false): Type {
    switch (type.kind) {
      case 'parameter': {
        const known = this.#known.get(type.name);
        if (known !== undefined) return this.resolve(known, isFinal);
        return isFinal ? dyn : type;
      }
      case 'list': {
        const of = this.resolve(type.of, isFinal);
        return of === type.of ? type : { ...type, of };
      }
      case 'map': {
        const key = this.resolve(type.key, isFinal);
        const value = this.resolve(type.value, isFinal);
        return key === type.key && value === type.value ? type : { ...type, key, value };
      }
      case 'optional':
      case 'type': {
        const of = this.resolve(type.of, isFinal);
        return of === type.of ? type : { kind: type.kind, of };
      }
      default:
        return type;
    }
  }

  /** Reports whether values of the types `from` fit the types `to`. Binds parameters only if all fit. */
  fits(to: readonly Type[], from: readonly Type[]): boolean {
    const before = new Map(this.#known);
    if (to.length === from.length && to.every((type, index) => this.#fits(type, from[index] as Type))) return true;
    this.#known = before;
    return false;
  }

  #fits(toUnbound: Type, fromUnbound: Type): boolean {
    const to = this.#bound(toUnbound);
    const from = this.#bound(fromUnbound);
    if (to.kind === 'parameter') return this.#bind(to.name, from);
    if (from.kind === 'parameter') return this.#bind(from.name, to);
    if (isFree(to) || isFree(from)) return true;
    if (from.kind === 'null' || to.kind === 'null') return from.kind === to.kind || takesNull(from) || takesNull(to);
    if (to.kind === 'list' && from.kind === 'list') return this.#fits(to.of, from.of);
    if (to.kind === 'optional' && from.kind === 'optional') return this.#fits(to.of, from.of);
    if (to.kind === 'type' && from.kind === 'type') return true;
    if (to.kind === 'map' && from.kind === 'map') {
      return this.#fits(to.key, from.key) && this.#fits(to.value, from.value);
    }
    return to.kind === from.kind && (!('name' in to) || ('name' in from && to.name === from.name));
  }

  #bind(name: string, type: Type): boolean {
    if (type.kind === 'parameter' && type.name === name) return true;
    if (this.#contains(type, name)) return false;
    this.#known.set(name, type);
    return true;
  }

  #bound(type: Type): Type {
    let at = type;
    while (at.kind === 'parameter') {
      const known = this.#known.get(at.name);
      if (known === undefined) return at;
      at = known;
    }
    return at;
  }

  #contains(unbound: Type, name: string): boolean {
    const type = this.#bound(unbound);
    if (type.kind === 'parameter') return type.name === name;
    if (type.kind === 'map') return this.#contains(type.key, name) || this.#contains(type.value, name);
    return type.kind === 'list' || type.kind === 'optional' || type.kind === 'type'
      ? this.#contains(type.of, name)
      : false;
  }
}

const takesNull = ({ kind }: Type): boolean => ['object', 'opaque', 'duration', 'timestamp', 'optional'].includes(kind);

/** Returns the more general of two types that fit each other. */
export function moreGeneral(one: Type, other: Type): Type {
  if (isFree(one)) return one;
  if (isFree(other)) return other;
  if (one.kind === 'parameter') return other;
  if (one.kind === 'null') return other;
  if (one.kind === 'list' && other.kind === 'list') return { kind: 'list', of: moreGeneral(one.of, other.of) };
  if (one.kind === 'map' && other.kind === 'map') {
    return { kind: 'map', key: moreGeneral(one.key, other.key), value: moreGeneral(one.value, other.value) };
  }
  if (one.kind === 'optional' && other.kind === 'optional') return optionalOf(moreGeneral(one.of, other.of));
  return one;
}

/** A function's types, as its row in a table writes them: `(string).split(string): list(string)`. */
export interface Signature {
  readonly name: string;
  readonly isMember: boolean;
  readonly parameters: readonly Type[];
  readonly result: Type;
}

/** Reads a signature. A capital letter is a parameter; other unknown names are opaque types. */
export function signatureOf(text: string): Signature {
  const words = text.match(/[\w.@?:!<>=&|+*/%[\]-]+|[(),]/g) ?? [];
  let at = 0;
  const type = (): Type => {
    const name = words[at++] ?? '';
    const args: Type[] = [];
    if (words[at] === '(') args.push(...list());
    return named(name, args);
  };
  const list = (): Type[] => {
    const types: Type[] = [];
    at += 1;
    while (words[at] !== ')') {
      if (words[at] === ',') at += 1;
      else types.push(type());
    }
    at += 1;
    return types;
  };
  const isMember = words[0] === '(';
  const receiver = isMember ? list() : [];
  const name = (words[at++] ?? '').replace(/^\./, '');
  const parameters = [...receiver, ...list()];
  at += 1;
  return { name, isMember, parameters, result: type() };
}

function named(name: string, [first = dyn, second = dyn]: readonly Type[]): Type {
  if (name === 'list') return listOf(first);
  if (name === 'map') return mapOf(first, second);
  if (name === 'optional') return optionalOf(first);
  if (name === 'type') return { kind: 'type', of: first };
  if (/^[A-Z]$/.test(name)) return { kind: 'parameter', name };
  return simpleTypes.get(name) ?? { kind: 'opaque', name };
}

let made = 0;

/** Returns the types of a signature with parameters of their own, for one call. */
export function freshTypes({ parameters, result }: Signature): { parameters: readonly Type[]; result: Type } {
  made += 1;
  const rename = (type: Type): Type => {
    if (type.kind === 'parameter') return { kind: 'parameter', name: `${type.name}${made}` };
    if (type.kind === 'list') return listOf(rename(type.of));
    if (type.kind === 'map') return mapOf(rename(type.key), rename(type.value));
    if (type.kind === 'optional' || type.kind === 'type') return { kind: type.kind, of: rename(type.of) };
    return type;
  };
  return { parameters: parameters.map(rename), result: rename(result) };
}
