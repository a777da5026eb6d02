// The rules of storage, priority and runtime classes, of attachments, aggregated APIs and addresses: a row for each field.
import { isIP } from 'node:net';
import { validateSelector } from '../../../registry/strategies/labelSelector.js';
import { persistentSources } from '../../../registry/strategies/volumes.js';
import type { Causes } from '../../../schema/causes.js';
import {
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  type Format,
  labelValue,
  pathSegment,
  qualifiedName,
} from '../../../schema/formats.js';
import { compareQuantities, isWhole } from '../../../schema/quantity.js';
import { isCanonical, networkOf } from './addresses.js';
import {
  all,
  each,
  exactlyOneOf,
  must,
  notNegative,
  oneOf,
  type Rule,
  type Rules,
  required,
  unique,
  type VersionedRules,
} from './rules.js';

/** Requires a format of a field that is empty when it is absent. */
const always =
  (...formats: readonly Format[]): Rule =>
  (value, at, causes) => {
    for (const format of formats) causes.format(at(), value ?? '', format);
  };

const mostParameters = 512;
const mostParameterBytes = 262_144;

const parameters: Rule = (map, at, causes) => {
  const entries = Object.entries<string>(map ?? {});
  if (entries.length > mostParameters) {
    causes.longerThan(at(), mostParameters);
    return;
  }
  if (map !== undefined && Object.hasOwn(map, '')) causes.invalid(at(), '', 'field can not be empty.');
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  if (bytes > mostParameterBytes) causes.tooLong(at(), mostParameterBytes);
};

/** Reports what an absent object lacks. */
const missing =
  (field: string): Rule =>
  (object, _at, causes) => {
    if (object === undefined) causes.required(field);
  };

const driverName = all(required(), always(lowerCase(qualifiedName)));

/** Drivers are named without regard to case. */
function lowerCase(format: Format): Format {
  return (text) => (text === '' ? [] : format(text.toLowerCase()));
}

/** The terms of a list that say the same are one too many. */
const topologyTerms =
  (isEmptyTwice: boolean): Rule =>
  (terms, at, causes) => {
    const seen = new Set<string>();
    for (const [index, { matchLabelExpressions = [] }] of (terms ?? []).entries()) {
      const field = `${at()}[${index}].matchLabelExpressions`;
      const keys: Record<string, readonly string[]> = {};
      for (const [place, { key = '', values = [] }] of matchLabelExpressions.entries()) {
        const expression = `${field}[${place}]`;
        causes.format(`${expression}.key`, key, qualifiedName);
        if (Object.hasOwn(keys, key)) causes.duplicate(`${expression}.key`, key);
        keys[key] = [...values].sort();
        if (values.length === 0) causes.required(`${expression}.values`);
        unique((value) => value)(values, () => `${expression}.values`, causes, undefined);
      }
      const text = JSON.stringify(Object.entries(keys).sort(([one], [other]) => (one < other ? -1 : 1)));
      if (seen.has(text) || (isEmptyTwice && matchLabelExpressions.length === 0)) causes.duplicate(field, '');
      seen.add(text);
    }
  };

const shortestPeriod = 10;

const csiDriver = {
  volumeLifecycleModes: (modes, at, causes) => {
    for (const mode of modes ?? []) causes.oneOf(at(), mode, ['Persistent', 'Ephemeral']);
  },
  fsGroupPolicy: oneOf('File', 'None', 'ReadWriteOnceWithFSType'),
  tokenRequests: unique(({ audience = '' }) => audience, '.audience'),
  nodeAllocatableUpdatePeriodSeconds: must(
    (seconds) => seconds >= shortestPeriod,
    `must be greater than or equal to ${shortestPeriod} seconds`,
  ),
  serviceAccountTokenInSecrets: must(
    (_value, { tokenRequests = [] }) => tokenRequests.length > 0,
    'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
  ),
} satisfies Rules[string];

const shortestToken = 600;
const longestToken = 4_294_967_296;
const tokenSeconds: Rule = all(
  must((seconds) => seconds >= shortestToken, 'may not specify a duration less than 10 minutes'),
  must((seconds) => seconds <= longestToken, 'may not specify a duration larger than 2^32 seconds'),
);

const earlierNodeId = 128;
const longestNodeId = 256;

