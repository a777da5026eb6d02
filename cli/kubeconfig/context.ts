// Reads kubeconfigs: one file, or several files merged as kubectl does.
import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { unknownName } from '../../matrix/api/nearest.js';
import { UsageError } from '../errors.js';
import { readTextFile } from '../files.js';
import { yamlOffset } from '../yamlErrors.js';

/** The fields of an entry, and its file. */
export interface KubeconfigEntry {
  readonly file: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface KubeconfigContext {
  readonly name: string;
  readonly cluster: KubeconfigEntry;
  readonly user: KubeconfigEntry;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the files in the variable KUBECONFIG, or undefined if it has none. */
export function kubeconfigOfEnvironment(): string | undefined {
  const value = process.env.KUBECONFIG ?? '';
  return value.split(delimiter).some((file) => file !== '') ? value : undefined;
}

/**
 * Reads a context, by default the current one, from a file or from a list of files as in KUBECONFIG. The first
 * definition of several counts. Throws UsageError that names the file and the mistake, and `where` the file was named.
 */
export function readContext(list: string, wanted: string | undefined, where = '--kubeconfig'): KubeconfigContext {
  const files = list.split(delimiter).filter((file) => file !== '');
  const configs = files.flatMap((file) => readConfig(file, files.length > 1, where) ?? []);
  if (configs.length === 0) throw new UsageError(`${where}: ${list}: none of these files exists`);
  const current = configs
    .map(({ file, fields }) => optionalText(fields['current-context'], `${file}: current-context`))
    .find((name) => name !== undefined && name !== '');
  const name = wanted ?? current;
  if (name === undefined) throw new UsageError(`${list}: no current-context; give one with --context`);
  const context = entry(configs, list, 'contexts', name, 'context');
  const of = (field: 'cluster' | 'user'): KubeconfigEntry => {
    const of = optionalText(context.fields[field], `${context.file}: contexts: ${name}: ${field}`);
    if (of === undefined && field === 'user') return { file: context.file, fields: {} };
    return entry(configs, list, `${field}s`, of ?? '', field);
  };
  return { name, cluster: of('cluster'), user: of('user') };
}

/** Returns a string, or undefined if it is absent. Throws UsageError for other values. */
export function optionalText(value: unknown, where: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new UsageError(`${where}: must be a string`);
  return value;
}

/** Reads a file. Returns undefined for a missing file if it is one of several. */
function readConfig(file: string, isOneOfMany: boolean, where: string): KubeconfigEntry | undefined {
  if (isOneOfMany && !existsSync(file)) return undefined;
  const text = readTextFile(file, where);
  const value = yamlIn(file, text);
  if ((value === undefined || value === null) && isOneOfMany) return undefined;
  if (!isFields(value)) throw new UsageError(`${where}: ${file} is not a kubeconfig: it has no fields`);
  return { file, fields: value };
}

/** Returns the value of a YAML text. Throws UsageError with the line of the mistake. */
function yamlIn(file: string, text: string): unknown {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [wrong] = document.errors;
  if (wrong === undefined) return document.toJS();
  const { line } = lineCounter.linePos(yamlOffset(wrong, text));
  throw new UsageError(`${file}:${line}: not YAML: ${wrong.message}`);
}

function entry(
  configs: readonly KubeconfigEntry[],
  list: string,
  kind: string,
  name: string,
  field: string,
): KubeconfigEntry {
  const known: string[] = [];
  for (const { file, fields } of configs) {
    const rows: unknown = fields[kind];
    for (const row of Array.isArray(rows) ? rows : []) {
      if (!isFields(row) || !isFields(row[field])) continue;
      if (row.name === name) return { file, fields: row[field] };
      known.push(String(row.name));
    }
  }
  throw new UsageError(`${list}: ${known.length === 0 ? `it has no ${kind}` : unknownName(field, name, known)}`);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
