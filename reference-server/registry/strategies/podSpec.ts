// The validation of a pod's spec, shared by pods and all pod templates.

import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Causes } from '../../schema/causes.js';
import { dns1123Label, dns1123Subdomain, envVarName, portName } from '../../schema/formats.js';
import { eachField, own } from '../../schema/object.js';
import { compareQuantities } from '../../schema/quantity.js';
import { validateLabels } from '../metadata.js';
import { validateHandler, validateProbe } from './probes.js';
import { validateVolumes } from './volumes.js';

/** Checks a pod's spec. `field` is its path in the object. */
export function validatePodSpec(field: string, spec: ObjectOf<'PodSpec'>, causes: Causes): void {
  const volumes = validateVolumes(`${field}.volumes`, spec.volumes ?? [], causes);
  const { containers = [] } = spec;
  if (containers.length === 0) causes.required(`${field}.containers`);
  const names = new Set<string>();
  for (const list of ['containers', 'initContainers'] as const) {
    spec[list]?.forEach((container, index) => {
      validateContainer(`${field}.${list}[${index}]`, container, { names, volumes, spec }, causes);
    });
  }
  causes.oneOf(`${field}.restartPolicy`, spec.restartPolicy, ['Always', 'OnFailure', 'Never']);
  causes.oneOf(`${field}.dnsPolicy`, spec.dnsPolicy, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']);
  validateLabels(`${field}.nodeSelector`, spec.nodeSelector, causes);
  if (spec.activeDeadlineSeconds !== undefined && spec.activeDeadlineSeconds < 1) {
    causes.invalid(
      `${field}.activeDeadlineSeconds`,
      spec.activeDeadlineSeconds,
      'must be between 1 and 2147483647, inclusive',
    );
  }
  const optional = (name: 'serviceAccountName' | 'nodeName', format = dns1123Subdomain) =>
    causes.format(`${field}.${name}`, spec[name] || undefined, format);
  optional('serviceAccountName');
  optional('nodeName');
  causes.format(`${field}.hostname`, spec.hostname || undefined, dns1123Label);
  causes.format(`${field}.subdomain`, spec.subdomain || undefined, dns1123Label);
}

interface PodContext {
  readonly names: Set<string>;
  readonly volumes: ReadonlySet<string>;
  readonly spec: ObjectOf<'PodSpec'>;
}

function validateContainer(
  field: string,
  container: ObjectOf<'Container'>,
  { names, volumes, spec }: PodContext,
  causes: Causes,
): void {
  const { name = '' } = container;
  causes.named(`${field}.name`, name, dns1123Label);
  if (name !== '' && names.has(name)) causes.duplicate(`${field}.name`, name);
  names.add(name);
  if (!container.image) causes.required(`${field}.image`);
  for (const hook of ['postStart', 'preStop'] as const) {
    const handler = container.lifecycle?.[hook];
    if (handler) validateHandler(`${field}.lifecycle.${hook}`, handler, causes);
  }
  validateProbe(`${field}.livenessProbe`, container.livenessProbe, causes);
  if (container.livenessProbe && (container.livenessProbe.successThreshold ?? 1) !== 1) {
    causes.invalid(`${field}.livenessProbe.successThreshold`, container.livenessProbe.successThreshold, 'must be 1');
  }
  validateProbe(`${field}.readinessProbe`, container.readinessProbe, causes);
  validatePorts(`${field}.ports`, container.ports ?? [], spec.hostNetwork === true, causes);
  container.env?.forEach((variable, index) => {
    validateEnvironment(`${field}.env[${index}]`, variable, causes);
  });
  const paths = new Set<string>();
  container.volumeMounts?.forEach(({ name: volume, mountPath }, index) => {
    const at = `${field}.volumeMounts[${index}]`;
    if (!volume) causes.required(`${at}.name`);
    if (!volumes.has(volume ?? '')) causes.notFound(`${at}.name`, volume ?? '');
    if (!mountPath) causes.required(`${at}.mountPath`);
    else if (paths.has(mountPath)) causes.invalid(`${at}.mountPath`, mountPath, 'must be unique');
    paths.add(mountPath ?? '');
  });
  causes.oneOf(`${field}.imagePullPolicy`, container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never']);
  validateResources(`${field}.resources`, container.resources ?? {}, causes);
}

function validatePorts(
  field: string,
  ports: readonly ObjectOf<'ContainerPort'>[],
  hostNetwork: boolean,
  causes: Causes,
): void {
  const names = new Set<string>();
  ports.forEach(({ name, containerPort, hostPort, protocol }, index) => {
    const at = `${field}[${index}]`;
    if (name) {
      causes.format(`${at}.name`, name, portName);
      if (names.has(name)) causes.duplicate(`${at}.name`, name);
      names.add(name);
    }
    if (!containerPort) causes.required(`${at}.containerPort`);
    else causes.port(`${at}.containerPort`, containerPort);
    if (hostPort) {
      causes.port(`${at}.hostPort`, hostPort);
      if (hostNetwork && hostPort !== containerPort) {
        causes.invalid(`${at}.containerPort`, containerPort, 'must match `hostPort` when `hostNetwork` is true');
      }
    }
    causes.oneOf(`${at}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']);
  });
}

function validateEnvironment(field: string, { name, value, valueFrom }: ObjectOf<'EnvVar'>, causes: Causes): void {
  causes.named(`${field}.name`, name, envVarName);
  if (valueFrom === undefined) return;
  const sources = Object.keys(valueFrom);
  if (value) causes.invalid(`${field}.valueFrom`, '', 'may not be specified when `value` is not empty');
  else if (sources.length === 0) {
    causes.invalid(
      `${field}.valueFrom`,
      '',
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
    );
  } else if (sources.length > 1) {
    causes.invalid(`${field}.valueFrom`, '', 'may not have more than one field specified at a time');
  }
}

function validateResources(
  field: string,
  { limits = {}, requests = {} }: ObjectOf<'ResourceRequirements'>,
  causes: Causes,
): void {
  for (const [kind, quantities] of Object.entries({ limits, requests })) {
    eachField(quantities, (name, quantity) => {
      if (compareQuantities(quantity, '0') < 0) {
        causes.invalid(`${field}.${kind}[${name}]`, quantity, 'must be greater than or equal to 0');
      }
    });
  }
  eachField(requests, (name, request) => {
    const limit = own(limits, name);
    if (typeof limit === 'string' && compareQuantities(request, limit) > 0) {
      causes.invalid(`${field}.requests`, request, `must be less than or equal to ${name} limit`);
    }
  });
}
