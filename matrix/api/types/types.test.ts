// Compares the field table with the OpenAPI of a 1.10 server, the oldest available one. Every difference is declared.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { hasPackages, packageFile, withoutPackages } from '../../../tools/clients/packages.js';
import {
  type Field,
  fieldsOf,
  isTypeName,
  kinds,
  listTypeOf,
  type Scalar,
  type Type,
  type TypeName,
  typeOf,
  types,
} from './index.js';

/** `Type.field`: [the difference between this table and 1.10, the reason]. */
const differences: Record<string, [difference: string, reason: string]> = {
  'ListMeta.remainingItemCount': ['int64 ≠ absent', 'added after 1.10; clients page with it'],
  'DeleteOptions.dryRun': ['list of string ≠ absent', 'added after 1.10; clients send it'],
  'Preconditions.resourceVersion': ['string ≠ absent', 'added after 1.10; clients send it'],
  'ServiceSpec.deprecatedPublicIPs': ['list of string ≠ absent', 'removed after 1.5'],
  'ServiceSpec.ports': [
    'list of core.v1.ServicePort, required, merge by port ≠ list of core.v1.ServicePort, merge by port',
    'optional after 1.5',
  ],
  'Endpoints.subsets': [
    'list of core.v1.EndpointSubset, required ≠ list of core.v1.EndpointSubset',
    'optional after 1.5',
  ],
  'FCVolumeSource.targetWWNs': ['list of string, required ≠ list of string', 'optional after 1.5'],
  'FCVolumeSource.lun': ['int32, required ≠ int32', 'optional after 1.5'],
  'PersistentVolumeSpec.azureFile': [
    'core.v1.AzureFileVolumeSource ≠ core.v1.AzureFilePersistentVolumeSource',
    'one type for both volumes in 1.5',
  ],
  'PersistentVolumeSpec.cephfs': [
    'core.v1.CephFSVolumeSource ≠ core.v1.CephFSPersistentVolumeSource',
    'one type for both volumes in 1.5',
  ],
  'PersistentVolumeSpec.flexVolume': [
    'core.v1.FlexVolumeSource ≠ core.v1.FlexPersistentVolumeSource',
    'one type for both volumes in 1.5',
  ],
  'PersistentVolumeSpec.iscsi': [
    'core.v1.ISCSIVolumeSource ≠ core.v1.ISCSIPersistentVolumeSource',
    'one type for both volumes in 1.5',
  ],
  'PersistentVolumeSpec.rbd': [
    'core.v1.RBDVolumeSource ≠ core.v1.RBDPersistentVolumeSource',
    'one type for both volumes in 1.5',
  ],
};

/** Fields of 1.10 that were added after 1.5. */
const later: Record<string, string> = {
  ObjectMeta: 'initializers',
  Event: 'action eventTime related reportingComponent reportingInstance series',
  PodSpec:
    'affinity automountServiceAccountToken dnsConfig hostAliases initContainers priority priorityClassName schedulerName shareProcessNamespace tolerations',
  PodSecurityContext: 'runAsGroup',
  PodStatus: 'initContainerStatuses nominatedNodeName qosClass',
  Container: 'envFrom terminationMessagePolicy volumeDevices',
  ConfigMapKeySelector: 'optional',
  SecretKeySelector: 'optional',
  VolumeMount: 'mountPropagation',
  TCPSocketAction: 'host',
  SecurityContext: 'allowPrivilegeEscalation runAsGroup',
  Volume: 'portworxVolume projected scaleIO storageos',
  HostPathVolumeSource: 'type',
  EmptyDirVolumeSource: 'sizeLimit',
  SecretVolumeSource: 'optional',
  ConfigMapVolumeSource: 'optional',
  AzureDiskVolumeSource: 'kind',
  FCVolumeSource: 'wwids',
  ISCSIVolumeSource: 'chapAuthDiscovery chapAuthSession initiatorName portals secretRef',
  VsphereVirtualDiskVolumeSource: 'storagePolicyID storagePolicyName',
  PersistentVolumeSpec:
    'csi local mountOptions nodeAffinity portworxVolume scaleIO storageClassName storageos volumeMode',
  PersistentVolumeClaimSpec: 'storageClassName volumeMode',
  PersistentVolumeClaimStatus: 'conditions',
  ServiceSpec: 'externalTrafficPolicy healthCheckNodePort publishNotReadyAddresses sessionAffinityConfig',
  NodeSpec: 'configSource taints',
  ConfigMap: 'binaryData',
  ServiceAccount: 'automountServiceAccountToken',
  DeploymentStatus: 'collisionCount readyReplicas',
  DaemonSetSpec: 'minReadySeconds revisionHistoryLimit templateGeneration updateStrategy',
  DaemonSetStatus:
    'collisionCount conditions numberAvailable numberUnavailable observedGeneration updatedNumberScheduled',
  JobSpec: 'backoffLimit',
  NetworkPolicySpec: 'egress policyTypes',
  NetworkPolicyPeer: 'ipBlock',
};

