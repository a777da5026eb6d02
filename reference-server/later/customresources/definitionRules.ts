// The rules of definitions: their names, versions, columns and subresources, and the schemas of all versions.

import { Causes, collectCauses } from '../../schema/causes.js';
import { dns1035Label, dns1123Subdomain } from '../../schema/formats.js';
import { equal, type KubeObject } from '../../schema/object.js';
import { DefaultsSum } from '../../schema/objectSize.js';
import type { Steps } from '../../turns.js';
import { checkClient, checkReviewVersions } from '../webhooks/configurationRules.js';
import { approvalAnnotation, approvalOf } from './approval.js';
import {
  type DefinitionNames,
  type DefinitionSpec,
  type DefinitionVersion,
  definitionSpecOf,
  isTrue,
  type PrinterColumn,
  type ScaleSubresource,
} from './definition.js';
import { requireStoredVersions } from './definitionStrategy.js';
import { schemaAt } from './fieldPath.js';
import { simplePath } from './jsonPath.js';
import { checkSchema } from './structuralRules.js';
import { nodesBelow, type StructuralSchema } from './structuralSchema.js';

/** Returns the causes of an invalid definition, in steps. `before` is the definition that an update replaces. */
export function* causesOf(definition: KubeObject, before: KubeObject | undefined): Steps<Causes> {
  const causes = new Causes();
  return yield* collectCauses(causes, check(definition, before, causes));
}

function* check(definition: KubeObject, before: KubeObject | undefined, causes: Causes): Steps<void> {
  const spec = definitionSpecOf(definition);
  const { name, annotations = {} } = definition.metadata;
  const { group = '', names, scope = '', versions = [] } = spec;
  if (name !== `${names.plural}.${group}`) {
    causes.invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group');
  }
  checkGroup(group, annotations, causes);
  if (scope === '') causes.required('spec.scope');
  else causes.oneOf('spec.scope', scope, ['Cluster', 'Namespaced']);
  checkVersions(versions, causes);
  checkNames(names, causes);
  checkConversion(spec, causes);
  if (before !== undefined) checkUpdate(spec, before, causes);
  requireStoredVersions(definition, causes);
  const deep = versions.findIndex(({ schema }) => isDeep(schema?.openAPIV3Schema));
  if (deep !== -1) {
    const field = `spec.versions[${deep}].schema.openAPIV3Schema`;
    causes.invalid(field, 'too deep', `must not be nested more than ${deepest} levels deep`);
    return;
  }
  const added = new DefaultsSum();
  for (const [index, version] of versions.entries()) {
    const isShared = versions.every((one) => equal(one.schema, version.schema));
    // Equal schemas are checked once; real servers name the field that all versions share.
    if (isShared && index > 0) continue;
    const old = before && definitionSpecOf(before).versions.find((one) => one.name === version.name);
    yield* checkVersion(version, index, isShared, versions.length === 1, old, added, causes);
  }
}

/** The maximum depth of a schema: what checks, shows and publishes schemas recurses. */
const deepest = 200;

function isDeep(root: StructuralSchema | undefined): boolean {
  let level = root === undefined ? [] : [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true;
    level = level.flatMap((node) => [...nodesBelow(node)].map(([, inner]) => inner));
  }
  return false;
}

/** A group that Kubernetes protects needs an approval. */
function checkGroup(group: string, annotations: Readonly<Record<string, string>>, causes: Causes): void {
  if (group === '') {
    causes.required('spec.group');
    return;
  }
  causes.format('spec.group', group, dns1123Subdomain);
  if (!group.includes('.')) causes.invalid('spec.group', group, 'should be a domain with at least one dot');
  const approval = approvalOf(group, annotations);
  const field = `metadata.annotations[${approvalAnnotation}]`;
  const must = `protected groups must have approval annotation "${approvalAnnotation}"`;
  const where = 'see https://github.com/kubernetes/enhancements/pull/1111';
  if (approval === 'missing') causes.required(field, `${must}, ${where}`);
  else if (approval === 'invalid') {
    const why = `${must} with either a URL or a reason starting with "unapproved", ${where}`;
    causes.invalid(field, annotations[approvalAnnotation], why);
  }
}

function checkVersions(versions: readonly DefinitionVersion[], causes: Causes): void {
  for (const [index, { name }] of versions.entries()) {
    causes.format(`spec.versions[${index}].name`, name, dns1035Label);
  }
  const summary = versions.map(({ name, served, storage }) => ({ name, served, storage }));
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    causes.invalid('spec.versions', summary, 'must contain unique version names');
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    causes.invalid('spec.versions', summary, 'must have exactly one version marked as storage version');
  }
}

function checkNames(names: DefinitionNames, causes: Causes): void {
  const { plural, singular, kind, listKind, shortNames = [], categories = [] } = names;
  causes.named('spec.names.plural', plural, dns1035Label);
  causes.named('spec.names.singular', singular, dns1035Label);
  checkKind('spec.names.kind', kind, causes);
  checkKind('spec.names.listKind', listKind, causes);
  for (const [index, name] of shortNames.entries()) {
    causes.format(`spec.names.shortNames[${index}]`, name, dns1035Label);
  }
  for (const [index, name] of categories.entries()) {
    causes.format(`spec.names.categories[${index}]`, name, dns1035Label);
  }
  if (kind && kind === listKind)
    causes.invalid('spec.names.listKind', listKind, 'kind and listKind may not be the same');
}

