// The kinds whose objects have effects outside of themselves: a run only reads them, unless its user names them.
import { isNamed } from '../../requirements/index.js';

/** A row: names of kinds, `plural.group`, with `*` for any text, and what their objects do. */
interface SideEffect {
  readonly kinds: readonly string[];
  readonly effect: string;
}

/** Every known side effect. The words follow "its objects". */
const sideEffects: readonly SideEffect[] = [
  {
    kinds: ['*.admissionregistration.k8s.io'],
    effect: 'change or refuse the writes of everybody',
  },
  { kinds: ['apiservices.apiregistration.k8s.io'], effect: 'take over a group of the API' },
  {
    kinds: ['customresourcedefinitions.apiextensions.k8s.io'],
    effect: 'define kinds, and remove all objects of a kind when they are deleted',
  },
  { kinds: ['certificatesigningrequests.certificates.k8s.io'], effect: 'may be approved and signed' },
  { kinds: ['clustertrustbundles.certificates.k8s.io'], effect: 'are trusted by pods of the whole cluster' },
  {
    kinds: ['priorityclasses.scheduling.k8s.io', 'workloads.scheduling.k8s.io', 'podgroups.scheduling.k8s.io'],
    effect: 'change which pods are scheduled',
  },
  {
    kinds: ['storageclasses.storage.k8s.io', 'volumeattributesclasses.storage.k8s.io'],
    effect: 'change how volumes are made for everybody',
  },
  {
    kinds: ['volumeattachments.storage.k8s.io', 'csidrivers.storage.k8s.io', 'csinodes.storage.k8s.io'],
    effect: 'make a driver attach volumes to nodes',
  },
  { kinds: ['*.flowcontrol.apiserver.k8s.io'], effect: 'delay or refuse the requests of everybody' },
  {
    kinds: ['clusterroles.rbac.authorization.k8s.io', 'clusterrolebindings.rbac.authorization.k8s.io'],
    effect: 'grant permissions in the whole cluster',
  },
  { kinds: ['podsecuritypolicies.policy'], effect: 'change which pods are admitted' },
  { kinds: ['runtimeclasses.node.k8s.io'], effect: 'change how nodes run pods' },
  { kinds: ['ingressclasses.networking.k8s.io'], effect: 'change which controller serves an ingress' },
  {
    kinds: ['ipaddresses.networking.k8s.io', 'servicecidrs.networking.k8s.io'],
    effect: 'reserve addresses of services',
  },
  {
    kinds: ['deviceclasses.resource.k8s.io', 'resourceslices.resource.k8s.io'],
    effect: 'change which devices pods get',
  },
  { kinds: ['gateways.gateway.networking.k8s.io'], effect: 'may order a load balancer' },
  { kinds: ['storageversions.internal.apiserver.k8s.io'], effect: 'guide the migration of stored objects' },
  { kinds: ['nodes', 'namespaces'], effect: 'hold the objects of others' },
];

/** Returns what the objects of a kind do to others, as the end of a sentence; undefined if nothing is known. */
export function sideEffectOf(kind: { readonly plural: string; readonly group: string }): string | undefined {
  return sideEffects.find(({ kinds }) => isNamed(kind, kinds))?.effect;
}