/** Types that 1.10 does not define. */
const absent: Partial<Record<TypeName, string>> = {
  'extensions.HorizontalPodAutoscaler': 'removed after 1.5',
  'extensions.HorizontalPodAutoscalerSpec': 'removed after 1.5',
  'extensions.HorizontalPodAutoscalerStatus': 'removed after 1.5',
  SubresourceReference: 'removed with extensions HorizontalPodAutoscaler',
  CPUTargetUtilization: 'removed with extensions HorizontalPodAutoscaler',
  'extensions.Job': 'removed after 1.5',
  'extensions.JobSpec': 'removed after 1.5',
  'extensions.JobStatus': 'removed after 1.5',
  'extensions.JobCondition': 'removed after 1.5',
  ThirdPartyResource: 'removed after 1.8',
  APIVersion: 'removed with ThirdPartyResource',
  VolumeSource: 'inlined, compared in Volume',
  PersistentVolumeSource: 'inlined, compared in PersistentVolumeSpec',
  IngressRuleValue: 'inlined, compared in IngressRule',
  ExtraValue: 'bare, compared in UserInfo.extra',
  SelfSubjectReview: 'added after 1.10',
  SelfSubjectReviewStatus: 'added after 1.10',
  Verbs: 'bare, compared in APIResource.verbs',
};

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  items?: Schema;
  additionalProperties?: Schema;
  'x-kubernetes-patch-merge-key'?: string;
  'x-kubernetes-patch-strategy'?: string;
}

interface Definition {
  properties?: Record<string, Schema>;
  required?: string[];
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
}

const definitions = hasPackages ? loadDefinitions() : {};
const named = Object.values(types);
const compared = named.filter(({ name }) => definitionOf(name) !== undefined);

describe.skipIf(!hasPackages)(`against the OpenAPI of 1.10${hasPackages ? '' : ` (${withoutPackages})`}`, () => {
  it('has a definition of every type but those declared absent', () => {
    const missing = named.filter((type) => !compared.includes(type));
    expect(missing.map(({ name }) => name).sort()).toEqual(Object.keys(absent).sort());
  });

  it('agrees on every field but those declared different', () => {
    const found = compared.flatMap((type) => differencesOf(type, type.name));
    const declared = Object.entries(differences).map(([name, [difference]]) => `${name}: ${difference}`);
    expect(found.sort()).toEqual(declared.sort());
  });

  it('has no other field, except those of later versions', () => {
    const found = compared.map((type) => {
      const own = new Set(fieldsOf(type).map(({ name }) => name));
      return [type.name, Object.keys(propertiesOf(type.name)).filter((name) => !own.has(name))] as const;
    });
    const declared = Object.entries(later).map(([name, fields]) => [name, fields.split(' ')]);
    expect(Object.fromEntries(found.filter(([, fields]) => fields.length > 0))).toEqual(Object.fromEntries(declared));
  });

  it.each(kinds.filter(({ type }) => !(type in absent)))('knows $apiVersion $kind as $type', (kind) => {
    const definition = definitionOf(kind.type) ?? '';
    expect(gvksOf(definition)).toContain(`${kind.apiVersion} ${kind.kind}`);
    expect('items' in propertiesOf(`${kind.type}List`), 'has a list kind').toBe(kind.listed);
    if (!kind.listed) return;
    expect(gvksOf(`${definition}List`)).toContain(`${kind.apiVersion} ${kind.kind}List`);
    expect(differencesOf(listTypeOf(kind.type), `${kind.type}List`)).toEqual([]);
    expect(fieldsOf(listTypeOf(kind.type)).map(({ name }) => name)).toEqual([
      'apiVersion',
      'kind',
      'metadata',
      'items',
    ]);
  });
});

