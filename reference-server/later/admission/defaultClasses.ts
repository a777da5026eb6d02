// The class of a new claim or ingress that names none: that which is the default of the cluster.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Plugin } from '../../admission/plugin.js';
import { forbidden } from '../../errors.js';
import { type DecodedObject, type KubeObject, part } from '../../schema/object.js';
import { compareQuantities } from '../../schema/quantity.js';
import { type Classes, defaultsOf, type StorageClass } from './classes.js';

type ClaimSpec = ObjectOf<'PersistentVolumeClaimSpec'>;

export const storageClassesId = 'storage.k8s.io/storageclasses';
export const ingressClassesId = 'networking.k8s.io/ingressclasses';

const ofStorage = {
  feature: 'default-storage-class',
  resource: 'core/persistentvolumeclaims',
  field: 'storageClassName',
  annotations: ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'],
  own: 'volume.beta.kubernetes.io/storage-class',
  tooMany: (count: number) => `${count} default StorageClasses were found`,
} as const;

const ofIngresses = {
  feature: 'default-ingress-class',
  resource: 'extensions/ingresses',
  field: 'ingressClassName',
  annotations: ['ingressclass.kubernetes.io/is-default-class'],
  own: 'kubernetes.io/ingress.class',
  tooMany: (count: number) => `${count} default IngressClasses were found, only 1 allowed`,
} as const;

/** The minor version since which the newest of several default classes counts. */
const newestSince = 26;

function defaultClass(
  { feature, resource: concerned, field, annotations, own, tooMany }: typeof ofStorage | typeof ofIngresses,
  classes: Classes<KubeObject>,
  minor: number,
): Plugin {
  const created = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? '';
  const defaults = defaultsOf(
    classes,
    ({ metadata }) => annotations.some((name) => metadata.annotations?.[name] === 'true'),
    (one, other) => (created(one) < created(other) ? 1 : created(one) > created(other) ? -1 : 0),
  );
  return {
    feature,
    resources: [concerned],
    async mutate({ object, resource }) {
      const spec = part<{ [field]?: string }>(object, 'spec');
      if (spec[field] !== undefined || object.metadata.annotations?.[own] !== undefined) return;
      const [newest, ...others] = defaults();
      if (newest === undefined) return;
      if (others.length > 0 && minor < newestSince) {
        const why = `Internal error occurred: ${tooMany(others.length + 1)}`;
        throw forbidden(resource, object.metadata.name ?? '', why);
      }
      object.spec = { ...spec, [field]: newest.metadata.name };
    },
  };
}

export const defaultStorageClass = (classes: Classes<StorageClass>, minor: number): Plugin =>
  defaultClass(ofStorage, classes, minor);
export const defaultIngressClass = (classes: Classes<KubeObject>, minor: number): Plugin =>
  defaultClass(ofIngresses, classes, minor);

/** Refuses to grow a claim unless it is bound and its class allows it. */
export const claimResize = (classes: Classes<StorageClass>): Plugin => ({
  feature: 'claim-resize',
  resources: [ofStorage.resource],
  updatesOf: [ofStorage.resource],
  async validate({ object, before, resource }) {
    if (before === undefined || compareQuantities(sizeOf(object), sizeOf(before)) <= 0) return;
    const refuse = (why: string) => forbidden(resource, object.metadata.name ?? '', why);
    if (part<{ phase?: string }>(before, 'status').phase !== 'Bound') {
      throw refuse('Only bound persistent volume claims can be expanded');
    }
    const [name, last] = [classOf(object), classOf(before)];
    if (name === '' || name !== last || classes.of(name)[0]?.allowVolumeExpansion !== true) {
      throw refuse(
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      );
    }
  },
});

const sizeOf = (claim: DecodedObject): string => part<ClaimSpec>(claim, 'spec').resources?.requests?.storage ?? '0';

const classOf = (claim: DecodedObject): string =>
  claim.metadata.annotations?.[ofStorage.own] ?? part<ClaimSpec>(claim, 'spec').storageClassName ?? '';
