// The rules of the versions of a definition: their names, schemas, subresources, columns and selectable fields.
import { longExcerpt } from '../../excerpt.js';
import type { Causes } from '../../schema/causes.js';
import { unprintable } from '../../schema/goText.js';
import { equal, type KubeObject } from '../../schema/object.js';
import type { Steps } from '../../turns.js';
import { DefaultRules } from './defaultRules.js';
import {
  type DefinitionSpec,
  type DefinitionVersion,
  definitionSpecOf,
  type PrinterColumn,
  type ScaleSubresource,
} from './definition.js';
import { namesIn, schemaAt } from './fieldPath.js';
import { checkRoot, checkSchema } from './schemaRules.js';
import type { StructuralSchema } from './structuralSchema.js';

/** The parts of a version that real servers keep in one place, and name there, if they are the same for all versions. */
const parts = {
  schema: 'validation',
  subresources: 'subresources',
  additionalPrinterColumns: 'additionalPrinterColumns',
  selectableFields: 'selectableFields',
} as const;

type Part = keyof typeof parts;

/** Checks the versions of a definition. `before` is the definition that an update replaces. */
export class VersionRules {
  /** The parts that all versions share. */
  readonly shared: ReadonlySet<Part>;
  readonly #defaults: DefaultRules;

  constructor(
    readonly spec: DefinitionSpec,
    readonly before: KubeObject | undefined,
    minor: number,
    readonly causes: Causes,
  ) {
    this.#defaults = new DefaultRules(minor, causes);
    const [first, ...others] = spec.versions;
    const isShared = (part: Part) => others.every((one) => equal(one[part] ?? [], first?.[part] ?? []));
    this.shared = new Set((Object.keys(parts) as Part[]).filter(isShared));
  }

  /** Checks the parts of a version that not all versions share. */
  *own(version: DefinitionVersion, at: string): Steps<void> {
    const of = (part: Part) => (this.shared.has(part) ? undefined : version);
    const fieldOf = (part: Part) => `${at}.${part}`;
    const withStatus = this.shared.has('subresources') ? this.spec.versions[0] : version;
    yield* this.#check(of, fieldOf, withStatus?.subresources?.status !== undefined);
  }

  /** Checks the parts that all versions share. */
  *ofAll(): Steps<void> {
    const of = (part: Part) => (this.shared.has(part) ? this.spec.versions[0] : undefined);
    const fieldOf = (part: Part) => `spec.${parts[part]}`;
    const hasStatus = this.spec.versions.some(({ subresources }) => subresources?.status !== undefined);
    yield* this.#check(of, fieldOf, hasStatus);
  }

  *#check(
    of: (part: Part) => DefinitionVersion | undefined,
    fieldOf: (part: Part) => string,
    hasStatus: boolean,
  ): Steps<void> {
    const { causes } = this;
    const { name, schema } = of('schema') ?? {};
    const root = schema?.openAPIV3Schema;
    const old = this.before && definitionSpecOf(this.before).versions.find((one) => one.name === name);
    if (root !== undefined) {
      const field = `${fieldOf('schema')}.openAPIV3Schema`;
      if (hasStatus) checkRoot(root, field, causes);
      if (!equal(root, old?.schema?.openAPIV3Schema)) yield* checkSchema(root, field, this.#defaults, causes);
    }
    const { scale } = of('subresources')?.subresources ?? {};
    if (scale !== undefined) checkScale(scale, `${fieldOf('subresources')}.scale`, causes);
    const columns = of('additionalPrinterColumns')?.additionalPrinterColumns ?? [];
    checkColumns(columns, fieldOf('additionalPrinterColumns'), causes);
    const { selectableFields = [] } = of('selectableFields') ?? {};
    checkSelectable(selectableFields, root, fieldOf('selectableFields'), causes);
  }
}

/** The most bytes of the warning about a deprecated version. */
const longestWarning = 256;

export function checkWarning(
  { deprecated, deprecationWarning: text }: DefinitionVersion,
  field: string,
  causes: Causes,
): void {
  if (text === undefined) return;
  if (deprecated !== true) {
    causes.invalid(field, text, 'can only be set for deprecated versions');
    return;
  }
  if (Buffer.byteLength(text) > longestWarning) {
    causes.invalid(field, text, `must be <= ${longestWarning} characters long`);
  }
  if (text === '') causes.invalid(field, text, 'must not be an empty string');
  const at = text.search(unprintable);
  if (at === -1) return;
  const index = Buffer.byteLength(text.slice(0, at));
  const why = `must only contain printable UTF-8 characters; non-printable character found at index ${index}`;
  causes.invalid(field, text, why);
}

