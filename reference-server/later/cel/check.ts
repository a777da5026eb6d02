// Finds the type of each part of an expression, before it runs.
import type { Overload } from './functions/define.js';
import { define } from './functions/define.js';
import type { Fold, Issue, Literal, Node } from './syntax.js';
import {
  Bindings,
  dyn,
  freshTypes,
  listOf,
  mapOf,
  moreGeneral,
  type ObjectType,
  optionalOf,
  type Type,
  typeNamed,
  typeText,
  wrong,
} from './types.js';

/** What an expression can name. */
export interface Environment {
  readonly variables: ReadonlyMap<string, Type>;
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  /** The types of objects that an expression can make, by name. */
  objectType?(name: string): ObjectType | undefined;
}

/** What is known of a tree after its check. */
export interface Checked {
  readonly type: Type;
  readonly issues: readonly Issue[];
  typeOf(node: Node): Type;
  /** The functions that a call can be; the types of its arguments decide when it runs. */
  overloadsOf(node: Node): readonly Overload[];
  /** The arguments of a call, with the target first. */
  argumentsOf(node: Node & { kind: 'call' }): readonly Node[];
  /** The variable that a name with dots in it means. */
  variableOf(node: Node): string | undefined;
}

const never = (): never => {
  throw new Error('not called');
};
/** The operators that do not evaluate all their arguments, and those that only loops use. */
const special = new Map<string, readonly Overload[]>(
  [
    '_&&_(bool, bool): bool',
    '_||_(bool, bool): bool',
    '_?_:_(bool, A, A): A',
    '@not_strictly_false(bool): bool',
    '@append(list(A), list(A)): list(A)',
    '@insert(map(A, B), map(A, B)): map(A, B)',
  ].map((signature) => [signature.slice(0, signature.indexOf('(')), [define(signature, never)]]),
);

/** The names of types, which are values too. */
const typeNames = new Map<string, Type>([
  ...(['bool', 'bytes', 'double', 'int', 'string', 'uint'] as const).map((name) => [name, typeNamed(name)] as const),
  ['list', listOf(dyn)],
  ['map', mapOf(dyn, dyn)],
  ['null_type', typeNamed('null')],
  ['type', { kind: 'type', of: dyn }],
  ['google.protobuf.Timestamp', typeNamed('timestamp')],
  ['google.protobuf.Duration', typeNamed('duration')],
]);

/** Returns the name with dots that a node writes, or undefined. */
function dottedName(node: Node): string | undefined {
  if (node.kind === 'name') return node.name;
  if (node.kind !== 'select' || node.test) return undefined;
  const before = dottedName(node.of);
  return before === undefined ? undefined : `${before}.${node.field}`;
}

/** Checks a tree. The mistakes are in the result. */
export function check(tree: Node, environment: Environment): Checked {
  return new Checker(environment).whole(tree);
}

let parameters = 0;
const freeType = (): Type => {
  parameters += 1;
  return { kind: 'parameter', name: `_${parameters}` };
};

interface Scope {
  readonly types: ReadonlyMap<string, Type>;
  readonly outer: Scope | undefined;
}

class Checker {
  readonly #bindings = new Bindings();
  readonly #types = new Map<Node, Type>();
  readonly #overloads = new Map<Node, readonly Overload[]>();
  readonly #global = new Set<Node>();
  readonly #mixed = new Set<Node>();
  readonly #variables = new Map<Node, string>();
  readonly #issues: Issue[] = [];
  #scope: Scope | undefined;

  constructor(readonly environment: Environment) {}

  whole(tree: Node): Checked {
    const type = this.#check(tree);
    const final = (of: Type): Type => this.#bindings.resolve(of, true);
    return {
      type: final(type),
      issues: this.#issues,
      typeOf: (node) => final(this.#types.get(node) ?? dyn),
      overloadsOf: (node) => this.#overloads.get(node) ?? [],
      argumentsOf: (node) =>
        node.target === undefined || this.#global.has(node) ? node.args : [node.target, ...node.args],
      variableOf: (node) => this.#variables.get(node),
    };
  }

  #check(node: Node): Type {
    const type = this.#typeOf(node);
    this.#types.set(node, type);
    return type;
  }

