// The LimitRanges of a namespace: what containers get that say nothing, and the least and most that is allowed.
import type { ApiObject } from '../codecs/codec.js';
import { forbidden } from '../errors.js';
import type { Container, PodSpec } from '../registry/strategies/podSpec.js';
import { type KubeObject, part } from '../schema/object.js';
import { Turns } from '../turns.js';
import { type Amounts, addBroken, type Limit, type Merged, mergeLimits, type Quantities, totals } from './limits.js';
import type { Admission, Creation, Plugin } from './plugin.js';

const noted = 'kubernetes.io/limit-ranger';

/** What defaults may add to a pod, in bytes: they are repeated in each of its containers. */
const mostAdded = 1024 * 1024;

export const limitRanger: Plugin = {
  resources: ['core/pods', 'core/persistentvolumeclaims'],
  async fill(creation) {
    if (creation.stored !== 'core/pods') return;
    const limit = (await limitsOf(creation)).get('Container');
    if (limit !== undefined) await setDefaults(creation, limit);
  },
  async judge(writing) {
    const { object, before, resource, stored } = writing;
    const amounts = amountsByType[stored]?.(object, before !== undefined);
    if (amounts === undefined) return undefined;
    const turns = new Turns();
    const sentences: string[] = [];
    for (const [type, merged] of await limitsOf(writing)) {
      for (const each of amounts[type] ?? []) {
        addBroken(merged, each, sentences);
        if (turns.isOver) await turns.next();
      }
    }
    if (sentences.length === 0) return undefined;
    const why = sentences.length === 1 ? String(sentences[0]) : `[${sentences.join(', ')}]`;
    throw forbidden(resource, object.metadata.name ?? '', why);
  },
  judgesUpdates: ['core/persistentvolumeclaims'],
};

/** What the limits of one LimitRange come to. It never changes, so it is worked out once. */
const merged = new WeakMap<object, ReadonlyMap<string, Merged>>();

/** What the LimitRanges of a namespace come to, by type. */
async function limitsOf({ registry, namespace }: Admission): Promise<ReadonlyMap<string, Merged>> {
  const { entries } = await registry.of('core/limitranges').list(namespace);
  const [first, ...others] = entries;
  if (first === undefined) return new Map();
  const limits = (value: ApiObject) => part<{ limits?: readonly Limit[] }>(value, 'spec').limits ?? [];
  if (others.length > 0) return mergeLimits(entries.flatMap(({ value }) => limits(value)));
  const known = merged.get(first.value) ?? mergeLimits(limits(first.value));
  merged.set(first.value, known);
  return known;
}

/** What each type of limit has to look at in an object. An update of a pod changes nothing of that. */
const amountsByType: Readonly<
  Record<string, (object: KubeObject, isUpdate: boolean) => Readonly<Record<string, readonly Amounts[]>> | undefined>
> = {
  'core/pods': (pod, isUpdate) => {
    if (isUpdate) return undefined;
    const containers = (part<PodSpec>(pod, 'spec').containers ?? []).map(({ resources = {} }) => resources);
    return { Container: containers, Pod: [totals(containers)] };
  },
  'core/persistentvolumeclaims': (claim) => ({
    PersistentVolumeClaim: [part<{ resources?: Amounts }>(claim, 'spec').resources ?? {}],
  }),
};

/** Gives the containers what they leave open, and notes it at the pod. */
async function setDefaults({ draft, resource }: Creation, limit: Merged): Promise<void> {
  const spec = part<PodSpec>(draft, 'spec');
  const turns = new Turns();
  const notes: string[] = [];
  const containers: Container[] = [];
  let room = mostAdded;
  for (const container of spec.containers ?? []) {
    const before = notes.length;
    containers.push(withDefaults(container, limit, notes));
    // The names stand in the notes too; a value is no longer than a few digits.
    for (const note of notes.slice(before)) room -= note.length;
    if (room < 0) {
      const why = `the defaults of the limit ranges add more than ${mostAdded} bytes to its containers`;
      throw forbidden(resource, draft.metadata.name ?? '', why);
    }
    if (turns.isOver) await turns.next();
  }
  if (notes.length === 0) return;
  draft.spec = { ...spec, containers };
  const { annotations = {} } = draft.metadata;
  const before = annotations[noted];
  const note = `LimitRanger plugin set: ${notes.join('; ')}`;
  draft.metadata.annotations = { ...annotations, [noted]: before === undefined ? note : `${before}; ${note}` };
}

function withDefaults(container: Container, limit: Merged, notes: string[]): Container {
  const { limits = {}, requests = {} } = container.resources ?? {};
  const fill = (what: string, given: Quantities, defaults: ReadonlyMap<string, string>): Quantities => {
    const open = [...defaults].filter(([name]) => !Object.hasOwn(given, name));
    if (open.length === 0) return given;
    notes.push(`${open.map(([name]) => name).join(', ')} ${what} for container ${container.name ?? ''}`);
    return { ...Object.fromEntries(open), ...given };
  };
  const asked = fill('request', requests, limit.defaultRequest);
  const used = fill('limit', limits, limit.default);
  const resources = {
    ...(Object.keys(used).length > 0 && { limits: used }),
    ...(Object.keys(asked).length > 0 && { requests: asked }),
  };
  return { ...container, resources };
}
