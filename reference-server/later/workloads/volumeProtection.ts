// Takes the finalizers of deleted volumes and claims when nothing uses them: no pod that runs, and no claim.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Controller } from '../../controllers/controller.js';
import type { Store } from '../../registry/store.js';
import { type KubeObject, objectKeyIn, part, withoutFinalizer } from '../../schema/object.js';
import { unlessGone } from '../../statusError.js';
import { hasEnded, phaseOf } from './pods.js';

/** The finalizer of volumes and claims: they stay while something uses them. */
export const protectionOf = { volume: 'kubernetes.io/pv-protection', claim: 'kubernetes.io/pvc-protection' };

interface Parts {
  readonly claims: Pick<Store, 'updateInternally'>;
  readonly volumes: Pick<Store, 'updateInternally'>;
  readonly pods: Pick<Store, 'list'>;
}

export function volumeProtection({ claims, volumes, pods }: Parts): readonly Controller[] {
  const uses = async ({ metadata: { namespace, name } }: KubeObject): Promise<boolean> =>
    (await pods.list(namespace)).entries.some(({ value }) => isRunning(value) && claimsOf(value).includes(name ?? ''));
  return [
    protection('core/persistentvolumeclaims', claims, protectionOf.claim, uses, [
      {
        resource: 'core/pods',
        concerned: (pod) => claimsOf(pod).map((name) => ({ namespace: pod.metadata.namespace, name })),
      },
    ]),
    protection('core/persistentvolumes', volumes, protectionOf.volume, async (volume) => phaseOf(volume) === 'Bound'),
  ];
}

function protection(
  resource: string,
  store: Pick<Store, 'updateInternally'>,
  finalizer: string,
  isUsed: (object: KubeObject) => Promise<boolean>,
  sources: NonNullable<Controller['sources']> = [],
): Controller {
  return {
    name: `protection of ${resource}`,
    feature: 'volume-protection',
    resource,
    sources,
    async reconcile(object) {
      const { deletionTimestamp, finalizers = [] } = object.metadata;
      if (deletionTimestamp === undefined || !finalizers.includes(finalizer) || (await isUsed(object)))
        return undefined;
      await store
        .updateInternally(objectKeyIn(object), (current) => withoutFinalizer(current, finalizer))
        .catch(unlessGone);
      return undefined;
    },
  };
}

/** A pod that no node runs, or that has ended, uses nothing. */
function isRunning(pod: KubeObject): boolean {
  const { nodeName } = part<ObjectOf<'PodSpec'>>(pod, 'spec');
  return Boolean(nodeName) && !hasEnded(pod);
}

const claimsOf = (pod: KubeObject): readonly string[] =>
  (part<ObjectOf<'PodSpec'>>(pod, 'spec').volumes ?? []).flatMap(({ persistentVolumeClaim }) =>
    persistentVolumeClaim?.claimName ? [persistentVolumeClaim.claimName] : [],
  );
