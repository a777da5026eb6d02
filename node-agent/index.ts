// The exports of the node agent for other folders.
export { type NodeAgentOptions, type RunningNodeAgent, startNodeAgent } from './agent.js';
export type { ApiAccess } from './api/apiClient.js';
export { EgressError } from './network/connectProxy.js';
