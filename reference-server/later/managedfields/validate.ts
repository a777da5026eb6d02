// Checks an applied configuration: fields that the type lacks, values of other types, items that occur twice.
import { isRecord } from '../../schema/object.js';
import { isTurn, type Steps } from './owned.js';
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
  if (shape.kind === 'object') {
    if (isRecord(value)) yield* checkFields(shape, value, path, mistakes);
    else mistakes.push(`${path}: expected map, got ${shown(value)}`);
  } else if (shape.kind === 'list') {
    if (Array.isArray(value)) yield* checkItems(shape, value, path, mistakes);
    else mistakes.push(`${path}: expected list, got ${shown(value)}`);
  } else if (shape.kind === 'leaf' && shape.scalar !== undefined && typeof value !== scalars[shape.scalar]) {
    mistakes.push(`${path}: expected ${shape.scalar}, got ${shown(value)}`);
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
  if (isTurn()) yield;
  for (const name of Object.keys(value)) {
    if (isTurn()) yield;
    const field = shape.field(name) ?? shape.others;
    if (field === undefined) mistakes.push(`${path}.${name}: field not declared in schema`);
    else yield* check(field, value[name], `${path}.${name}`, mistakes);
    if (mistakes.length >= mostMistakes) return;
  }
}

function* checkItems(shape: ListShape, items: readonly unknown[], path: string, mistakes: string[]): Steps<void> {
  const seen = new Map<string, number>();
  for (let at = 0; at < items.length; at++) {
    if (isTurn()) yield;
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

const longestShown = 100;

/** A value as the messages of servers show it. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return `&{[${value.map(String).join(' ').slice(0, longestShown)}]}`;
  const text = isRecord(value) ? 'map' : JSON.stringify(value);
  return `&value.valueUnstructured{Value:${text.slice(0, longestShown)}}`;
}