const nodeId = (longest: number): Rule =>
  all(
    required(),
    must((id) => id.length <= longest, `must be ${longest} characters or less`),
  );

const longestDriver = 63;

const driver: Rule = (name = '', at, causes) => {
  if (name === '') causes.required(at());
  else {
    if (name.length > longestDriver) causes.tooLong(at(), longestDriver);
    causes.format(at(), name, lowerCase(dns1123Subdomain));
  }
};

/** Real servers name the driver where a key of its topology is wrong. */
const csiNodeDriver: Rule = ({ name = '', topologyKeys = [] }, at, causes) => {
  driver(name, () => `${at()}.name`, causes, undefined);
  const seen = new Set<string>();
  for (const key of topologyKeys) {
    if (key === '') causes.required(at());
    if (seen.has(key)) causes.duplicate(at(), key);
    seen.add(key);
    for (const problem of qualifiedName(key)) causes.invalid(at(), topologyKeys, problem);
  }
};

const oneSource = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

const attachmentSource: Rule = ({ persistentVolumeName: name, inlineVolumeSpec: inline }, at, causes) => {
  const ofVolume = `${at()}.persistentVolumeName`;
  if (name === undefined && inline === undefined) causes.required(at(), oneSource);
  else if (name !== undefined && inline !== undefined) causes.forbidden(at(), oneSource);
  else if (name !== undefined) {
    if (name === '') causes.required(ofVolume, 'must specify non empty persistentVolumeName');
    causes.format(ofVolume, name, dns1123Subdomain);
  } else validateInline(inline, `${at()}.inlineVolumeSpec`, causes);
};

const accessModesOfVolumes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const notInline = ['capacity', 'claimRef', 'persistentVolumeReclaimPolicy', 'storageClassName', 'mountOptions'];

function validateInline(volume: Readonly<Record<string, unknown>>, at: string, causes: Causes): void {
  const { csi, accessModes } = volume;
  if (csi === undefined) causes.required(`${at}.csi`, 'has to be specified in the context of inline volumes');
  for (const field of notInline) {
    const isSet = Object.keys((volume[field] ?? {}) as object).length > 0;
    if (isSet && field !== 'persistentVolumeReclaimPolicy')
      causes.forbidden(`${at}.${field}`, 'may not be specified in the context of inline volumes');
  }
  if (!Array.isArray(accessModes) || accessModes.length === 0) causes.required(`${at}.accessModes`);
  else for (const mode of accessModes) causes.oneOf(`${at}.accessModes`, mode, accessModesOfVolumes);
  const sources = Object.keys(volume).filter((field) => persistentSources.has(field));
  if (csi !== undefined) {
    const { driver: name, volumeHandle } = csi as Readonly<Record<string, unknown>>;
    driver(name, () => `${at}.csi.driver`, causes, undefined);
    if (!volumeHandle) causes.required(`${at}.csi.volumeHandle`);
  }
  if (sources.length > 1) causes.forbidden(`${at}.csi`, 'may not specify more than 1 volume type');
}

const longestError = 1024;

const volumeError = {
  message: (message, at, causes) => {
    // Real servers name the limit of the metadata.
    if (Buffer.byteLength(message ?? '') > longestError) causes.tooLong(at(), mostParameterBytes);
  },
} satisfies Rules[string];

const attachmentMetadata: Rule = (map, at, causes) => {
  const bytes = Object.entries<string>(map ?? {}).reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  if (bytes > mostParameterBytes) causes.tooLong(at(), mostParameterBytes);
};

const amount: Rule = must((quantity) => compareQuantities(quantity, '0') >= 0, 'must be greater than or equal to 0');

const highestUserPriority = 1_000_000_000;

export const standardAmounts = ['cpu', 'memory', 'ephemeral-storage', 'storage'];
export const ofContainers = ['cpu', 'memory', 'ephemeral-storage'];
const isPage = (name: string): boolean => name.startsWith('hugepages-');
/** Names of a domain other than that of Kubernetes, which are no requests. */
const isExtended = (name: string): boolean =>
  !name.startsWith('requests.') && qualifiedName(`requests.${name}`).length === 0;

