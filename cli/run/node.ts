// The simulated node of a run, for pods that name it, with a record of the requests to it.
import { rm } from 'node:fs/promises';
import type { ApiAccess, RunningNodeAgent } from '../../node-agent/index.js';
import { withinRunning } from '../../suites/client/runningTime.js';
import {
  type Client,
  NoAnswer,
  namePrefix,
  ownCredential,
  type Run,
  startNodeRecord,
  verificationOf,
} from '../../suites/index.js';
import type { Target } from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';

export interface RunNode {
  readonly facts: NonNullable<Run['node']>;
  /** Ends the pods and the node, and removes its object. Repeated calls do nothing. */
  close(): Promise<void>;
}

/** The time limit for the registration of the node, in milliseconds. */
const timeout = 60_000;

/**
 * Starts a simulated node that the target reaches through the socket. Throws UsageError if the socket is unusable or
 * the target does not accept the node.
 */
export async function startRunNode(client: Client, runId: string, egressSocket: string): Promise<RunNode> {
  const { EgressError, startNodeAgent } = await import('../../node-agent/index.js');
  const name = `${namePrefix(runId)}-node`;
  const record = await startNodeRecord();
  let lastError = '';
  let agent: RunningNodeAgent | undefined;
  const end = async (): Promise<void> => {
    await Promise.all([agent?.close(), record.close()]);
    await rm(egressSocket, { force: true });
    await client.send({ method: 'DELETE', path: `/api/v1/nodes/${name}` }).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error;
    });
  };
  let ended: Promise<void> | undefined;
  const close = (): Promise<void> => {
    ended ??= end();
    return ended;
  };
  try {
    agent = await startNodeAgent({
      api: accessTo(client.target),
      nodes: [{ name, address: '10.250.0.1', podCidr: '10.244.0.0/24' }],
      egressSocket,
      // As kubelets do: some clusters take a node that is silent for twenty seconds for lost, and evict its pods.
      heartbeat: 10_000,
      onRequest: record.add,
      onError: ({ message }) => {
        lastError = message;
      },
    });
    await registered(agent, () => lastError);
  } catch (error) {
    await close();
    throw error instanceof EgressError ? new UsageError(`the simulated node: ${error.message}`) : error;
  }
  return { facts: { name, controlUrl: record.controlUrl }, close };
}

function registered({ registered }: RunningNodeAgent, lastError: () => string): Promise<void> {
  const late = () => new UsageError(`the target does not accept the simulated node: ${lastError() || 'no response'}`);
  return withinRunning(timeout, registered, late);
}

/** Returns the node's access to the target, which equals that of the suite's requests. */
export function accessTo(target: Target): ApiAccess {
  const { token, certificate, key } = ownCredential(target);
  return {
    url: target.url,
    tls: verificationOf(target),
    ...(target.route?.relay === undefined ? {} : { socketPath: target.route.relay }),
    ...(token === undefined ? {} : { token: () => ownCredential(target).token ?? token }),
    ...(certificate === undefined || key === undefined ? {} : { clientCertificate: { certificate, key } }),
  };
}
