// The ports of its node that a pod takes.
import type { Pod } from '../api/types.js';

export interface HostPort {
  readonly protocol: string;
  readonly port: number;
  /** The port of the pod to which it leads. */
  readonly containerPort: number;
  /** `0.0.0.0` for all addresses of the node. */
  readonly address: string;
}

export function hostPortsOf({ spec }: Pod): readonly HostPort[] {
  const ports = spec.containers.flatMap((container) => container.ports ?? []);
  return ports.flatMap(({ containerPort, hostPort, hostIP, protocol = 'TCP' }) => {
    const port = spec.hostNetwork === true ? (hostPort ?? containerPort) : hostPort;
    return port === undefined || port === 0 ? [] : [{ protocol, port, containerPort, address: hostIP || everywhere }];
  });
}

/** All addresses of a node. */
export const everywhere = '0.0.0.0';

/** Reports whether two pods cannot have their ports on one node. */
export const portsClash = (some: readonly HostPort[], others: readonly HostPort[]): boolean =>
  some.some(({ protocol, port, address }) =>
    others.some(
      (other) =>
        other.protocol === protocol &&
        other.port === port &&
        (other.address === address || other.address === everywhere || address === everywhere),
    ),
  );