/** Checks the name of an amount that containers have. */
export function validateContainerAmount(field: string, name: string, causes: Causes): void {
  const problems = qualifiedName(name);
  for (const problem of problems) causes.invalid(field, name, problem);
  if (!name.includes('/')) {
    if (problems.length === 0 && !isPage(name) && !standardAmounts.includes(name)) {
      causes.invalid(field, name, 'must be a standard resource type or fully qualified');
    }
    if (!isPage(name) && !ofContainers.includes(name)) {
      causes.invalid(field, name, 'must be a standard resource for containers');
    }
  } else if (!name.includes('kubernetes.io/') && !isExtended(name)) {
    causes.invalid(field, name, "doesn't follow extended resource name standard");
  }
}

const podFixed: Rule = (amounts, _at, causes) => {
  for (const [name, quantity] of Object.entries<string>(amounts ?? {})) {
    // Real servers have the path of a container's limits.
    const field = `overhead.limits[${name}]`;
    validateContainerAmount(field, name, causes);
    if (compareQuantities(quantity, '0') < 0) causes.invalid(field, quantity, 'must be greater than or equal to 0');
    else if (name.includes('/') && !name.includes('kubernetes.io/') && !isWhole(quantity)) {
      causes.invalid(field, quantity, 'must be an integer');
    }
  }
};

const nodeSelector: Rule = (labels, at, causes) => {
  for (const [name, value] of Object.entries<string>(labels ?? {})) {
    causes.format(at(), name, qualifiedName);
    causes.format(at(), value, labelValue);
  }
};

