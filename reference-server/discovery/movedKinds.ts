// The kinds that later versions of Kubernetes serve in other groups, or under other names.

/** A group that has taken over kinds. */
interface MovedKinds {
  readonly group: string;
  /** The plurals of the kinds in that group, each with the plural that the kind or its predecessor had before. */
  readonly plurals: Readonly<Record<string, string>>;
}

const unchanged = (...plurals: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(plurals.map((plural) => [plural, plural]));

/** Every group that has taken over kinds. */
export const movedKinds: readonly MovedKinds[] = [
  { group: 'apps', plurals: unchanged('daemonsets', 'deployments', 'replicasets') },
  { group: 'apiextensions.k8s.io', plurals: { customresourcedefinitions: 'thirdpartyresources' } },
  { group: 'autoscaling', plurals: unchanged('horizontalpodautoscalers') },
  { group: 'batch', plurals: unchanged('jobs') },
  { group: 'discovery.k8s.io', plurals: { endpointslices: 'endpoints' } },
  { group: 'events.k8s.io', plurals: unchanged('events') },
  {
    group: 'extensions',
    plurals: unchanged('daemonsets', 'deployments', 'ingresses', 'networkpolicies', 'replicasets'),
  },
  { group: 'networking.k8s.io', plurals: unchanged('ingresses', 'networkpolicies') },
];
