// The parts of a pod that subresources write: its ephemeral containers, and the resources of its containers.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { requestingLimits } from '../../../registry/strategies/pods.js';
import type { Strategy } from '../../../registry/strategy.js';
import type { Causes } from '../../../schema/causes.js';
import { dns1123Label } from '../../../schema/formats.js';
import { equal, type KubeObject, part } from '../../../schema/object.js';
import { compareQuantities } from '../../../schema/quantity.js';
import { qosClassOf } from './qosClass.js';

type PodSpec = ObjectOf<'PodSpec'>;
type Container = ObjectOf<'Container'>;
type Amounts = Readonly<Record<string, string>>;

const specOf = (pod: KubeObject): PodSpec => part<PodSpec>(pod, 'spec');

const path = 'spec.ephemeralContainers';
/** The fields of containers that an ephemeral one cannot have. */
const without = ['ports', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle', 'resizePolicy'] as const;

/** What of the resources of a container that runs may change. */
const resizable: readonly string[] = ['cpu', 'memory'];

export const podParts: NonNullable<Strategy['specParts']> = {
  ephemeralcontainers: {
    written({ ephemeralContainers }: PodSpec, { ephemeralContainers: _before, ...spec }: PodSpec) {
      return { ...spec, ...(ephemeralContainers !== undefined && { ephemeralContainers }) };
    },
    validate: validateEphemeral,
  },
  resize: {
    written: (desired: PodSpec, current: PodSpec) => ({
      ...current,
      ...resized(desired, current, 'containers'),
      ...resized(desired, current, 'initContainers'),
    }),
    validate: validateResize,
  },
};

/** Checks the ephemeral containers of an update through their subresource. */
function validateEphemeral(next: KubeObject, current: KubeObject, causes: Causes): void {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = specOf(next);
  const names = new Set([...containers, ...initContainers].map(({ name }) => name));
  const targets = new Set(containers.map(({ name }) => name));
  for (const [index, container] of ephemeralContainers.entries()) {
    const at = `${path}[${index}]`;
    const { name = '', image, targetContainerName: target } = container;
    causes.named(`${at}.name`, name, dns1123Label);
    if (name !== '' && names.has(name)) causes.duplicate(`${at}.name`, name);
    names.add(name);
    if (!image) causes.required(`${at}.image`);
    if (target && !targets.has(target)) causes.notFound(`${at}.targetContainerName`, target);
    for (const field of without) {
      if ((container as Readonly<Record<string, unknown>>)[field] !== undefined)
        causes.forbidden(`${at}.${field}`, 'cannot be set for an Ephemeral Container');
    }
    if (Object.keys(container.resources ?? {}).length > 0)
      causes.forbidden(`${at}.resources`, 'cannot be set for an Ephemeral Container');
  }
  const now = new Map(ephemeralContainers.map((each) => [each.name, each]));
  for (const before of specOf(current).ephemeralContainers ?? []) {
    const after = now.get(before.name);
    const refuse = (what: string) =>
      causes.forbidden(path, `existing ephemeral containers ${JSON.stringify(before.name)} may not be ${what}`);
    if (after === undefined) refuse('removed');
    else if (!equal(after, before)) refuse('changed');
  }
}

/** Returns the current containers with the resources and the resize policies of the desired ones of the same names. */
function resized(desired: PodSpec, current: PodSpec, list: 'containers' | 'initContainers'): PodSpec {
  const wanted = new Map((desired[list] ?? []).map((each) => [each.name, each]));
  const next = current[list]?.map((container): Container => {
    const { resources: _resources, resizePolicy: _policy, ...others } = container;
    const { resources, resizePolicy } = wanted.get(container.name) ?? container;
    return requestingLimits({
      ...others,
      ...(resources !== undefined && { resources }),
      ...(resizePolicy !== undefined && { resizePolicy }),
    });
  });
  return next === undefined ? {} : { [list]: next };
}

/** A pod keeps its class of service, and a container keeps what it has but for the amounts of cpu and memory. */
function validateResize(next: KubeObject, current: KubeObject, causes: Causes): void {
  const [after, before] = [specOf(next), specOf(current)];
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [index, container] of (after[list] ?? []).entries()) {
      const at = `spec.${list}[${index}].resources`;
      for (const field of ['requests', 'limits'] as const) {
        const [now, then] = [container, before[list]?.[index]].map(
          (each): Amounts => (each?.resources as Readonly<Record<string, Amounts>> | undefined)?.[field] ?? {},
        );
        validateAmounts(`${at}.${field}`, now ?? {}, then ?? {}, causes);
        if (resizable.some((name) => then?.[name] !== undefined && now?.[name] === undefined))
          causes.forbidden(`${at}.${field}`, `resource ${field} cannot be removed`);
      }
      validateLimits(at, container, causes);
    }
  }
  const [now, then] = [qosClassOf(after), qosClassOf(before)];
  if (now !== then) causes.invalid('spec', then, 'Pod QOS Class may not change as a result of resizing');
}

function validateAmounts(at: string, now: Amounts, then: Amounts, causes: Causes): void {
  for (const name of new Set([...Object.keys(then), ...Object.keys(now)])) {
    const [after, before] = [now[name], then[name]];
    if (resizable.includes(name)) {
      if (after !== undefined && compareQuantities(after, '0') < 0)
        causes.invalid(`${at}[${name}]`, after, 'must be greater than or equal to 0');
    } else if (after === undefined || before === undefined || compareQuantities(after, before) !== 0) {
      causes.forbidden('spec', 'only cpu and memory resources are mutable');
    }
  }
}

function validateLimits(at: string, { resources }: Container, causes: Causes): void {
  const { requests = {}, limits = {} } = (resources ?? {}) as {
    readonly requests?: Amounts;
    readonly limits?: Amounts;
  };
  for (const [name, request] of Object.entries(requests)) {
    const limit = limits[name];
    if (limit !== undefined && compareQuantities(request, limit) > 0)
      causes.invalid(`${at}.requests`, request, `must be less than or equal to ${name} limit of ${limit}`);
  }
}
