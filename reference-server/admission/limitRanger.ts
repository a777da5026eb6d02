// Applies the LimitRanges of a namespace: default requests and limits of containers, and minimum and maximum amounts.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { ApiObject } from '../codecs/codec.js';
import { forbidden } from '../errors.js';
import type { Creation } from '../registry/admission.js';
import type { Store } from '../registry/store.js';
import { type KubeObject, part } from '../schema/object.js';
import type { Quantities } from '../schema/quantity.js';
import { doInTurns, type Steps } from '../turns.js';
import { type Amounts, addBroken, type Merged, mergeLimits, totals } from './limits.js';
import type { Plugin } from './plugin.js';

const noted = 'kubernetes.io/limit-ranger';

/** The most bytes that defaults may add to a pod; they are repeated in each container. */
const mostAdded = 1024 * 1024;

type LimitRanges = Pick<Store, 'list'>;

export const limitRanger = (limitRanges: LimitRanges): Plugin => ({
  feature: 'limit-ranger',
  resources: ['core/pods', 'core/persistentvolumeclaims'],
  updatesOf: ['core/persistentvolumeclaims'],
  async mutate(creation) {
    if (creation.stored !== 'core/pods') return;
    const limit = (await limitsOf(limitRanges, creation.namespace)).get('Container');
    if (limit !== undefined) await doInTurns(setDefaults(creation, limit));
  },
  async validate({ object, before, resource, stored, namespace }) {
    const limits = await limitsOf(limitRanges, namespace);
    if (limits.size === 0) return;
    const amounts = amountsByType[stored]?.(object, before !== undefined);
    if (amounts === undefined) return;
    const sentences = await doInTurns(brokenLimits(limits, amounts));
    if (sentences.length === 0) return;
    const why = sentences.length === 1 ? String(sentences[0]) : `[${sentences.join(', ')}]`;
    throw forbidden(resource, object.metadata.name ?? '', why);
  },
});

/** Returns a sentence for each limit that an amount breaks. */
function* brokenLimits(
  limits: ReadonlyMap<string, Merged>,
  amounts: Readonly<Record<string, readonly Amounts[]>>,
): Steps<readonly string[]> {
  const sentences: string[] = [];
  for (const [type, merged] of limits) {
    for (const each of amounts[type] ?? []) {
      addBroken(merged, each, sentences);
      yield;
    }
  }
  return sentences;
}

/** The merged limits of LimitRange specs. A stored LimitRange never changes, so they are computed once. */
const merged = new WeakMap<object, ReadonlyMap<string, Merged>>();

async function limitsOf(ranges: LimitRanges, namespace: string | undefined): Promise<ReadonlyMap<string, Merged>> {
  const { entries } = await ranges.list(namespace);
  const [first, ...others] = entries;
  if (first === undefined) return new Map();
  const limits = (value: ApiObject) => part<ObjectOf<'LimitRangeSpec'>>(value, 'spec').limits ?? [];
  if (others.length > 0) return mergeLimits(entries.flatMap(({ value }) => limits(value)));
  const known = merged.get(first.value) ?? mergeLimits(limits(first.value));
  merged.set(first.value, known);
  return known;
}

/** The amounts in an object that each type of limit applies to. An update of a pod cannot change its amounts. */
const amountsByType: Readonly<
  Record<string, (object: KubeObject, isUpdate: boolean) => Readonly<Record<string, readonly Amounts[]>> | undefined>
> = {
  'core/pods': (pod, isUpdate) => {
    if (isUpdate) return undefined;
    const containers = (part<ObjectOf<'PodSpec'>>(pod, 'spec').containers ?? []).map(({ resources = {} }) => resources);
    return { Container: containers, Pod: [totals(containers)] };
  },
  'core/persistentvolumeclaims': (claim) => ({
    PersistentVolumeClaim: [part<ObjectOf<'PersistentVolumeClaimSpec'>>(claim, 'spec').resources ?? {}],
  }),
};

/**
 * Sets default requests and limits of containers, and names them in an annotation. Throws 403 if the defaults add too
 * many bytes.
 */
function* setDefaults({ object, resource }: Creation, limit: Merged): Steps<void> {
  const spec = part<ObjectOf<'PodSpec'>>(object, 'spec');
  const notes: string[] = [];
  const containers: ObjectOf<'Container'>[] = [];
  let room = mostAdded;
  for (const container of spec.containers ?? []) {
    const before = notes.length;
    containers.push(withDefaults(container, limit, notes));
    // The notes contain the names of the defaults, and a value has only a few digits.
    for (const note of notes.slice(before)) room -= note.length;
    if (room < 0) {
      const why = `the defaults of the limit ranges add more than ${mostAdded} bytes to its containers`;
      throw forbidden(resource, object.metadata.name ?? '', why);
    }
    yield;
  }
  if (notes.length === 0) return;
  object.spec = { ...spec, containers };
  const { annotations = {} } = object.metadata;
  const before = annotations[noted];
  const note = `LimitRanger plugin set: ${notes.join('; ')}`;
  object.metadata.annotations = { ...annotations, [noted]: before === undefined ? note : `${before}; ${note}` };
}

function withDefaults(container: ObjectOf<'Container'>, limit: Merged, notes: string[]): ObjectOf<'Container'> {
  const { limits = {}, requests = {} } = container.resources ?? {};
  const fill = (what: string, quantities: Quantities, defaults: ReadonlyMap<string, string>): Quantities => {
    const open = [...defaults].filter(([name]) => !Object.hasOwn(quantities, name));
    if (open.length === 0) return quantities;
    notes.push(`${open.map(([name]) => name).join(', ')} ${what} for container ${container.name}`);
    return { ...Object.fromEntries(open), ...quantities };
  };
  const asked = fill('request', requests, limit.defaultRequest);
  const used = fill('limit', limits, limit.default);
  const resources = {
    ...(Object.keys(used).length > 0 && { limits: used }),
    ...(Object.keys(asked).length > 0 && { requests: asked }),
  };
  return { ...container, resources };
}
