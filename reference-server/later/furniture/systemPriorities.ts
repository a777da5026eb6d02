// The priority classes of the system, which every cluster has and nobody changes.
interface SystemPriority {
  readonly value: number;
  readonly description: string;
}

/** The classes by name. */
export const systemPriorities: Readonly<Record<string, SystemPriority>> = {
  'system-node-critical': {
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  'system-cluster-critical': {
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
};
