// What other parts may use of the node agent.
export { type NodeAgentOptions, type RunningNodeAgent, startNodeAgent } from './agent.js';
export type { ApiAccess } from './api/apiClient.js';
export { EgressError } from './egress/connectProxy.js';
