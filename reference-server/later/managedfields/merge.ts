// Merges an applied configuration into an object, and takes out what no longer has an owner.
import { isRecord, own, setOwn } from '../../schema/object.js';
import { mayPause, type Steps } from '../../turns.js';
import { byStep } from './compare.js';
import { type FieldSet, isEmpty, setOf } from './fieldSet.js';
import { shapeOfField, shapeOfValue } from './owned.js';
import type { ListShape, ObjectShape, Shape } from './shape.js';
import { stepTo } from './steps.js';

/** Returns the value with all of the configuration in it; `undefined` is absent. Neither argument is changed. */
export function* merge(given: Shape, live: unknown, config: unknown): Steps<unknown> {
  if (config === undefined) return live;
  const shape = shapeOfValue(given, config === null ? live : config);
  if (shape.kind === 'object')
    return yield* mergeObjects(shape, isRecord(live) ? live : {}, isRecord(config) ? config : {});
  if (shape.kind === 'list' && !(itemsOf(live).length === 0 && itemsOf(config).length === 0)) {
    return yield* mergeLists(shape, itemsOf(live), itemsOf(config));
  }
  return config;
}

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function* mergeObjects(
  shape: ObjectShape,
  live: Readonly<Record<string, unknown>>,
  config: Readonly<Record<string, unknown>>,
): Steps<unknown> {
  const merged: Record<string, unknown> = {};
  if (mayPause()) yield;
  for (const source of [live, config]) {
    for (const name of Object.keys(source)) {
      if (mayPause()) yield;
      const [old, next] = [own(live, name), own(config, name)];
      if (source === config && old !== undefined) continue;
      if (next === undefined) setOwn(merged, name, old);
      else setOwn(merged, name, yield* merge(shapeOfField(shape, name), old, next));
    }
  }
  return merged;
}

/**
 * Merges lists by the steps of their items. Items of both have the order of the configuration; items of the live list
 * stay where they are among them.
 */
function* mergeLists(shape: ListShape, live: readonly unknown[], config: readonly unknown[]): Steps<unknown> {
  const liveSteps = live.map((item) => stepTo(item, shape));
  const configSteps = config.map((item) => stepTo(item, shape));
  const inLive = yield* byStep(live, shape);
  const inConfig = new Set(configSteps);
  const shared = configSteps.filter((step) => inLive.has(step));
  const done = new Set<string>();
  const merged: unknown[] = [];
  let nextShared = 0;
  const take = function* (at: number): Steps<void> {
    const step = configSteps[at] as string;
    const same = inLive.get(step) ?? [];
    merged.push(yield* merge(shape.items, same.length === 1 ? same[0] : undefined, config[at]));
    done.add(step);
    if (shared[nextShared] === step) nextShared += 1;
  };
  let left = 0;
  let right = 0;
  while (left < live.length || right < config.length) {
    if (mayPause()) yield;
    const step = liveSteps[left];
    if (step !== undefined) {
      if (step === configSteps[right]) {
        yield* take(right);
        left += 1;
        right += 1;
        continue;
      }
      const wanted = shared[nextShared];
      const isShared = inConfig.has(step);
      // A shared item comes where the configuration has it.
      const comesLater = isShared && right < config.length && wanted !== undefined && wanted !== step;
      if (!isShared) merged.push(live[left]);
      if (!isShared || comesLater || done.has(step)) left += 1;
      if (!isShared || comesLater) continue;
    }
    if (right < config.length) {
      yield* take(right);
      right += 1;
    }
  }
  return merged;
}

/** Returns a value without the parts that a set names. An object or list that loses all its parts is `null`. */
export function* withoutPaths(given: Shape, value: unknown, removed: FieldSet): Steps<unknown> {
  if (isEmpty(removed)) return value;
  const shape = shapeOfValue(given, value);
  if (shape.kind === 'object') return yield* withoutFields(shape, value as Record<string, unknown>, removed);
  if (shape.kind === 'list') return yield* withoutItems(shape, value as unknown[], removed);
  return value;
}

function* withoutFields(
  shape: ObjectShape,
  value: Readonly<Record<string, unknown>>,
  { branches }: FieldSet,
): Steps<unknown> {
  const left: Record<string, unknown> = {};
  let isLeft = false;
  if (mayPause()) yield;
  for (const name of Object.keys(value)) {
    if (mayPause()) yield;
    const removed = branches.get(`f:${name}`);
    if (removed?.isMember === true) continue;
    const inner = value[name];
    const kept = removed === undefined ? inner : yield* withoutPaths(shapeOfField(shape, name), inner, removed);
    setOwn(left, name, kept);
    isLeft = true;
  }
  return isLeft ? left : null;
}

function* withoutItems(shape: ListShape, items: readonly unknown[], { branches }: FieldSet): Steps<unknown> {
  const left: unknown[] = [];
  for (let at = 0; at < items.length; at++) {
    if (mayPause()) yield;
    const removed = branches.get(stepTo(items[at], shape));
    if (removed?.isMember === true) continue;
    left.push(removed === undefined ? items[at] : yield* withoutPaths(shape.items, items[at], removed));
  }
  return left.length > 0 ? left : null;
}

/**
 * Returns a set with the named fields whose parts it has. Sets leave such fields out, since the owner of a part of a
 * field keeps the field. Maps and items of lists have no named fields.
 */
export function withNamedFields(given: Shape, set: FieldSet): FieldSet {
  const branches = new Map<string, FieldSet>();
  for (const [step, branch] of set.branches) {
    const { shape, isNamed } = below(given, step);
    const inner = branch.branches.size === 0 ? branch : withNamedFields(shape, branch);
    branches.set(step, isNamed && !inner.isMember ? setOf(true, inner.branches) : inner);
  }
  return setOf(set.isMember, branches);
}

function below(shape: Shape, step: string): { readonly shape: Shape; readonly isNamed: boolean } {
  if (shape.kind === 'object' && step.startsWith('f:')) {
    const name = step.slice(2);
    return { shape: shapeOfField(shape, name), isNamed: shape.field(name) !== undefined };
  }
  return { shape: shape.kind === 'list' ? shape.items : shape, isNamed: false };
}
