// What admission changes in each pod, by plug-ins, limits and webhooks of others: a check that it misleads is skipped.
import { Unchecked } from '../client/expect.js';
import { at, brief, isObject, itemsOf, type JsonObject } from '../client/json.js';
import { pods } from './related.js';
import type { Sandbox } from './sandbox.js';

const own = 'main';
const container = { name: own, image: 'registry.example/conformance:1', imagePullPolicy: 'IfNotPresent' };
const initial = { ...container, name: 'initial' };
/** Early servers drop the init containers. */
const sent = { containers: [container], initContainers: [initial], volumes: [{ name: own, emptyDir: {} }] };

interface NewPod {
  readonly containers: readonly JsonObject[];
  readonly initContainers: readonly JsonObject[];
  readonly volumes: readonly JsonObject[];
}

/** What a check may need as it was sent, and how the target changes it: in words, if it does. */
const changes = {
  containers: ({ containers }: NewPod) => {
    const added = containers.map(({ name }) => String(name)).filter((name) => name !== own);
    return added.length === 0 ? undefined : `adds containers to every pod: ${added.join(', ')}`;
  },
  order: ({ containers, initContainers, volumes }: NewPod) => {
    const firsts = [containers[0]?.name ?? '', initContainers[0]?.name ?? initial.name, volumes[0]?.name ?? ''];
    const first = firsts.find((name) => name !== own && name !== initial.name);
    return first === undefined ? undefined : `puts ${String(first)} before the containers or volumes of every pod`;
  },
  resources: ({ containers }: NewPod) => {
    const { resources } = ownOf(containers);
    const isGiven = isObject(resources) && Object.keys(resources).length > 0;
    return isGiven ? `gives resources to every container, as a LimitRange does: ${brief(resources)}` : undefined;
  },
  imagePullPolicy: ({ containers }: NewPod) =>
    ownOf(containers).imagePullPolicy === 'Always'
      ? 'makes every imagePullPolicy Always, as the plug-in AlwaysPullImages does'
      : undefined,
};

const ownOf = (all: readonly JsonObject[]): JsonObject => all.find(({ name }) => name === own) ?? {};

const known = new WeakMap<Sandbox, Promise<NewPod>>();

/** Throws Unchecked if the target changes one of these in each pod that is created. */
export async function mustKeepPods(sandbox: Sandbox, ...needed: readonly (keyof typeof changes)[]): Promise<void> {
  const asked = known.get(sandbox) ?? newPod(sandbox);
  known.set(sandbox, asked);
  const pod = await asked;
  const change = needed.map((one) => changes[one](pod)).find((words) => words !== undefined);
  if (change !== undefined) throw new Unchecked('skipped', `the target ${change}`);
}

async function newPod(sandbox: Sandbox): Promise<NewPod> {
  const { object } = await sandbox.make(pods, { change: { spec: sent } });
  const listed = (field: string): readonly JsonObject[] => itemsOf({ items: at(object, 'spec', field) });
  return { containers: listed('containers'), initContainers: listed('initContainers'), volumes: listed('volumes') };
}
