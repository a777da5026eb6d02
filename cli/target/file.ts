// Target files: YAML that fits targets/target.schema.json, and the few rules that no schema can say.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  apiVersionOf,
  groupVersions,
  mechanisms,
  mediaTypes,
  operations,
  resourceId,
  resources,
} from '../../matrix/api/index.js';
import { nearest, unknownField, unknownName } from '../../matrix/api/nearest.js';
import {
  type Danger,
  type Deviation,
  featureNames,
  matchesWhole,
  type NotSupported,
  requirements,
  type Target,
} from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';
import { besideFile, packageRoot, readTextFile } from '../files.js';
import { type FieldPath, type ParsedFile, parseYamlFile } from './yaml.js';

/** The fields of a target file; those that are absent say nothing. `ca` is PEM text, `kubeconfig` a path. */
export interface TargetFile
  extends Partial<Pick<Target, 'name' | 'url' | 'disposable' | 'nodes' | 'images' | 'vendor' | 'features'>> {
  readonly ca?: string;
  readonly token?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespaceServer?: { readonly url: string; readonly ca?: string };
  readonly start?: string;
  readonly stop?: string;
  readonly fixtures?: boolean;
  readonly domains?: Partial<Target['domains']>;
  /** For each group version of the interface: plural to group version. */
  readonly aliases?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly notSupported: readonly NotSupported[];
  readonly deviations: readonly Deviation[];
  readonly dangerous: readonly Danger[];
}

let compiled: ValidateFunction | undefined;

/** Compiles the schema for the first target file: most commands read none. */
function compileSchema(): ValidateFunction {
  const schema: object = JSON.parse(readFileSync(join(packageRoot, 'targets/target.schema.json'), 'utf8'));
  return new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    verbose: true,
    validateSchema: false,
    formats: { uri: (text: string) => URL.canParse(text) },
  }).compile(schema);
}

/** Reads a target file. Throws UsageError: `file:line: field: what is wrong`, for the first wrong line. */
export function readTargetFile(file: string): TargetFile {
  const parsed = parseYamlFile(file, '--target');
  compiled ??= compileSchema();
  const faults = compiled(parsed.value)
    ? ruleFaults(parsed.value as unknown as TargetFile)
    : schemaFaults(parsed, compiled.errors);
  const [first] = faults
    .map((fault) => ({ ...fault, at: parsed.at(fault.path) }))
    .sort((one, other) => lineIn(one.at) - lineIn(other.at));
  if (first !== undefined) {
    const field = dotted(first.within ?? first.path);
    throw new UsageError(`${first.at}: ${field === '' ? '' : `${field}: `}${first.text}`);
  }
  const { $schema: _, ...fields } = parsed.value as unknown as TargetFile & { readonly $schema?: string };
  const { ca, kubeconfig, namespaceServer } = fields;
  const pem = (name: string, path: FieldPath): string =>
    readTextFile(besideFile(file, name), `${parsed.at(path)}: ${dotted(path)}`);
  return {
    ...fields,
    ...(ca !== undefined && { ca: pem(ca, ['ca']) }),
    ...(kubeconfig !== undefined && { kubeconfig: besideFile(file, kubeconfig) }),
    ...(namespaceServer?.ca !== undefined && {
      namespaceServer: { ...namespaceServer, ca: pem(namespaceServer.ca, ['namespaceServer', 'ca']) },
    }),
    notSupported: withPlaces(parsed, 'notSupported', fields.notSupported),
    deviations: withPlaces(parsed, 'deviations', fields.deviations),
    dangerous: withPlaces(parsed, 'dangerous', fields.dangerous),
  };
}

/** Something wrong in a file. */
interface Fault {
  readonly path: FieldPath;
  /** The field that the sentence is about, if it is another one. */
  readonly within?: FieldPath;
  readonly text: string;
}

const lineIn = (at: string): number => Number(at.slice(at.lastIndexOf(':') + 1));

const dotted = (path: FieldPath): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');

function withPlaces<Row extends object>({ at }: ParsedFile, list: string, rows: readonly Row[] | null | undefined) {
  return (rows ?? []).map((row, index) => ({ ...row, at: at([list, index]) }));
}

const schemaFaults = (parsed: ParsedFile, errors: ValidateFunction['errors']): Fault[] =>
  (errors ?? []).map((error) => schemaFault(error, parsed));