  #issue(at: number, message: string): Type {
    this.#issues.push({ at, message });
    return wrong;
  }

  #text(type: Type): string {
    return typeText(this.#bindings.resolve(type, true));
  }

  #typeOf(node: Node): Type {
    switch (node.kind) {
      case 'literal':
        return literalType(node.value);
      case 'name':
        return this.#name(node, node.name) ?? this.#undeclared(node.at, node.name);
      case 'select':
        return this.#select(node);
      case 'call':
        return this.#call(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'object':
        return this.#object(node);
      case 'fold':
        return this.#fold(node, node);
    }
  }

  #undeclared(at: number, name: string): Type {
    return this.#issue(at, `undeclared reference to '${name}' (in container '')`);
  }

  /** Returns the type of a variable or of the name of a type. */
  #name(node: Node, name: string): Type | undefined {
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) {
      const known = scope.types.get(name);
      if (known !== undefined) return known;
    }
    const variable = this.environment.variables.get(name);
    if (variable !== undefined) {
      this.#variables.set(node, name);
      return variable;
    }
    const of = typeNames.get(name);
    return of && { kind: 'type', of };
  }

  #isLocal(name: string): boolean {
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) if (scope.types.has(name)) return true;
    return false;
  }

  #select(node: Node & { kind: 'select' }): Type {
    const dotted = dottedName(node);
    if (dotted !== undefined && !this.#isLocal(dotted.split('.')[0] ?? '')) {
      const known = this.#name(node, dotted);
      if (known !== undefined) return known;
    }
    const field = this.#field(this.#check(node.of), node.field, node.at);
    return node.test ? typeNamed('bool') : field;
  }

  #field(unresolved: Type, name: string, at: number): Type {
    const of = this.#bindings.resolve(unresolved);
    switch (of.kind) {
      case 'dyn':
      case 'parameter':
        return dyn;
      case 'wrong':
        return wrong;
      case 'map':
        return of.value;
      case 'optional':
        return optionalOf(this.#field(of.of, name, at));
      case 'object':
        return of.fieldOf(name) ?? this.#issue(at, `undefined field '${name}'`);
      default:
        return this.#issue(at, `type '${this.#text(of)}' does not support field selection`);
    }
  }

  #call(node: Node & { kind: 'call' }): Type {
    if (node.name === '_?._') return this.#optionalField(node);
    const { target } = node;
    const prefix = target && dottedName(target);
    const qualified = prefix === undefined ? undefined : `${prefix}.${node.name}`;
    const isGlobal =
      target === undefined ||
      (qualified !== undefined &&
        this.environment.functions.has(qualified) &&
        !this.#isLocal(prefix?.split('.')[0] ?? ''));
    if (isGlobal) this.#global.add(node);
    const name = (isGlobal && target !== undefined ? qualified : node.name) ?? node.name;
    const args = isGlobal ? node.args : [target, ...node.args];
    const known = special.get(name) ?? this.environment.functions.get(name);
    if (known === undefined && target !== undefined && !isGlobal) this.#check(target);
    if (known === undefined) {
      for (const arg of node.args) this.#check(arg);
      return this.#undeclared(node.at, name);
    }
    if (name === '_&&_' || name === '_||_') return this.#logical(args);
    // The items of a format may differ.
    if (name === 'format' && args[1]?.kind === 'list') this.#mixed.add(args[1]);
    const types = args.map((arg) => this.#check(arg));
    return this.#resolve(node, name, known, types, !isGlobal);
  }

  #logical(args: readonly Node[]): Type {
    for (const arg of args) this.#expect(arg, typeNamed('bool'));
    return typeNamed('bool');
  }

  #resolve(node: Node, name: string, known: readonly Overload[], types: readonly Type[], isMember: boolean): Type {
    const fitting: Overload[] = [];
    let result: Type | undefined;
    for (const overload of known) {
      if (overload.isMember !== isMember) continue;
      const fresh = freshTypes(overload);
      if (!this.#bindings.fits(fresh.parameters, types)) continue;
      fitting.push(overload);
      const mine = this.#bindings.resolve(fresh.result);
      result = result === undefined || typeText(result) === typeText(mine) ? mine : dyn;
    }
    this.#overloads.set(node, fitting);
    if (result !== undefined) return result;
    const [first, ...rest] = types.map((type) => this.#text(type));
    const applied = isMember ? `${first}.(${rest.join(', ')})` : `(${[first, ...rest].filter(Boolean).join(', ')})`;
    return this.#issue(node.at, `found no matching overload for '${name}' applied to '${applied}'`);
  }

  #optionalField(node: Node & { kind: 'call' }): Type {
    const [of, field] = node.args as [Node, Node];
    const name = field.kind === 'literal' ? String(field.value) : '';
    const type = this.#field(this.#check(of), name, node.at);
    return type.kind === 'optional' || type === wrong ? type : optionalOf(type);
  }

  /** Returns the type that all nodes have, or undefined if there are none. */
  #joined(nodes: readonly Node[], optional: ReadonlySet<number> = new Set()): Type | undefined {
    let joined: Type | undefined;
    for (const [index, node] of nodes.entries()) {
      let type = this.#check(node);
      if (optional.has(index)) type = this.#inner(node, type);
      joined = joined === undefined ? type : this.#join(joined, type, node);
    }
    return joined;
  }

  /** Returns what is inside an optional. */
  #inner(node: Node, unresolved: Type): Type {
    const type = this.#bindings.resolve(unresolved);
    if (type.kind === 'optional') return type.of;
    if (type.kind === 'dyn' || type.kind === 'wrong') return type;
    return this.#issue(node.at, `expected type 'optional_type(${this.#text(type)})' but found '${this.#text(type)}'`);
  }

  #join(one: Type, other: Type, node: Node): Type {
    if (this.#bindings.fits([one], [other])) {
      return moreGeneral(this.#bindings.resolve(one), this.#bindings.resolve(other));
    }
    return this.#issue(node.at, `expected type '${this.#text(one)}' but found '${this.#text(other)}'`);
  }

  #list(node: Node & { kind: 'list' }): Type {
    if (!this.#mixed.has(node)) return listOf(this.#joined(node.items, node.optional) ?? freeType());
    for (const item of node.items) this.#check(item);
    return listOf(dyn);
  }

  #map({ entries }: Node & { kind: 'map' }): Type {
    const key = this.#joined(entries.map((entry) => entry.key));
    const optional = new Set(entries.flatMap((entry, index) => (entry.optional ? [index] : [])));
    const value = this.#joined(
      entries.map((entry) => entry.value),
      optional,
    );
    return mapOf(key ?? freeType(), value ?? freeType());
  }

  #object({ at, type, entries }: Node & { kind: 'object' }): Type {
    const known = this.environment.objectType?.(type);
    for (const entry of entries) {
      const found = this.#check(entry.value);
      const value = entry.optional ? this.#inner(entry.value, found) : found;
      if (known === undefined) continue;
      const field = known.fieldOf(entry.field);
      if (field === undefined) this.#issue(entry.at, `undefined field '${entry.field}'`);
      else if (!this.#bindings.fits([field], [value])) {
        this.#issue(
          entry.at,
          `expected type of field '${entry.field}' is '${this.#text(field)}' but provided type is '${this.#text(value)}'`,
        );
      }
    }
    return known ?? this.#undeclared(at, type);
  }

  #fold(fold: Fold, { at }: Node): Type {
    const items = this.#items(fold);
    const accu = this.#check(fold.init);
    const outer = this.#scope;
    const withAccu = { types: new Map([[fold.accu, accu]]), outer };
    this.#scope = { types: new Map(items), outer: withAccu };
    this.#expect(fold.condition, typeNamed('bool'));
    this.#expect(fold.step, accu);
    this.#scope = withAccu;
    const result = this.#check(fold.result);
    this.#scope = outer;
    return result ?? this.#issue(at, 'no result');
  }

  /** Returns the variables of a loop. */
  #items({ range, first, second }: Fold): readonly (readonly [string, Type])[] {
    const of = this.#bindings.resolve(this.#check(range));
    switch (of.kind) {
      case 'list':
        return second === undefined
          ? [[first, of.of]]
          : [
              [first, typeNamed('int')],
              [second, of.of],
            ];
      case 'map':
        return second === undefined
          ? [[first, of.key]]
          : [
              [first, of.key],
              [second, of.value],
            ];
      case 'dyn':
      case 'parameter':
      case 'wrong':
        break;
      default: {
        const why = 'cannot be range of a comprehension (must be list, map, or dynamic)';
        this.#issue(range.at, `expression of type '${this.#text(of)}' ${why}`);
      }
    }
    const item = of.kind === 'dyn' || of.kind === 'parameter' ? dyn : wrong;
    return second === undefined
      ? [[first, item]]
      : [
          [first, item],
          [second, item],
        ];
  }

  #expect(node: Node, expected: Type): void {
    const found = this.#check(node);
    if (this.#bindings.fits([expected], [found])) return;
    this.#issue(node.at, `expected type '${this.#text(expected)}' but found '${this.#text(found)}'`);
  }
}

function literalType(value: Literal): Type {
  if (value === null) return typeNamed('null');
  if (value instanceof Uint8Array) return typeNamed('bytes');
  switch (typeof value) {
    case 'boolean':
      return typeNamed('bool');
    case 'bigint':
      return typeNamed('int');
    case 'number':
      return typeNamed('double');
    case 'string':
      return typeNamed('string');
    default:
      return typeNamed('uint');
  }
}