/** The most characters of the versions in a message: two that share everything are shown whole. */
const mostOfVersions = 640;

export function checkVersions(versions: readonly DefinitionVersion[], shared: ReadonlySet<Part>, causes: Causes): void {
  const has = (part: Part, value: unknown) => (shared.has(part) ? null : (value ?? null));
  const shown = versions.map((version) => ({
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated === true,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: has('schema', version.schema),
    Subresources: has('subresources', version.subresources),
    AdditionalPrinterColumns: has('additionalPrinterColumns', version.additionalPrinterColumns),
    SelectableFields: has('selectableFields', version.selectableFields),
  }));
  const add = (why: string) =>
    causes.add({
      reason: 'FieldValueInvalid',
      field: 'spec.versions',
      message: `Invalid value: ${longExcerpt(shown, mostOfVersions)}: ${why}`,
    });
  if (new Set(versions.map(({ name }) => name)).size < versions.length) add('must contain unique version names');
  if (versions.filter(({ storage }) => storage).length !== 1) {
    add('must have exactly one version marked as storage version');
  }
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

function checkColumns(columns: readonly PrinterColumn[], field: string, causes: Causes): void {
  for (const [index, { name, type, format, jsonPath }] of columns.entries()) {
    const at = `${field}[${index}]`;
    if (name === '') causes.required(`${at}.name`);
    const types = `must be one of ${columnTypes.join(',')}`;
    if (type === '') causes.required(`${at}.type`, types);
    else if (!columnTypes.includes(type)) causes.invalid(`${at}.type`, type, types);
    if (format && !columnFormats.includes(format)) {
      causes.invalid(`${at}.format`, format, `must be one of ${columnFormats.join(',')}`);
    }
    if (jsonPath === '') causes.required(`${at}.JSONPath`);
    else if (!jsonPath.startsWith('.')) {
      causes.invalid(`${at}.JSONPath`, jsonPath, 'must be a simple json path starting with .');
    }
  }
}

function checkScale(scale: ScaleSubresource, field: string, causes: Causes): void {
  const check = (name: keyof ScaleSubresource, roots: readonly string[]) => {
    const path = scale[name] ?? '';
    if (path === '') causes.required(`${field}.${name}`);
    else if (!path.startsWith('.')) {
      causes.invalid(`${field}.${name}`, path, 'must be a simple json path starting with .');
    } else if (!roots.some((root) => path.startsWith(`${root}.`))) {
      const under = roots.length === 1 ? roots[0] : `either ${roots.join(' or ')}`;
      causes.invalid(`${field}.${name}`, path, `should be a json path under ${under}`);
    }
  };
  check('specReplicasPath', ['.spec']);
  check('statusReplicasPath', ['.status']);
  if (scale.labelSelectorPath) check('labelSelectorPath', ['.spec', '.status']);
}

/** The most selectable fields of a version. */
const mostSelectable = 8;

type Selectable = NonNullable<DefinitionVersion['selectableFields']>;

function checkSelectable(
  fields: Selectable,
  schema: StructuralSchema | undefined,
  field: string,
  causes: Causes,
): void {
  if (fields.length === 0) return;
  if (schema === undefined) {
    // Also if the schema is in another place, as it is that of all versions, or of one.
    const why = field.startsWith('spec.versions')
      ? 'may only be set when `version.schema.openAPIV3Schema` is not included'
      : 'may only be set when validations.schema is included';
    causes.invalid(field, '', why);
    return;
  }
  const seen = new Set<string>();
  for (const [index, { jsonPath }] of fields.entries()) {
    const at = `${field}[${index}].jsonPath`;
    const found = schemaAt(schema, jsonPath, false);
    if (jsonPath === '') causes.required(at);
    else if ('fault' in found) causes.invalid(at, jsonPath, `is an invalid path: ${found.fault}`);
    else {
      if (namesIn(jsonPath)[0] === 'metadata') causes.invalid(at, jsonPath, 'must not point to fields in metadata');
      if (!['string', 'integer', 'boolean'].includes(found.schema.type ?? '')) {
        const kinds = 'string, boolean or integer. Enum string fields and strings with formats are allowed.';
        causes.invalid(at, jsonPath, `must point to a field of type ${kinds}`);
      }
      if (seen.has(jsonPath)) causes.duplicate(at, jsonPath);
      seen.add(jsonPath);
    }
  }
  if (seen.size > mostSelectable) causes.tooMany(field, seen.size, mostSelectable);
}