/** Returns what a person should do about an error of the schema. */
function schemaFault(error: ErrorObject, parsed: ParsedFile): Fault {
  const path = pathOf(error.instancePath, parsed.value);
  const { keyword, params, data } = error;
  const { title, type, writeOnly, properties } = error.parentSchema as SchemaNode;
  switch (keyword) {
    case 'additionalProperties': {
      const known = Object.keys(properties ?? {}).filter((name) => name !== '$schema');
      const name = String(params.additionalProperty);
      return { path: [...path, name], within: path, text: unknownField(name, known) };
    }
    case 'required':
      return { path, text: `${params.missingProperty} is missing` };
    case 'dependentRequired': {
      const { property, missingProperty } = params as Readonly<Record<string, string>>;
      return { path: [...path, property ?? ''], text: `requires ${missingProperty}, which is missing` };
    }
    case 'enum':
      if (typeof data === 'string')
        return { path, text: unknownName(title ?? 'value', data, params.allowedValues as readonly string[]) };
  }
  const allowed = params.allowedValues as readonly string[] | undefined;
  const expected = title ?? allowed?.join(', ') ?? words[[type].flat()[0] ?? ''] ?? 'another value';
  const source = parsed.source(path);
  const isUnquoted = [type].flat().includes('string') && ['number', 'boolean'].includes(typeof data);
  const quotes = isUnquoted ? `; write it in quotes: "${writeOnly ? '…' : source}"` : '';
  return { path, text: `must be ${expected}${writeOnly ? '' : `, not ${shown(data, source)}`}${quotes}` };
}

/** The parts of a schema that the sentences need. */
interface SchemaNode {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly writeOnly?: boolean;
  readonly properties?: object;
}

const words: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  object: 'an object with fields',
  array: 'a list',
};

function shown(value: unknown, source: string | undefined): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (value === null) return 'nothing';
  return typeof value === 'string' ? JSON.stringify(value) : String(source);
}

/** Returns the path of a JSON pointer; a step into a list is a number. */
function pathOf(pointer: string, root: unknown): FieldPath {
  let value = root;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const step = Array.isArray(value) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~');
      value = (value as Readonly<Record<string | number, unknown>>)[step];
      return step;
    });
}

const ids = requirements.map(({ id }) => id);

/** Returns the names that the tables of the interface do not have. */
function ruleFaults({ aliases = {}, deviations, dangerous, notSupported, ...file }: TargetFile): Fault[] {
  const unknownIds = Object.entries({ deviations, dangerous }).flatMap(([list, rows]) =>
    (rows ?? []).flatMap(({ requirement }, index) =>
      [requirement].flat().flatMap((id, place): Fault[] => {
        if (ids.includes(id)) return [];
        const field = typeof requirement === 'string' ? ['requirement'] : ['requirement', place];
        const text = `there is no requirement ${id}; did you mean ${nearest(id, ids)}?`;
        return [{ path: [list, index, ...field], text }];
      }),
    ),
  );
  const capabilities = (notSupported ?? []).flatMap(({ capability }, index): Fault[] => {
    const text = unknownCapability(capability);
    return text === undefined ? [] : [{ path: ['notSupported', index, 'capability'], text }];
  });
  return [...contradictions(file), ...unknownIds, ...capabilities, ...aliasFaults(aliases)];
}

function contradictions({ url, kubeconfig }: Partial<TargetFile>): Fault[] {
  if (url === undefined || kubeconfig === undefined) return [];
  return [{ path: ['kubeconfig'], text: 'contradicts url, since it has one itself: keep one of them' }];
}

/** The names of each kind of capability. */
const names = {
  feature: featureNames,
  group: [...new Set(groupVersions.map(({ group }) => group || 'core'))],
  mechanism: Object.keys(mechanisms),
  mediaType: Object.keys(mediaTypes),
  nodes: ['running', 'observed'],
  operation: operations.map(({ id }) => id),
  resource: resources.map(resourceId),
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Returns the sentence about a capability that the tables do not have, nor as a pattern. */
function unknownCapability(capability: string): string | undefined {
  const [kind, name] = capability.split(/:(.*)/s, 2) as [string, string];
  const known: readonly string[] = names[kind as keyof typeof names];
  if (isOfOtherGroup(kind, name)) return undefined;
  return known.some((one) => matchesWhole(name, one)) ? undefined : unknownName(kind, name, known);
}

/** Reports whether a name is in a group that only the server knows, as far as its name tells: it has a dot. */
function isOfOtherGroup(kind: string, name: string): boolean {
  const [, group = ''] = (kind === 'operation' ? /\/apis\/([^/]+)/ : /^([^/]+)/).exec(name) ?? [];
  return ['group', 'operation', 'resource'].includes(kind) && /\w\.\w/.test(group) && !names.group.includes(group);
}

function aliasFaults(aliases: NonNullable<TargetFile['aliases']>): Fault[] {
  const versions = groupVersions.map(apiVersionOf);
  return Object.entries(aliases).flatMap(([groupVersion, rows]): Fault[] => {
    const within = ['aliases', groupVersion];
    if (!versions.includes(groupVersion))
      return [{ path: within, within: ['aliases'], text: unknownField(groupVersion, versions) }];
    const plurals = resources.flatMap((row) => (apiVersionOf(row.groupVersion) === groupVersion ? [row.plural] : []));
    return Object.entries(rows).flatMap(([plural, to]): Fault[] => {
      const path = [...within, plural];
      if (!plurals.includes(plural)) return [{ path, within, text: unknownField(plural, plurals) }];
      return to === groupVersion ? [{ path, text: 'an alias of itself: name another group version' }] : [];
    });
  });
}
