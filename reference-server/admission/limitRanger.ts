// The LimitRanges of a namespace: what containers get that say nothing, and the least and most that is allowed.
import { forbidden } from '../errors.js';
import type { Container, PodSpec } from '../registry/strategies/podSpec.js';
import { type Draft, type KubeObject, part } from '../schema/object.js';
import { type Amounts, broken, type Limit, type Quantities, totals } from './limits.js';
import type { Admission, Plugin } from './plugin.js';

const noted = 'kubernetes.io/limit-ranger';

export const limitRanger: Plugin = {
  resources: ['core/pods', 'core/persistentvolumeclaims'],
  async fill(creation) {
    if (creation.stored !== 'core/pods') return;
    for (const limit of await limitsOf(creation)) {
      if (limit.type === 'Container') setDefaults(creation.draft, limit);
    }
  },
  async judge(writing) {
    const { object, before, resource, stored } = writing;
    const amounts = amountsByType[stored]?.(object, before !== undefined);
    if (amounts === undefined) return undefined;
    const limits = await limitsOf(writing);
    const sentences = limits.flatMap((limit) =>
      (amounts[limit.type ?? ''] ?? []).flatMap((each) => broken(limit, each)),
    );
    if (sentences.length === 0) return undefined;
    const why = sentences.length === 1 ? String(sentences[0]) : `[${sentences.join(', ')}]`;
    throw forbidden(resource, object.metadata.name ?? '', why);
  },
  judgesUpdates: ['core/persistentvolumeclaims'],
};

async function limitsOf({ registry, namespace }: Admission): Promise<readonly Limit[]> {
  const { entries } = await registry.of('core/limitranges').list(namespace);
  return entries.flatMap(({ value }) => part<{ limits?: readonly Limit[] }>(value, 'spec').limits ?? []);
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
function setDefaults(draft: Draft, limit: Limit): void {
  const spec = part<PodSpec>(draft, 'spec');
  const notes: string[] = [];
  const containers = spec.containers?.map((container) => withDefaults(container, limit, notes));
  if (notes.length === 0) return;
  draft.spec = { ...spec, containers };
  const { annotations = {} } = draft.metadata;
  const before = annotations[noted];
  const note = `LimitRanger plugin set: ${notes.join('; ')}`;
  draft.metadata.annotations = { ...annotations, [noted]: before === undefined ? note : `${before}; ${note}` };
}

function withDefaults(container: Container, limit: Limit, notes: string[]): Container {
  const { limits = {}, requests = {} } = container.resources ?? {};
  const fill = (what: string, given: Quantities, defaults: Quantities = {}): Quantities => {
    const open = Object.keys(defaults).filter((name) => !Object.hasOwn(given, name));
    if (open.length > 0) notes.push(`${open.sort().join(', ')} ${what} for container ${container.name ?? ''}`);
    return { ...defaults, ...given };
  };
  const asked = fill('request', requests, limit.defaultRequest);
  const used = fill('limit', limits, limit.default);
  const resources = {
    ...(Object.keys(used).length > 0 && { limits: used }),
    ...(Object.keys(asked).length > 0 && { requests: asked }),
  };
  return { ...container, resources };
}