const tolerations: Rule = (list, at, causes) => {
  for (const [index, { key = '', operator = '', value = '', effect = '', tolerationSeconds }] of (
    list ?? []
  ).entries()) {
    const field = `${at()}[${index}]`;
    if (key !== '') causes.format(`${field}.key`, key, qualifiedName);
    if (key === '' && operator !== 'Exists') {
      const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      causes.invalid(`${field}.operator`, operator, why);
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute')
      causes.invalid(`${field}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
    if (operator === 'Exists' && value !== '')
      causes.invalid(`${field}.operator`, value, "value must be empty when `operator` is 'Exists'");
    else if (!['', 'Equal', 'Exists'].includes(operator))
      causes.notSupported(`${field}.operator`, operator, ['Equal', 'Exists']);
    else if (operator !== 'Exists') causes.format(`${field}.operator`, value, labelValue);
  }
};

const differentTolerations: Rule = unique(({ key, operator, value, effect }) =>
  JSON.stringify([key, operator, value, effect]),
);

const priority =
  (most: number): Rule =>
  (value, at, causes) => {
    if (!(value > 0 && value <= most)) causes.invalid(at(), value ?? 0, `must be positive and less than ${most}`);
  };

const apiService: Rule = (
  { group = '', version = '', service, insecureSkipTLSVerify: skips, caBundle },
  at,
  causes,
) => {
  if (group === '' && version !== 'v1')
    causes.required(`${at()}.group`, 'only v1 may have an empty group and it better be legacy kube');
  if (group !== '') causes.format(`${at()}.group`, group, dns1123Subdomain);
  causes.format(`${at()}.version`, version, dns1035Label);
  const field = `${at()}.insecureSkipTLSVerify`;
  if (service === undefined) {
    if (caBundle)
      causes.invalid(`${at()}.caBundle`, `${caBundle.length} bytes`, 'local APIServices may not have a caBundle');
    if (skips) causes.invalid(field, true, 'local APIServices may not have insecureSkipTLSVerify');
    return;
  }
  if (!service.namespace) causes.required(`${at()}.service.namespace`);
  if (!service.name) causes.required(`${at()}.service.name`);
  const { port } = service;
  if (port < 1 || port > 65_535) {
    causes.invalid(`${at()}.service.port`, port, 'port is not valid: must be between 1 and 65535, inclusive');
  }
  if (skips && caBundle) causes.invalid(field, true, 'may not be true if caBundle is present');
};

const parent: Rule = (reference, at, causes) => {
  if (reference === undefined) {
    causes.required(at());
    return;
  }
  const { group = '', resource = '', namespace = '', name = '' } = reference;
  if (group !== '') causes.format(`${at()}.group`, group, dns1123Subdomain);
  causes.named(`${at()}.resource`, resource, pathSegment);
  causes.named(`${at()}.name`, name, pathSegment);
  if (namespace !== '') causes.format(`${at()}.namespace`, namespace, pathSegment);
};

const mostCidrs = 2;

/** Checks the blocks of a range of services. */
export function validateBlocks(list: readonly string[], causes: Causes): void {
  const at = () => 'spec.cidrs';
  if (list.length === 0) causes.required(at(), 'at least one CIDR required');
  if (list.length > mostCidrs) {
    causes.invalid(at(), list, 'may only hold up to 2 values');
    return;
  }
  const families = list.map((text: string) => networkOf(text) && isIP(text.split('/')[0] ?? ''));
  if (families.length === mostCidrs && families[0] !== undefined && families[0] === families[1]) {
    const why = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
    causes.invalid(at(), list, why);
  }
  for (const [index, text] of list.entries()) {
    const field = `${at()}[${index}]`;
    const network = networkOf(text);
    if (network === undefined) {
      causes.invalid(field, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)');
    } else if (!isCanonical(network)) {
      causes.invalid(field, text, 'must be in canonical form: the first address, written as short as it can be');
    }
  }
}

/** What servers of 1.20 said otherwise: their path of tolerations names the list twice. */
export const administeredByVersion: readonly VersionedRules[] = [
  [
    0,
    {
      'storage.v1.StorageClass': { allowedTopologies: topologyTerms(true) },
      'storage.v1.CSINodeDriver': { nodeID: nodeId(earlierNodeId) },
      'node.v1.Scheduling': {
        tolerations: (list, at, causes, owner) => tolerations(list, () => `${at()}.tolerations`, causes, owner),
      },
    },
    20,
  ],
  [
    21,
    {
      'storage.v1.StorageClass': { allowedTopologies: topologyTerms(false) },
      'storage.v1.CSINodeDriver': { nodeID: nodeId(longestNodeId) },
      'node.v1.Scheduling': { tolerations },
    },
  ],
];

export const administeredRules: Rules = {
  'storage.v1.StorageClass': {
    provisioner: driverName,
    parameters,
    reclaimPolicy: (policy, at, causes) => causes.oneOf(at(), policy || undefined, ['Delete', 'Retain']),
    volumeBindingMode: oneOf('Immediate', 'WaitForFirstConsumer'),
  },
  'storage.v1.VolumeAttributesClass': {
    driverName,
    parameters: all(parameters, (map, at, causes) => {
      if (Object.keys(map ?? {}).length === 0) causes.required(at(), 'must contain at least one key/value pair');
    }),
  },
  'storage.v1.CSIDriverSpec': csiDriver,
  'storage.v1.TokenRequest': { expirationSeconds: tokenSeconds },
  'storage.v1.CSINodeSpec': {
    drivers: all(
      unique(({ name = '' }) => name || undefined, '.name'),
      each(csiNodeDriver),
    ),
  },
  'storage.v1.VolumeNodeResources': { count: notNegative },
  'storage.v1.VolumeAttachmentSpec': {
    attacher: driver,
    source: attachmentSource,
    nodeName: always(dns1123Subdomain),
  },
  'storage.v1.VolumeAttachmentStatus': { attachmentMetadata },
  'storage.v1.VolumeError': volumeError,
  'storage.v1.CSIStorageCapacity': {
    storageClassName: always(dns1123Subdomain),
    nodeTopology: (selector, at, causes) => {
      if (selector !== undefined) validateSelector(at(), selector, causes);
    },
    capacity: amount,
  },
  'scheduling.v1.PriorityClass': {
    '': ({ metadata: { name }, value }, _at, causes) => {
      if (!name?.startsWith('system-') && value > highestUserPriority)
        causes.forbidden('value', `maximum allowed value of a user defined priority is ${highestUserPriority}`);
    },
    preemptionPolicy: all(required(), oneOf('PreemptLowerPriority', 'Never')),
  },
  'node.v1.RuntimeClass': { handler: (handler, at, causes) => causes.named(at(), handler, dns1123Label) },
  'node.v1.Overhead': { podFixed },
  'node.v1.Scheduling': { nodeSelector, tolerations: differentTolerations },
  'apiregistration.v1.APIServiceSpec': {
    '': apiService,
    groupPriorityMinimum: priority(20_000),
    versionPriority: priority(1000),
  },
  'apiregistration.v1.APIServiceCondition': { status: exactlyOneOf('True', 'False', 'Unknown') },
  'networking.v1.IPAddress': { spec: missing('spec.parentRef') },
  'networking.v1.IPAddressSpec': { parentRef: parent },
};
