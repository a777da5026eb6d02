// Runs a checked expression, and counts what it costs.
import type { Checked } from './check.js';
import { fail, type Overload, sizeOf } from './functions/define.js';
import { itemAt, optionalItemAt } from './functions/operators.js';
import type { Fold, Literal, Node } from './syntax.js';
import {
  comparisons,
  EvaluationError,
  keyOf,
  List,
  Mapping,
  MapValue,
  Optional,
  TypeValue,
  Uint,
  type Value,
} from './values.js';

/** The expression cost more than it may. No operator catches it. */
export class CostExceeded extends Error {}

/** Counts the cost of one run. */
export class Meter {
  spent = 0;

  constructor(readonly limit: number) {}

  charge(cost: number): void {
    this.spent = Math.min(this.spent + cost, this.limit + 1);
    if (this.spent > this.limit) throw new CostExceeded('operation cancelled: actual cost limit exceeded');
  }
}

/** The values of variables. A missing one is an error of the caller. */
export type Variables = (name: string) => Value;

/** Makes an object of a type from its fields. */
export type MakeObject = (type: string, fields: ReadonlyMap<string, Value>) => Value;

interface Frame {
  readonly variables: Variables;
  readonly meter: Meter;
  /** The variables of loops. That of a step which failed is its error. */
  readonly slots: (Value | EvaluationError)[];
  readonly makeObject: MakeObject;
}

type Run = (frame: Frame) => Value;

/** What making a list, a map and an object costs. */
const listCost = 10;
const mapCost = 30;
const objectCost = 40;

/** Turns a checked tree into a function. */
export function runOf(
  tree: Node,
  checked: Checked,
): (variables: Variables, meter: Meter, makeObject: MakeObject) => Value {
  const run = new Planner(checked).plan(tree);
  return (variables, meter, makeObject) => run({ variables, meter, slots: [], makeObject });
}

class Planner {
  #names: string[] = [];

  constructor(readonly checked: Checked) {}

  plan(node: Node): Run {
    switch (node.kind) {
      case 'literal': {
        const value = literalValue(node.value);
        return () => value;
      }
      case 'name':
        return this.#name(node, node.name);
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
        return this.#fold(node);
    }
  }

  #name(node: Node, name: string): Run {
    const slot = this.#names.lastIndexOf(name);
    if (slot !== -1) {
      return ({ slots, meter }) => {
        meter.charge(1);
        const value = slots[slot];
        if (value instanceof EvaluationError) throw value;
        return value as Value;
      };
    }
    const variable = this.checked.variableOf(node);
    const type = new TypeValue(name);
    return ({ variables, meter }) => {
      meter.charge(1);
      return variable === undefined ? type : variables(variable);
    };
  }

  #select(node: Node & { kind: 'select' }): Run {
    const variable = this.checked.variableOf(node);
    if (variable !== undefined) return this.#name(node, variable);
    const type = this.checked.typeOf(node);
    if (type.kind === 'type' && node.of.kind !== 'call' && this.checked.typeOf(node.of) !== undefined) {
      const dotted = dottedType(node);
      if (dotted !== undefined) return () => new TypeValue(dotted);
    }
    const of = this.plan(node.of);
    const { field, test } = node;
    if (test) {
      return (frame) => {
        const from = of(frame);
        if (from instanceof Optional) return from.value !== undefined && hasField(from.value, field);
        return hasField(from, field);
      };
    }
    return (frame) => {
      const from = of(frame);
      frame.meter.charge(1);
      return from instanceof Optional ? optionalItemAt(from, field) : fieldOf(from, field);
    };
  }

  #call(node: Node & { kind: 'call' }): Run {
    const args = this.checked.argumentsOf(node).map((arg) => this.plan(arg));
    const [first, second, third] = args as [Run, Run, Run];
    switch (node.name) {
      case '_&&_':
        return logical(first, second, false);
      case '_||_':
        return logical(first, second, true);
      case '_?_:_':
        return (frame) => {
          const condition = first(frame);
          if (typeof condition !== 'boolean') return fail('no such overload');
          return condition ? second(frame) : third(frame);
        };
      case '@not_strictly_false':
        return (frame) => {
          const value = orError(first, frame);
          frame.meter.charge(1);
          return value !== false;
        };
      case '@append':
      case '@insert':
        return (frame) => {
          const into = first(frame);
          const more = second(frame);
          frame.meter.charge(1);
          return into instanceof List ? into.push((more as List).at(0)) : inserted(into as MapValue, more as Mapping);
        };
      case '_?._':
        return (frame) => {
          const from = first(frame);
          frame.meter.charge(1);
          return optionalItemAt(from, second(frame));
        };
      case '_[_]':
      case '_[?_]': {
        const get = node.name === '_[_]' ? itemAt : optionalItemAt;
        return (frame) => {
          const from = first(frame);
          const index = second(frame);
          frame.meter.charge(1);
          return from instanceof Optional ? optionalItemAt(from, index) : get(from, index);
        };
      }
      default:
        return called(args, this.checked.overloadsOf(node));
    }
  }

  #list({ items, optional }: Node & { kind: 'list' }): Run {
    const runs = items.map((item) => this.plan(item));
    return (frame) => {
      const values: Value[] = [];
      for (const [index, run] of runs.entries()) {
        const value = run(frame);
        if (!optional.has(index)) values.push(value);
        else if (!(value instanceof Optional)) fail('no such overload');
        else if (value.value !== undefined) values.push(value.value);
      }
      frame.meter.charge(listCost);
      return new List(values);
    };
  }

  #map({ entries }: Node & { kind: 'map' }): Run {
    const runs = entries.map(({ key, value, optional }) => ({
      key: this.plan(key),
      value: this.plan(value),
      optional,
    }));
    return (frame) => {
      const map = new MapValue();
      for (const { key, value, optional } of runs) add(map, key(frame), value(frame), optional);
      frame.meter.charge(mapCost);
      return map;
    };
  }

  #object({ type, entries }: Node & { kind: 'object' }): Run {
    const runs = entries.map(({ field, value, optional }) => ({ field, run: this.plan(value), optional }));
    return (frame) => {
      const fields = new Map<string, Value>();
      for (const { field, run, optional } of runs) {
        const value = run(frame);
        if (!optional) fields.set(field, value);
        else if (value instanceof Optional && value.value !== undefined) fields.set(field, value.value);
      }
      frame.meter.charge(objectCost);
      return frame.makeObject(type, fields);
    };
  }

  #fold({ range, first, second, accu, init, condition, step, result }: Fold): Run {
    const runRange = this.plan(range);
    const runInit = this.plan(init);
    const outer = this.#names;
    const base = outer.length;
    this.#names = [...outer, accu, first, second ?? '#none'];
    const runCondition = this.plan(condition);
    const runStep = this.plan(step);
    this.#names = [...outer, accu];
    const runResult = this.plan(result);
    this.#names = outer;
    return (frame) => {
      const over = runRange(frame);
      const { slots } = frame;
      // The steps of a map or filter change the list or map that `init` makes.
      slots[base] = runInit(frame);
      for (const [key, item] of itemsOf(over, second !== undefined)) {
        slots[base + 1] = key;
        slots[base + 2] = item;
        if (runCondition(frame) !== true) break;
        // After a failed step the loop goes on: a later item may decide, as in `||`.
        slots[base] = orError(runStep, frame);
      }
      return runResult(frame);
    };
  }
}

