// How a strategy of the core becomes that of a server which came after the interface.
import type { IsDisabled } from '../../../features/features.js';
import type { Strategy } from '../../../registry/strategy.js';

/** The server that a strategy is for. */
interface GrownServer {
  /** The minor version of Kubernetes that it reports. */
  readonly minor: number;
  readonly lacks: IsDisabled;
}

/** Returns a strategy that does more than the one given. */
export type Grow = (strategy: Strategy, server: GrownServer) => Strategy;
