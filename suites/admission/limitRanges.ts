// Limit ranges: a row for each default and for each limit, with the resulting fields of the object.
import { fail } from '../client/expect.js';
import { at, type JsonObject, missing } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { eventually } from '../objects/eventually.js';
import type { Sandbox } from '../objects/sandbox.js';
import {
  attempt,
  claimOf,
  claims,
  countOf,
  isSuccess,
  limitRanges,
  mustKeepResources,
  need,
  podOf,
  pods,
  settled,
} from './objects.js';

interface Defaulting {
  readonly limit: JsonObject;
  readonly pod: JsonObject;
  /** The resources of each container. */
  readonly containers: readonly JsonObject[];
}

const defaultings: Readonly<Record<string, Defaulting>> = {
  'default limit': {
    limit: { default: { cpu: '300m', memory: '64Mi' }, defaultRequest: { cpu: '200m', memory: '32Mi' } },
    pod: podOf({}),
    containers: [{ limits: { cpu: '300m', memory: '64Mi' } }],
  },
  'default request': {
    limit: { default: { cpu: '300m' }, defaultRequest: { cpu: '200m' } },
    pod: podOf({}),
    containers: [{ requests: { cpu: '200m' } }],
  },
  'limit from the maximum': {
    limit: { max: { cpu: '700m' } },
    pod: podOf({}),
    containers: [{ limits: { cpu: '700m' } }],
  },
  'request from the default limit': {
    limit: { default: { memory: '128Mi' } },
    pod: podOf({}),
    containers: [{ requests: { memory: '128Mi' } }],
  },
  'own limit kept': {
    limit: { default: { cpu: '300m', memory: '64Mi' }, defaultRequest: { cpu: '200m' } },
    pod: podOf({ limits: { cpu: '500m' } }),
    containers: [{ limits: { cpu: '500m', memory: '64Mi' }, requests: { cpu: '500m' } }],
  },
  'second container': {
    limit: { default: { cpu: '300m' }, defaultRequest: { cpu: '200m' } },
    pod: podOf({ limits: { cpu: '400m' }, requests: { cpu: '100m' } }, {}),
    containers: [
      { limits: { cpu: '400m' }, requests: { cpu: '100m' } },
      { limits: { cpu: '300m' }, requests: { cpu: '200m' } },
    ],
  },
};

interface Limiting {
  readonly type: 'Container' | 'Pod' | 'PersistentVolumeClaim';
  readonly limit: JsonObject;
  readonly within: JsonObject;
  readonly beyond: JsonObject;
}

const cpu = (request: string, limit: string): JsonObject => ({ requests: { cpu: request }, limits: { cpu: limit } });

const limitings: Readonly<Record<string, Limiting>> = {
  'container limit above the maximum': {
    type: 'Container',
    limit: { max: { cpu: '500m' } },
    within: podOf(cpu('100m', '500m'), cpu('100m', '500m')),
    beyond: podOf(cpu('100m', '500m'), cpu('100m', '501m')),
  },
  'container request below the minimum': {
    type: 'Container',
    limit: { min: { cpu: '100m' } },
    within: podOf(cpu('100m', '500m')),
    beyond: podOf(cpu('99m', '500m')),
  },
  'container ratio of limit to request': {
    type: 'Container',
    limit: { maxLimitRequestRatio: { cpu: '2' } },
    within: podOf(cpu('100m', '200m')),
    beyond: podOf(cpu('100m', '300m')),
  },
  'pod limits above the maximum': {
    type: 'Pod',
    limit: { max: { cpu: '1' } },
    within: podOf(cpu('100m', '500m'), cpu('100m', '500m')),
    beyond: podOf(cpu('100m', '500m'), cpu('100m', '600m')),
  },
  'pod requests below the minimum': {
    type: 'Pod',
    limit: { min: { cpu: '300m' } },
    within: podOf(cpu('100m', '1'), cpu('200m', '1')),
    beyond: podOf(cpu('100m', '1'), cpu('100m', '1')),
  },
  'pod without a limit': {
    type: 'Pod',
    limit: { max: { cpu: '1' } },
    within: podOf(cpu('100m', '1')),
    beyond: podOf({}),
  },
  'claim above the maximum': {
    type: 'PersistentVolumeClaim',
    limit: { max: { storage: '2Gi' } },
    within: claimOf('2Gi'),
    beyond: claimOf('3Gi'),
  },
  'claim below the minimum': {
    type: 'PersistentVolumeClaim',
    limit: { min: { storage: '1Gi' } },
    within: claimOf('1Gi'),
    beyond: claimOf('512Mi'),
  },
};

/** Creates a pod in a namespace with defaults. */
export async function defaulted(sandbox: Sandbox, variant = '') {
  const { limit, pod, containers } = defaultings[variant] ?? fail(`no such default: ${variant}`);
  const namespace = await sandbox.namespace(keyOf('defaults', variant));
  await need(sandbox, limitRanges, namespace, { spec: { limits: [{ type: 'Container', ...limit }] } });
  const made = await need(sandbox, pods, namespace, pod);
  const read = await sandbox.current(made);
  const isOther = (resources: JsonObject, index: number) =>
    missing(at(read, 'spec', 'containers', index, 'resources'), resources) !== undefined;
  if (containers.some(isOther)) await mustKeepResources(sandbox, namespace);
  return { request: made.reply.request, read, containers };
}

/** Milliseconds until a limit range counts that was just created: admission reads them from a cache, which may be late. */
const longestUntilKnown = 2_000;

/** Creates an object within the limits and an object that exceeds them, and another one once they are removed. */
export async function limited(sandbox: Sandbox, variant = '') {
  const { type, limit, within, beyond } = limitings[variant] ?? fail(`no such limit: ${variant}`);
  const resource = type === 'PersistentVolumeClaim' ? claims : pods;
  const namespace = await sandbox.namespace(keyOf('limits', variant));
  // What limits is neither the first limit range nor the first item.
  const wide = { type: type === 'Pod' ? 'Container' : 'Pod', min: { cpu: '1m' } };
  await need(sandbox, limitRanges, namespace, { spec: { limits: [wide] } });
  const { name } = await need(sandbox, limitRanges, namespace, { spec: { limits: [wide, { type, ...limit }] } });
  const made = await settled(sandbox, resource, namespace, within);
  const over = await eventually(
    () => attempt(sandbox, resource, namespace, beyond),
    ({ reply }) => !isSuccess(reply),
    longestUntilKnown,
  );
  if (resource === pods && isSuccess(over.reply)) await mustKeepResources(sandbox, namespace);
  const overCount = await countOf(sandbox, over);
  const path = pathTo(limitRanges, 'patch', namespace, name);
  await sandbox.attempt('change a limit range', 'PATCH', path, { spec: { limits: [wide] } });
  const later = await settled(sandbox, resource, namespace, beyond);
  return { made: made.reply, over: over.reply, overCount, later: later.reply };
}

/** Returns a short key for the namespace of a variant. */
const keyOf = (of: string, variant: string): string => `${of}-${variant.replaceAll(/[^a-z]+/g, '')}`.slice(0, 40);
