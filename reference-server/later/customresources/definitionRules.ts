// The rules of definitions: their names, versions, columns and subresources, and the schemas of all versions.

import { Causes, collectCauses } from '../../schema/causes.js';
import { dns1035Label, dns1123Subdomain } from '../../schema/formats.js';
import type { KubeObject } from '../../schema/object.js';
import type { Steps } from '../../turns.js';
import { bundleFault, checkClient, checkReviewVersions } from '../webhooks/configurationRules.js';
import { approvalAnnotation, approvalOf } from './approval.js';
import { type DefinitionSpec, definitionSpecOf, definitionStatusOf, isTrue } from './definition.js';
import { storageVersions } from './definitionStrategy.js';
import { checkAcceptedNames, checkNames } from './nameRules.js';
import { nodesBelow, type StructuralSchema } from './structuralSchema.js';
import { checkVersions, checkWarning, VersionRules } from './versionRules.js';

/**
 * Returns the causes of an invalid definition on a server of a minor version, in steps. `before` is the definition that
 * an update replaces.
 */
export function* causesOf(definition: KubeObject, minor: number, before?: KubeObject): Steps<Causes> {
  const causes = new Causes();
  return yield* collectCauses(causes, check(definition, minor, before, causes));
}

function* check(definition: KubeObject, minor: number, before: KubeObject | undefined, causes: Causes): Steps<void> {
  const spec = definitionSpecOf(definition);
  const { name } = definition.metadata;
  const { group = '', names, versions = [] } = spec;
  if (before === undefined && name !== `${names.plural}.${group}`) {
    causes.invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group');
  }
  const deep = versions.findIndex(({ schema }) => isDeep(schema?.openAPIV3Schema));
  if (deep === -1) yield* checkSpec(spec, minor, before, causes);
  else {
    const field = `spec.versions[${deep}].schema.openAPIV3Schema`;
    causes.invalid(field, 'too deep', `must not be nested more than ${deepest} levels deep`);
  }
  if (before !== undefined) checkUpdate(spec, before, causes);
  checkAcceptedNames(definition, causes);
  requireStoredVersions(definition, causes);
  checkApproval(group, definition, before, causes);
  if (spec.preserveUnknownFields === true && !keptUnknown(before)) {
    const why =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    causes.invalid('spec.preserveUnknownFields', true, why);
  }
}

const keptUnknown = (before: KubeObject | undefined): boolean =>
  before !== undefined && definitionSpecOf(before).preserveUnknownFields === true;

function* checkSpec(spec: DefinitionSpec, minor: number, before: KubeObject | undefined, causes: Causes): Steps<void> {
  const { group = '', names, scope = '', versions = [] } = spec;
  checkGroup(group, causes);
  if (scope === '') causes.required('spec.scope');
  else causes.oneOf('spec.scope', scope, ['Cluster', 'Namespaced']);
  for (const [index, { schema }] of versions.entries()) {
    const field = `spec.versions[${index}].schema.openAPIV3Schema`;
    if (schema?.openAPIV3Schema === undefined) causes.required(field);
  }
  const check = new VersionRules(spec, before, minor, causes);
  for (const [index, version] of versions.entries()) {
    const at = `spec.versions[${index}]`;
    causes.format(`${at}.name`, version.name, dns1035Label);
    checkWarning(version, `${at}.deprecationWarning`, causes);
    yield* check.own(version, at);
  }
  checkVersions(versions, check.shared, causes);
  causes.format('spec.version', versions[0]?.name || undefined, dns1035Label);
  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (!names[name]) causes.required(`spec.names.${name}`);
  }
  checkNames(names, 'spec.names', causes);
  yield* check.ofAll();
  checkConversion(spec, before, causes);
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

function checkGroup(group: string, causes: Causes): void {
  if (group === '') {
    causes.required('spec.group');
    return;
  }
  causes.format('spec.group', group, dns1123Subdomain);
  if (!group.includes('.')) causes.invalid('spec.group', group, 'should be a domain with at least one dot');
}

/** A group that Kubernetes protects needs an approval. An update may leave it as it is. */
function checkApproval(
  group: string,
  { metadata: { annotations = {} } }: KubeObject,
  before: KubeObject | undefined,
  causes: Causes,
): void {
  const approval = approvalOf(group, annotations);
  if (before !== undefined && approvalOf(group, before.metadata.annotations ?? {}) === approval) return;
  const field = `metadata.annotations[${approvalAnnotation}]`;
  const must = `protected groups must have approval annotation "${approvalAnnotation}"`;
  const where = 'see https://github.com/kubernetes/enhancements/pull/1111';
  if (approval === 'missing') causes.required(field, `${must}, ${where}`);
  else if (approval === 'invalid') {
    const why = `${must} with either a URL or a reason starting with "unapproved", ${where}`;
    causes.invalid(field, annotations[approvalAnnotation], why);
  }
}

/** The bundles of authorities are checked from when a definition is served on, unless there was a wrong one before. */
function mayBundleBeWrong(before: KubeObject | undefined): boolean {
  if (before === undefined || !isTrue(before, 'Established')) return true;
  const { caBundle } = definitionSpecOf(before).conversion?.webhook?.clientConfig ?? {};
  return caBundle !== undefined && bundleFault(caBundle) !== undefined;
}

function checkConversion(
  { conversion, preserveUnknownFields }: DefinitionSpec,
  before: KubeObject | undefined,
  causes: Causes,
): void {
  const field = 'spec.conversion';
  const { strategy = '', webhook } = conversion ?? {};
  // Real servers name the fields of an earlier version.
  const [client, versions] = [`${field}.webhookClientConfig`, `${field}.conversionReviewVersions`];
  if (strategy !== 'None' && preserveUnknownFields === true) {
    causes.invalid(`${field}.strategy`, strategy, 'must be None if spec.preserveUnknownFields is true');
  }
  if (strategy === '') causes.required(`${field}.strategy`);
  else causes.oneOf(`${field}.strategy`, strategy, ['None', 'Webhook']);
  if (strategy === 'Webhook') {
    if (webhook?.clientConfig === undefined) causes.required(client, 'required when strategy is set to Webhook');
    else {
      checkClient(webhook.clientConfig, client, causes);
      const { caBundle = '' } = webhook.clientConfig;
      const fault = caBundle === '' || mayBundleBeWrong(before) ? undefined : bundleFault(caBundle);
      if (fault !== undefined) {
        causes.invalid(`${client}.caBundle`, caBundle, `unable to load root certificates: ${fault}`);
      }
    }
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
  if (isTrue(before, 'Established')) {
    keep('spec.scope', scope, old.scope);
    keep('spec.names.kind', names.kind, old.names.kind);
  }
  keep('spec.group', group, old.group);
  keep('spec.names.plural', names.plural, old.names.plural);
}

function requireStoredVersions(definition: KubeObject, causes: Causes): void {
  const { storedVersions = [] } = definitionStatusOf(definition);
  const field = 'status.storedVersions';
  if (storedVersions.length === 0) {
    causes.invalid(field, null, 'must have at least one stored version');
    return;
  }
  for (const name of storageVersions(definitionSpecOf(definition))) {
    if (!storedVersions.includes(name)) causes.invalid(field, storedVersions, `must have the storage version ${name}`);
  }
  const names = new Set(definitionSpecOf(definition).versions.map(({ name }) => name));
  for (const [index, name] of storedVersions.entries()) {
    if (names.has(name)) continue;
    const why =
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a ` +
      `storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    causes.invalid(`${field}[${index}]`, name, why);
  }
}
