// ComponentStatuses: probes of the components, not stored objects.

import type { Resource } from '../../matrix/api/index.js';
import type { ApiObject } from '../codecs/codec.js';
import { notFound } from '../errors.js';
import { selectorOf } from '../query/selection.js';
import { objectKeyOf, resourceOf } from '../request.js';
import type { KubeObject } from '../schema/object.js';
import { collectionLinkOf, selfLinkOf } from '../versions/addresses.js';
import { type Dependencies, type MakeHandler, okObject } from './context.js';

const controllersName = 'controller-manager';
/** The name of the storage component in Kubernetes, whatever the storage is. */
const storageName = 'etcd-0';
const patienceMillis = 2000;

interface Component {
  probe(): Promise<void>;
  /** The message of a healthy component. */
  readonly healthy: string;
}

function components({ storage, health }: Dependencies): Readonly<Record<string, Component>> {
  return {
    [storageName]: { probe: () => storage.probe(), healthy: '{"health":"true"}' },
    [controllersName]: { probe: () => health.probe(), healthy: 'ok' },
  };
}

export const listComponentStatuses: MakeHandler = (dependencies) => async (request) => {
  const resource = resourceOf(request);
  const selector = selectorOf(resource, request.query);
  const names = Object.keys(components(dependencies));
  const all = await Promise.all(names.map((name) => examine(resource, name, dependencies)));
  const items = all.filter((status) => selector === undefined || selector(status));
  return okObject({
    kind: 'ComponentStatusList',
    apiVersion: 'v1',
    metadata: dependencies.selfLinks ? { selfLink: collectionLinkOf(resource) } : {},
    items: items.map(({ kind: _kind, apiVersion: _apiVersion, ...item }) => item),
  });
};

export const readComponentStatus: MakeHandler = (dependencies) => async (request) => {
  const resource = resourceOf(request);
  return okObject(await examine(resource, objectKeyOf(request).name, dependencies));
};

async function examine(resource: Resource, name: string, dependencies: Dependencies): Promise<KubeObject> {
  const all = components(dependencies);
  const component = Object.hasOwn(all, name) ? all[name] : undefined;
  if (component === undefined) throw notFound(resource, name);
  return {
    kind: 'ComponentStatus',
    apiVersion: 'v1',
    metadata: { name, ...(dependencies.selfLinks && { selfLink: selfLinkOf(resource, undefined, name) }) },
    conditions: [await conditionOf(component)],
  };
}

async function conditionOf({ probe, healthy }: Component): Promise<ApiObject> {
  try {
    await within(patienceMillis, probe());
    return { type: 'Healthy', status: 'True', message: healthy };
  } catch (error) {
    return { type: 'Healthy', status: 'False', message: error instanceof Error ? error.message : String(error) };
  }
}

async function within(millis: number, answer: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${millis} ms`)), millis);
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
