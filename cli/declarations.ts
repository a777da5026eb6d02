// The declarations of a target file: unsupported capabilities, deviations and dangerous requirements. Each keeps its
// line number for messages.
import { readFileSync } from 'node:fs';
import { EVENT_ID, getScalarValue, parseEvents } from 'js-yaml';
import { mechanisms } from '../matrix/api/index.js';
import { unknownName } from '../matrix/api/nearest.js';
import type { NotSupported } from '../suites/requirements/index.js';
import { unknownFeature } from './demandedFeatures.js';
import { UsageError } from './usageError.js';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the line numbers, from 1, of the items of the list under a key. Returns an empty list if there is none. */
function itemLines(source: string, key: string): number[] {
  const lines: number[] = [];
  const stack: { readonly list: boolean; readonly wanted: boolean; key?: string; entries: number }[] = [];
  for (const event of parseEvents(source, {})) {
    if (event.type === EVENT_ID.POP) {
      stack.pop();
      continue;
    }
    const inside = stack.at(-1);
    const start = 'start' in event ? event.start : 'valueStart' in event ? event.valueStart : undefined;
    if (inside?.wanted && start !== undefined) lines.push(lineOf(source, start));
    const isKey = inside !== undefined && !inside.list && inside.entries % 2 === 0;
    if (isKey) inside.key = event.type === EVENT_ID.SCALAR ? getScalarValue(source, event) : '';
    if (inside !== undefined) inside.entries += 1;
    if (event.type === EVENT_ID.DOCUMENT) stack.push({ list: true, wanted: false, entries: 0 });
    if (event.type === EVENT_ID.MAPPING) stack.push({ list: false, wanted: false, entries: 0 });
    if (event.type === EVENT_ID.SEQUENCE) {
      stack.push({ list: true, wanted: stack.length === 2 && inside?.key === key, entries: 0 });
    }
  }
  return lines;
}

const lineOf = (source: string, offset: number): number => source.slice(0, offset).split('\n').length;

/** Reads the unsupported capabilities. Throws UsageError. */
export function readAbsences(file: string, { notSupported }: Record<string, unknown>): NotSupported[] {
  return declarations(file, 'notSupported', notSupported, ['capability', 'reason']) as unknown as NotSupported[];
}

/** Returns the rows of a list of declarations with their line numbers. Throws UsageError for an invalid row. */
export function declarations(file: string, list: string, value: unknown, required: readonly string[]): Fields[] {
  if (value === undefined || value === null) return [];
  const where = `${file}: ${list}`;
  if (!Array.isArray(value)) throw new UsageError(`${where}: must be a list`);
  const lines = itemLines(readText(file, '--target'), list);
  return value.map((row: unknown, index) => {
    const fields = (row ?? {}) as Fields;
    const lack = required.find(
      (key) => typeof fields[key] !== 'string' && !(key === 'requirement' && isTexts(fields[key])),
    );
    if (lack !== undefined) throw new UsageError(`${where}[${index}]: ${lack} is missing`);
    if (!isTexts(fields.subject)) optionalText(fields.subject, `${where}[${index}]: subject`);
    const link = optionalText(fields.link, `${where}[${index}]: link`);
    if (link !== undefined && !/^https?:\/\/./.test(link)) {
      throw new UsageError(`${where}[${index}]: link: write it as https://…`);
    }
    const { capability } = fields;
    if (
      typeof capability === 'string' &&
      !/^(group|resource|operation|mediaType|mechanism|nodes|feature):./.test(capability)
    ) {
      throw new UsageError(
        `${where}[${index}]: ${capability} is not a capability; write group:, resource:, operation:, mediaType:, ` +
          `mechanism:, nodes: or feature: and its name`,
      );
    }
    const unexpected = typeof capability === 'string' ? unknownCapability(capability) : undefined;
    if (unexpected !== undefined) throw new UsageError(`${where}[${index}]: ${unexpected}`);
    const line = lines[index];
    return line === undefined ? fields : { ...fields, at: `${file}:${line}` };
  });
}

/** Returns the fault in the name of a feature or mechanism, or undefined. */
function unknownCapability(capability: string): string | undefined {
  const name = capability.slice(capability.indexOf(':') + 1);
  if (capability.startsWith('feature:')) return unknownFeature([name]);
  if (!capability.startsWith('mechanism:') || Object.hasOwn(mechanisms, name)) return undefined;
  return unknownName('mechanism', name, Object.keys(mechanisms));
}

/** Returns the text of a file. Throws UsageError that names the option. */
export function readText(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${option}: cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? error}`);
  }
}

/** Reports whether a value is a non-empty list of strings. */
function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

/** Returns a field that is a string or absent. Throws UsageError otherwise. */
export function optionalText(value: unknown, where: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new UsageError(`${where}: must be a string`);
  return value;
}
