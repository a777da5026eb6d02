// Makes the first roles and bindings of a cluster, and gives them back what clients have taken from them.
import type { Registry } from '../../../registry/registry.js';
import type { Store } from '../../../registry/store.js';
import { equal, type KubeObject, part } from '../../../schema/object.js';
import { unless, unlessGone } from '../../../statusError.js';
import { aggregate, clusterRoles } from '../aggregation.js';
import { missingRights } from '../missing.js';
import type { Rule } from '../rules.js';
import { type FirstObject, firstObjects } from './roles.js';

const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate';

/** The parts of roles and bindings. */
interface Content {
  readonly rules?: readonly Rule[];
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly object[] };
  readonly subjects?: readonly object[];
  readonly roleRef?: object;
}

/** Makes the objects that are absent, and repairs those whose annotation does not say otherwise. Several servers may do so at once. */
export async function placeFirstObjects(registry: Pick<Registry, 'of'>): Promise<void> {
  for (const first of firstObjects()) await place(registry.of(first.resource), first);
  const roles = registry.of(clusterRoles);
  for (const name of ['view', 'edit', 'admin']) {
    const found = await roles.find({ namespace: undefined, name });
    if (found !== undefined) await aggregate(roles, found.value);
  }
}

async function place(store: Store, { object }: FirstObject): Promise<void> {
  const { namespace, name = '' } = object.metadata;
  const key = { namespace, name };
  const create = (): Promise<unknown> => store.create(namespace, structuredClone(object)).catch(unless(403, 404, 409));
  const found = await store.find(key);
  if (found === undefined) return void (await create());
  if (found.value.metadata.annotations?.[autoUpdate] === 'false') return;
  if (!equal((found.value as Content).roleRef, object.roleRef)) {
    // A binding cannot change its role.
    await store.delete(key, { dryRun: false }).catch(unlessGone);
    return void (await create());
  }
  if (repaired(found.value, object as KubeObject) === found.value) return;
  await store.updateInternally(key, (current) => repaired(current, object as KubeObject)).catch(unlessGone);
}

/** Returns an object with what it lacks of the first one; the same object if it lacks nothing. What clients added stays. */
function repaired(current: KubeObject, first: KubeObject): KubeObject {
  const [had, wanted] = [current, first] as readonly Content[] as [Content, Content];
  const isAggregated = wanted.aggregationRule !== undefined;
  const rules = [
    ...(had.rules ?? []),
    ...(isAggregated
      ? []
      : (wanted.rules ?? []).filter((rule) => missingRights(had.rules ?? [], [rule])?.length !== 0)),
  ];
  const withAll = (some: readonly object[] = [], more: readonly object[] = []): readonly object[] => [
    ...some,
    ...more.filter((one) => !some.some((other) => equal(one, other))),
  ];
  const { aggregationRule, subjects } = wanted;
  const next = {
    ...current,
    metadata: {
      ...current.metadata,
      labels: { ...first.metadata.labels, ...current.metadata.labels },
      annotations: { ...first.metadata.annotations, ...current.metadata.annotations },
    },
    ...(wanted.rules !== undefined && { rules }),
    ...(subjects !== undefined && subjects.length > 0 && { subjects: withAll(had.subjects, subjects) }),
    ...(aggregationRule !== undefined && {
      aggregationRule: {
        ...part<object>(current, 'aggregationRule'),
        clusterRoleSelectors: withAll(had.aggregationRule?.clusterRoleSelectors, aggregationRule.clusterRoleSelectors),
      },
    }),
  };
  return equal(next, current) ? current : next;
}