function differencesOf(type: Type, name: string): string[] {
  const published = propertiesOf(name);
  const required = definitions[definitionOf(name) ?? '']?.required ?? [];
  return fieldsOf(type).flatMap((field) => {
    const mine = sentence(formOf(field), field.required === true, field.strategy, field.mergeKey);
    const schema = published[field.name];
    const other = schema
      ? sentence(
          formOfSchema(schema),
          required.includes(field.name),
          schema['x-kubernetes-patch-strategy'],
          schema['x-kubernetes-patch-merge-key'],
        )
      : 'absent';
    return mine === other ? [] : [`${name}.${field.name}: ${mine} ≠ ${other}`];
  });
}

function sentence(form: string, required: boolean, strategy: string | undefined, mergeKey: string | undefined): string {
  return `${form}${required ? ', required' : ''}${strategy ? `, ${strategy}` : ''}${mergeKey ? ` by ${mergeKey}` : ''}`;
}

function formOf({ type, shape }: Field): string {
  const value = isTypeName(type) ? formOfType(type) : type;
  return shape ? `${shape} of ${value}` : value;
}

function formOfType(name: TypeName): string {
  const { bare } = typeOf(name);
  return bare ? formOf(bare) : short(definitionOf(name) ?? name);
}

function formOfSchema({ $ref, type, format, items, additionalProperties }: Schema): string {
  if (items) return `list of ${formOfSchema(items)}`;
  if (additionalProperties) return `map of ${formOfSchema(additionalProperties)}`;
  if ($ref) return scalarDefinitions[short($ref)] ?? short($ref);
  return format === 'byte' ? 'bytes' : (format ?? type ?? 'nothing');
}

const scalarDefinitions: Record<string, Scalar> = {
  'meta.v1.Time': 'time',
  'api.resource.Quantity': 'quantity',
  'util.intstr.IntOrString': 'intOrString',
  'runtime.RawExtension': 'raw',
};

function short(name: string): string {
  return name.replace(/^#\/definitions\//, '').replace(/^io\.k8s\.(apimachinery\.pkg\.(apis\.)?|api\.)/, '');
}

function gvksOf(definition: string): string[] {
  const gvks = definitions[definition]?.['x-kubernetes-group-version-kind'] ?? [];
  return gvks.map(({ group, version, kind }) => `${group ? `${group}/` : ''}${version} ${kind}`);
}

function propertiesOf(name: string): Record<string, Schema> {
  return definitions[definitionOf(name) ?? '']?.properties ?? {};
}

/**
 * Returns the name of a definition. Names without a prefix are looked up in this order; a name that two
 * groups have has a prefix in extensions.
 */
function definitionOf(name: string): string | undefined {
  const groups = ['core.v1', 'autoscaling.v1', 'batch.v1', 'policy.v1beta1', 'authentication.v1beta1'];
  const places = name.startsWith('extensions.')
    ? [`io.k8s.api.${name.replace('.', '.v1beta1.')}`]
    : [
        `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`,
        ...[...groups, 'extensions.v1beta1'].map((group) => `io.k8s.api.${group}.${name}`),
      ];
  return places.find((place) => place in definitions);
}

function loadDefinitions(): Record<string, Definition> {
  const file = gunzipSync(readFileSync(packageFile('kubernetes-client/lib/specs/swagger-1.10.json.gz')));
  return (JSON.parse(file.toString()) as { definitions: Record<string, Definition> }).definitions;
}
