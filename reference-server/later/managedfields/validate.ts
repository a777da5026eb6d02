// Checks an applied configuration: fields that the type lacks, values of other types, items that occur twice.
import { isNumeric } from '../../exactJson.js';
import { cut } from '../../excerpt.js';
import { isRecord } from '../../schema/object.js';
import { mayPause, type Steps } from '../../turns.js';

import type { ListShape, ObjectShape, Shape } from './shape.js';
import { BadItem, stepText, stepTo } from './steps.js';

const mostMistakes = 20;

/** Returns the mistakes of an applied configuration, each with its path. */
export function* mistakesIn(shape: Shape, config: unknown): Steps<readonly string[]> {
  const mistakes: string[] = [];
  yield* check(shape, config, '', mistakes);
  return mistakes;
}

function* check(shape: Shape, value: unknown, path: string, mistakes: string[]): Steps<void> {
  if (value === null || value === undefined || mistakes.length >= mostMistakes) return;
  const inside = shape.kind === 'leaf' ? (shape.inside ?? shape) : shape;
  if (inside.kind === 'object') {
    if (isRecord(value)) yield* checkFields(inside, value, path, mistakes);
    else mistakes.push(`${path}: expected map, got &{${plain(value)}}`);
  } else if (inside.kind === 'list') {
    if (!Array.isArray(value)) mistakes.push(`${path}: expected list, got &{${plain(value)}}`);
    else if (inside === shape) yield* checkItems(inside, value, path, mistakes);
    else yield* checkWholeItems(inside, value, path, mistakes);
  } else if (
    shape.kind === 'leaf' &&
    shape.scalar !== undefined &&
    !(typeof value === scalars[shape.scalar] || (shape.scalar === 'numeric' && isNumeric(value)))
  ) {
    mistakes.push(
      shape.scalar === 'numeric'
        ? `${path}: expected numeric (int or float), got ${typeOfValue(value)}`
        : `${path}: expected ${shape.scalar}, got &value.valueUnstructured{Value:${exact(value)}}`,
    );
  }
}

/** The types of JSON for each type of scalar. */
const scalars = { string: 'string', boolean: 'boolean', numeric: 'number' } as const;

function* checkFields(
  shape: ObjectShape,
  value: Readonly<Record<string, unknown>>,
  path: string,
  mistakes: string[],
): Steps<void> {
  if (mayPause()) yield;
  for (const name of Object.keys(value)) {
    if (mayPause()) yield;
    const field = shape.field(name) ?? shape.others;
    if (field === undefined) mistakes.push(`${path}.${name}: field not declared in schema`);
    else yield* check(field, value[name], `${path}.${name}`, mistakes);
    if (mistakes.length >= mostMistakes) return;
  }
}

function* checkItems(shape: ListShape, items: readonly unknown[], path: string, mistakes: string[]): Steps<void> {
  const seen = new Map<string, number>();
  for (let at = 0; at < items.length; at++) {
    if (mayPause()) yield;
    try {
      const step = stepTo(items[at], shape);
      const before = seen.get(step) ?? 0;
      seen.set(step, before + 1);
      if (before === 1) mistakes.push(`${path}: duplicate entries for key ${stepText(step)}`);
      yield* check(shape.items, items[at], `${path}${stepText(step)}`, mistakes);
    } catch (error) {
      if (!(error instanceof BadItem)) throw error;
      mistakes.push(`${path}: element ${at}: ${error.message}`);
      return;
    }
    if (mistakes.length >= mostMistakes) return;
  }
}

/** Checks the items of a list that has one owner: they have no keys. */
function* checkWholeItems({ items: shape }: ListShape, items: readonly unknown[], path: string, mistakes: string[]) {
  for (const [at, item] of items.entries()) {
    if (mayPause()) yield;
    yield* check(shape, item, `${path}[${at}]`, mistakes);
    if (mistakes.length >= mostMistakes) return;
  }
}

const longestShown = 100;

/** The beginning of a value, as real servers print it: `map[a:1]`, `[a b]`. */
export const plain = (value: unknown): string => cut(printed(value, longestShown, false), longestShown);

/** The beginning of a value, as real servers print it with its types: `[]interface {}{"a"}`. */
const exact = (value: unknown): string => cut(printed(value, longestShown, true), longestShown);

function printed(value: unknown, room: number, isTyped: boolean): string {
  if (typeof value === 'string') return isTyped ? JSON.stringify(cut(value, room)) : cut(value, room);
  if (typeof value !== 'object') return String(value);
  if (value === null) return isTyped ? 'interface {}(nil)' : '<nil>';
  const parts: string[] = [];
  let left = room;
  for (const name of Array.isArray(value) ? value.keys() : Object.keys(value).sort()) {
    if (left <= 0) break;
    const inner = printed((value as Readonly<Record<string, unknown>>)[name], left, isTyped);
    const part = typeof name === 'number' ? inner : `${isTyped ? JSON.stringify(cut(name, left)) : name}:${inner}`;
    left -= part.length;
    parts.push(part);
  }
  const [start, separator, end] = isTyped
    ? [`${typeOfValue(value)}{`, ', ', '}']
    : [isRecord(value) ? 'map[' : '[', ' ', ']'];
  return start + parts.join(separator) + end;
}

/** The type of a value in the words of real servers. */
export function typeOfValue(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (isRecord(value)) return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  return typeof value;
}