/** Runs a part whose failure is not yet that of the whole. */
function orError(run: Run, frame: Frame): Value | EvaluationError {
  try {
    return run(frame);
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

function called(args: readonly Run[], overloads: readonly Overload[]): Run {
  const [only] = overloads;
  return (frame) => {
    const values = args.map((run) => run(frame));
    const overload = overloads.length === 1 && only?.takes(values) ? only : overloads.find((one) => one.takes(values));
    if (overload === undefined) return fail('no such overload');
    frame.meter.charge(overload.cost(...values.map(sizeOf)));
    const result = overload.run(...(values as never[]));
    chargeComparisons(frame.meter);
    if (typeof result === 'string' && result.length > freeText) frame.meter.charge(result.length / 10);
    return result;
  };
}

/** The parts of large values that are compared for one unit of cost. Real servers charge nothing for them. */
const comparedForOne = 10;
const comparedForNothing = 1000;

/** The length of a text that costs nothing beyond the call that makes it. */
const freeText = 1000;

function chargeComparisons(meter: Meter): void {
  if (comparisons.count < comparedForNothing) return;
  const { count } = comparisons;
  comparisons.count = 0;
  meter.charge(count / comparedForOne);
}

/** `&&` and `||`: a value that decides does so even if the other operand fails. */
function logical(first: Run, second: Run, decides: boolean): Run {
  return (frame) => {
    let failed: EvaluationError | undefined;
    for (const run of [first, second]) {
      const value = orError(run, frame);
      if (value === decides) return decides;
      if (value instanceof EvaluationError) failed ??= value;
      else if (value !== !decides) failed ??= new EvaluationError('no such overload');
    }
    if (failed !== undefined) throw failed;
    return !decides;
  };
}

/** A value without fields has no field of any name. */
function fieldOf(from: Value, field: string): Value {
  const value = from instanceof Mapping ? from.get(field) : undefined;
  return value ?? (from instanceof Mapping && from.has(field) ? null : fail(`no such key: ${field}`));
}

const hasField = (from: Value, field: string): boolean => from instanceof Mapping && from.has(field);

function* itemsOf(over: Value, isPair: boolean): Generator<readonly [Value, Value]> {
  if (over instanceof List) {
    for (let index = 0; index < over.size; index += 1)
      yield isPair ? [BigInt(index), over.at(index)] : [over.at(index), null];
  } else if (over instanceof Mapping) {
    for (const key of over.keys()) yield [key, isPair ? (over.get(keyOf(key) ?? '') ?? null) : null];
  } else fail('no such overload');
}

function add(map: MapValue, key: Value, value: Value, optional: boolean): void {
  if (optional && !(value instanceof Optional)) fail('no such overload');
  const inner = optional ? (value as Optional).value : value;
  if (inner !== undefined && !map.set(key, inner)) fail('unsupported key type');
}

function inserted(map: MapValue, more: Mapping): MapValue {
  for (const key of more.keys()) {
    const known = keyOf(key) ?? '';
    if (map.has(known)) fail(`insert failed: key ${String(key)} already exists`);
    map.set(key, more.get(known) ?? null);
  }
  return map;
}

function literalValue(value: Literal): Value {
  return value !== null && typeof value === 'object' && 'uint' in value ? new Uint(value.uint) : value;
}

function dottedType(node: Node): string | undefined {
  if (node.kind === 'name') return node.name;
  if (node.kind !== 'select') return undefined;
  const before = dottedType(node.of);
  return before === undefined ? undefined : `${before}.${node.field}`;
}
