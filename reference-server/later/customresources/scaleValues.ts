// The values of an object that its scale shows: numbers of replicas, and a selector.
import { isNumeric } from '../../exactJson.js';
import type { Causes } from '../../schema/causes.js';
import { isRecord, own } from '../../schema/object.js';
import { plain, typeOfValue } from '../managedfields/validate.js';
import type { ScaleSubresource } from './definition.js';
import { kindOfNumber } from './numberChecks.js';

const most = 2 ** 31 - 1;

/** Returns the names of a path of a scale: `.spec.replicas`. Real servers split it at dots, and know no quotes. */
export const scaleNames = (path: string): readonly string[] => path.replace(/^\./, '').split('.');

/** Adds a cause for each value that a scale cannot show. A change of the status alone is asked for its values only. */
export function checkScale(object: object, scale: ScaleSubresource, part: string | undefined, causes: Causes): void {
  if (part !== 'status') checkReplicas(object, scale.specReplicasPath, causes);
  checkReplicas(object, scale.statusReplicasPath, causes);
  const { labelSelectorPath: path } = scale;
  if (!path) return;
  const found = valueAt(object, path);
  if (found !== undefined && typeof found.value !== 'string') causes.invalid(path, '', mistaken(path, found, 'string'));
}

function checkReplicas(object: object, path: string, causes: Causes): void {
  const found = valueAt(object, path);
  if (found === undefined) return;
  const { value } = found;
  if (!isNumeric(value) || kindOfNumber(value) !== 'integer') causes.invalid(path, 0, mistaken(path, found, 'int64'));
  else if (value < 0) causes.invalid(path, value, 'should be a non-negative integer');
  else if (value > most) causes.invalid(path, value, `should be less than or equal to ${most}`);
}

/** What a path leads to. */
interface Found {
  readonly value: unknown;
  /** How many names of the path lead to the value, if it has no fields for the others. */
  readonly depth?: number;
}

function valueAt(object: object, path: string): Found | undefined {
  let value: unknown = object;
  for (const [depth, name] of scaleNames(path).entries()) {
    if (value === null) return undefined;
    if (!isRecord(value)) return { value, depth: depth + 1 };
    const next = own(value, name);
    if (next === undefined) return undefined;
    value = next;
  }
  return { value };
}

function mistaken(path: string, { value, depth }: Found, wanted: string): string {
  const names = scaleNames(path).slice(0, depth);
  const type = depth === undefined ? wanted : 'map[string]interface{}';
  return `.${names.join('.')} accessor error: ${plain(value)} is of the type ${typeOf(value)}, expected ${type}`;
}

function typeOf(value: unknown): string {
  if (value === null) return '<nil>';
  return isNumeric(value) ? (kindOfNumber(value) === 'integer' ? 'int64' : 'float64') : typeOfValue(value);
}
