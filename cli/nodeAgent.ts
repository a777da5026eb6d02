// The `node-agent` command: simulates a node for an API server until a signal stops it.
import type { Command } from 'commander';
import { type ApiAccess, EgressError, type NodeAgentOptions, startNodeAgent } from '../node-agent/index.js';
import { UsageError } from './errors.js';
import { readTextFile } from './files.js';
import { accessTo } from './run/node.js';
import { exitWithParentFlag, type StopFlags, stopSignal } from './serve/stopSignal.js';
import { resolveTarget, type TargetOptions } from './target/target.js';
import { logLine } from './terminal.js';

type ApiFlags = Pick<
  TargetOptions,
  'url' | 'ca' | 'token' | 'clientCertificate' | 'clientKey' | 'kubeconfig' | 'context'
>;

interface NodeAgentFlags extends ApiFlags, StopFlags {
  readonly name: string;
  readonly address: string;
  readonly podCidr: string;
  readonly egressSocket: string;
  readonly schedule?: boolean;
  readonly kubeletClientCaFile?: string;
}

export function registerNodeAgent(program: Command): void {
  program
    .command('node-agent')
    .description('simulate a node for an API server; its pods are simulated too, and start no programs on this machine')
    .requiredOption('--egress-socket <file>', 'Unix socket on which the API server reaches the node and its pods')
    .option('--url <url>', 'the API server')
    .option('--ca <file>', "the CA that signed the server's certificate, PEM")
    .option('--token <token>', 'a bearer token')
    .option('--client-certificate <file>', 'a client certificate, PEM')
    .option('--client-key <file>', 'the key of --client-certificate, PEM')
    .option('--kubeconfig <file>', 'kubeconfig, in place of the options above')
    .option('--context <name>', 'a context of the kubeconfig')
    .option('--name <name>', 'the name of the node', 'node-1')
    .option('--address <address>', "the node's virtual address, of 10.0.0.0/8", '10.250.0.1')
    .option('--pod-cidr <range>', 'the virtual addresses of its pods, a /24 of 10.0.0.0/8', '10.244.0.0/24')
    .option('--schedule', 'bind pods that have no node')
    .option('--kubelet-client-ca-file <file>', 'CA of the clients that may call the node, PEM')
    .option(...exitWithParentFlag)
    .action(run);
}

/** Runs until SIGTERM, SIGINT or, with --exit-with-parent, the end of the parent. Throws UsageError for invalid options. */
async function run(flags: NodeAgentFlags): Promise<void> {
  // A signal ends a process that does not listen for it, also one that waits for who writes into a pipe.
  const options = optionsOf(flags);
  const stopped = stopSignal(flags);
  const agent = await start(options);
  const ready = agent.registered.then(() => true);
  if (await Promise.race([ready, stopped.then(() => false)])) {
    process.stdout.write(`node ${flags.name} is ready\n`);
    await stopped;
  }
  await agent.close();
}

async function start(options: NodeAgentOptions) {
  try {
    return await startNodeAgent(options);
  } catch (error) {
    if (error instanceof EgressError) throw new UsageError(`node-agent: --egress-socket: ${error.message}`);
    if (error instanceof RangeError) throw new UsageError(`node-agent: ${error.message}`);
    throw error;
  }
}

function optionsOf(flags: NodeAgentFlags): NodeAgentOptions {
  const { name, address, podCidr, egressSocket, schedule = false, kubeletClientCaFile: clientCa } = flags;
  return {
    api: accessOf(flags),
    nodes: [{ name, address, podCidr }],
    egressSocket,
    schedule,
    recordEvents: true,
    onError: ({ message }) => process.stderr.write(`node-agent: ${logLine(message)}\n`),
    ...(clientCa === undefined
      ? {}
      : { kubeletClientCa: readTextFile(clientCa, 'node-agent: --kubelet-client-ca-file') }),
  };
}

function accessOf({ url, ca, token, clientCertificate, clientKey, kubeconfig, context }: ApiFlags): ApiAccess {
  const flags = { url, ca, token, clientCertificate, clientKey, kubeconfig, context };
  const target = resolveTarget(Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)));
  return accessTo(target);
}
