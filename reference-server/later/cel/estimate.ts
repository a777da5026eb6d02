// Estimates what an expression can cost at most, before it runs: by the sizes that the schema allows.
import type { Checked } from './check.js';
import { characters, type Overload, type Range } from './functions/define.js';
import type { Fold, Node } from './syntax.js';
import type { Type } from './types.js';

/** More than any limit: the estimate of what has no bound. */
const unbounded = 2 ** 64;

const one: Range = { least: 1, most: 1 };
const zero: Range = { least: 0, most: 0 };
const anySize: Range = { least: 0, most: unbounded };

const bounded = (value: number): number => Math.min(value, unbounded);
const sum = (...ranges: readonly Range[]): Range => ({
  least: bounded(ranges.reduce((total, { least }) => total + least, 0)),
  most: bounded(ranges.reduce((total, { most }) => total + most, 0)),
});
const product = (a: Range, b: Range): Range => ({ least: bounded(a.least * b.least), most: bounded(a.most * b.most) });
const union = (a: Range, b: Range): Range => ({ least: Math.min(a.least, b.least), most: Math.max(a.most, b.most) });

/** Returns the most that an expression can cost. */
export const mostCostOf = (tree: Node, checked: Checked): number => new Estimator(checked).cost(tree).most;

/** The values whose size matters for what functions cost. */
const sized: readonly Type['kind'][] = ['bytes', 'dyn', 'list', 'map', 'string'];

class Estimator {
  /** The sizes of the values that parts of the expression make. */
  readonly #sizes = new Map<Node, Range>();
  /** The variables of the loops around a node, with the sizes that their types do not say. */
  readonly #locals: { readonly name: string; readonly size: Range | undefined }[] = [];

  constructor(readonly checked: Checked) {}

  cost(node: Node): Range {
    switch (node.kind) {
      case 'literal': {
        const { value } = node;
        const size = typeof value === 'string' ? characters(value) : value instanceof Uint8Array ? value.length : 1;
        this.#sizes.set(node, { least: size, most: size });
        return zero;
      }
      case 'name':
        return this.#name(node);
      case 'select':
        return this.#select(node);
      case 'call':
        return this.#call(node);
      case 'list':
        return this.#made(node, node.items, 10);
      case 'map':
        return this.#made(
          node,
          node.entries.flatMap(({ key, value }) => [key, value]),
          30,
          node.entries.length,
        );
      case 'object':
        return this.#made(
          node,
          node.entries.map(({ value }) => value),
          40,
        );
      case 'fold':
        return this.#fold(node, node);
    }
  }

  /** Returns the size of what a node gives: known, or by its schema. */
  #size(node: Node): Range {
    const known = this.#sizes.get(node);
    if (known !== undefined) return known;
    const type = this.checked.typeOf(node);
    if ('most' in type && type.most !== undefined) return { least: 0, most: type.most };
    return sized.includes(type.kind) ? anySize : one;
  }

  #name(node: Node & { kind: 'name' }): Range {
    const local = this.#locals.findLast(({ name }) => name === node.name);
    if (local?.size !== undefined) this.#sizes.set(node, local.size);
    return one;
  }

  #select(node: Node & { kind: 'select' }): Range {
    if (this.checked.variableOf(node) !== undefined) return one;
    const of = this.cost(node.of);
    if (node.test) return of;
    return ['map', 'object'].includes(this.checked.typeOf(node.of).kind) ? sum(of, one) : of;
  }

  #made(node: Node, parts: readonly Node[], cost: number, size = parts.length): Range {
    const own = { least: cost, most: cost };
    this.#sizes.set(node, { least: size, most: size });
    return sum(own, ...parts.map((part) => this.cost(part)));
  }

  #call(node: Node & { kind: 'call' }): Range {
    const args = this.checked.argumentsOf(node);
    const costs = args.map((arg) => this.cost(arg)) as [Range, Range, Range];
    const [first, second, third] = costs;
    switch (node.name) {
      case '_&&_':
      case '_||_':
        return { least: first.least, most: sum(first, second).most };
      case '_?_:_':
        this.#sizes.set(node, union(this.#size(args[1] as Node), this.#size(args[2] as Node)));
        return sum(first, union(second, third));
      case '@append':
        this.#sizes.set(node, anySize);
        return sum(...costs, one);
      default:
        return sum(...costs, this.#callCost(node, args));
    }
  }

  #callCost(node: Node & { kind: 'call' }, args: readonly Node[]): Range {
    const sizes = args.map((arg) => this.#size(arg));
    let cost: Range | undefined;
    let size: Range | undefined;
    for (const overload of this.checked.overloadsOf(node)) {
      const mine = costOf(overload, sizes);
      cost = cost === undefined ? mine : union(cost, mine);
      const result = overload.size?.(...sizes);
      if (result !== undefined) size = size === undefined ? result : union(size, result);
    }
    if (size !== undefined) this.#sizes.set(node, { least: bounded(size.least), most: bounded(size.most) });
    return cost ?? one;
  }

  #fold(fold: Fold, node: Node): Range {
    const range = this.cost(fold.range);
    const init = this.cost(fold.init);
    const count = this.#size(fold.range);
    const initSize = this.#sizes.get(fold.init);
    const isBuilt = fold.init.kind === 'list' || fold.init.kind === 'map';
    this.#locals.push({ name: fold.accu, size: isBuilt ? { least: 0, most: count.most } : initSize });
    this.#locals.push({ name: fold.first, size: undefined });
    if (fold.second !== undefined) this.#locals.push({ name: fold.second, size: undefined });
    const turn = sum(this.cost(fold.condition), this.cost(fold.step));
    this.#locals.splice(this.#locals.length - (fold.second === undefined ? 1 : 2));
    const result = this.cost(fold.result);
    this.#locals.pop();
    const size = isBuilt ? { least: 0, most: count.most } : this.#sizes.get(fold.result);
    if (size !== undefined) this.#sizes.set(node, size);
    return sum(range, init, product(count, turn), result);
  }
}

function costOf(overload: Overload, sizes: readonly Range[]): Range {
  return {
    least: bounded(overload.cost(...sizes.map(({ least }) => least))),
    most: bounded(overload.cost(...sizes.map(({ most }) => most))),
  };
}