function checkKind(field: string, kind: string | undefined, causes: Causes): void {
  if (!kind) causes.required(field);
  for (const problem of kind ? dns1035Label(kind.toLowerCase()) : []) {
    causes.invalid(field, kind, `may have mixed case, but should otherwise match: ${problem}`);
  }
}

function checkConversion({ conversion, preserveUnknownFields }: DefinitionSpec, causes: Causes): void {
  if (preserveUnknownFields === true) {
    const why =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    causes.invalid('spec.preserveUnknownFields', true, why);
  }
  const field = 'spec.conversion';
  const { strategy, webhook } = conversion ?? {};
  // Real servers name the fields of an earlier version.
  const [client, versions] = [`${field}.webhookClientConfig`, `${field}.conversionReviewVersions`];
  causes.oneOf(`${field}.strategy`, strategy, ['None', 'Webhook']);
  if (strategy === 'Webhook') {
    if (webhook?.clientConfig === undefined) causes.required(client, 'required when strategy is set to Webhook');
    else checkClient(webhook.clientConfig, client, causes);
    checkReviewVersions(webhook?.conversionReviewVersions ?? [], versions, causes);
    return;
  }
  const why = 'should not be set when strategy is not set to Webhook';
  if (webhook?.clientConfig !== undefined) causes.forbidden(client, why);
  if ((webhook?.conversionReviewVersions ?? []).length > 0) causes.forbidden(versions, why);
}

function checkUpdate({ group, names, scope }: DefinitionSpec, before: KubeObject, causes: Causes): void {
  const old = definitionSpecOf(before);
  const keep = (field: string, value: unknown, was: unknown) => causes.immutable(field, value, value === was);
  keep('spec.group', group, old.group);
  keep('spec.names.plural', names.plural, old.names.plural);
  if (!isTrue(before, 'Established')) return;
  keep('spec.scope', scope, old.scope);
  keep('spec.names.kind', names.kind, old.names.kind);
}

function* checkVersion(
  version: DefinitionVersion,
  index: number,
  sharesSchema: boolean,
  isOnly: boolean,
  old: DefinitionVersion | undefined,
  added: DefaultsSum,
  causes: Causes,
): Steps<void> {
  const at = `spec.versions[${index}]`;
  // Real servers keep what all versions share in one place, and name that place.
  const place = isOnly ? 'spec' : at;
  checkColumns(version.additionalPrinterColumns ?? [], `${place}.additionalPrinterColumns`, causes);
  if (version.subresources?.scale) checkScale(version.subresources.scale, `${place}.subresources.scale`, causes);
  checkSelectable(version, `${place}.selectableFields`, causes);
  const schema = version.schema?.openAPIV3Schema;
  if (schema === undefined || Object.keys(schema).length === 0) {
    causes.required(`${at}.schema.openAPIV3Schema`);
  } else if (!equal(schema, old?.schema?.openAPIV3Schema)) {
    yield* checkSchema(schema, `${sharesSchema ? 'spec.validation' : `${at}.schema`}.openAPIV3Schema`, added, causes);
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
    const path = scale[name];
    if (path === '') return causes.required(`${field}.${name}`);
    if (path === undefined) return;
    const [root, ...rest] = simplePath(path) ?? [];
    if (root === undefined) causes.invalid(`${field}.${name}`, path, 'must be a simple json path starting with .');
    else if (!roots.includes(root) || rest.length === 0) {
      const [first = '', second] = roots;
      const under = second === undefined ? `.${first}` : `either .${first} or .${second}`;
      causes.invalid(`${field}.${name}`, path, `should be a json path under ${under}`);
    }
  };
  check('specReplicasPath', ['spec']);
  check('statusReplicasPath', ['status']);
  if (scale.labelSelectorPath !== '') check('labelSelectorPath', ['spec', 'status']);
}

/** The most selectable fields of a version. */
const mostSelectable = 8;

function checkSelectable({ selectableFields = [], schema }: DefinitionVersion, field: string, causes: Causes): void {
  if (selectableFields.length > mostSelectable) causes.tooMany(field, selectableFields.length, mostSelectable);
  const seen = new Set<string>();
  for (const [index, { jsonPath }] of selectableFields.entries()) {
    const at = `${field}[${index}].jsonPath`;
    if (jsonPath === '') causes.required(at);
    else if (seen.has(jsonPath)) causes.duplicate(at, jsonPath);
    else checkSelectablePath(jsonPath, schema?.openAPIV3Schema ?? {}, at, causes);
    seen.add(jsonPath);
  }
}

function checkSelectablePath(jsonPath: string, schema: StructuralSchema, field: string, causes: Causes): void {
  const { properties: { metadata: _, ...properties } = {}, ...others } = schema;
  const found = schemaAt({ ...others, properties }, jsonPath, false);
  if ('fault' in found) causes.invalid(field, jsonPath, `is an invalid path: ${found.fault}`);
  else if (!['string', 'integer', 'boolean'].includes(found.schema.type ?? '')) {
    const kinds = 'string, boolean or integer. Enum string fields and strings with formats are allowed.';
    causes.invalid(field, jsonPath, `must point to a field of type ${kinds}`);
  }
}
