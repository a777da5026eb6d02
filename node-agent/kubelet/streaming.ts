// The kubelet's streams: exec, attach and port-forward.
import { exec as execIn } from '../containers/exec.js';
import type { Instance } from '../containers/instance.js';
import { inputFrom, outputTo } from '../kernel/streams.js';
import { Tty } from '../kernel/tty.js';
import type { PodManager } from '../pods/podManager.js';
import { servePortForward } from '../streaming/portForward.js';
import { serveRemoteCommand } from '../streaming/remoteCommand.js';
import type { TerminalSize } from '../streaming/terminalSizes.js';
import type { UpgradeRequest } from '../streaming/upgrade.js';
import { containerOf, HttpError, type KubeletRequest, podOf } from './request.js';

/** Serves an upgrade request. Rejects with HttpError before the upgrade, and never after it. */
export type Stream = (pods: PodManager, request: KubeletRequest, upgrade: UpgradeRequest) => Promise<void>;

/** Runs a program in a container. */
export const exec: Stream = async (pods, request, upgrade) => {
  const instance = runningInstance(pods, request);
  const argv = request.query.getAll('command');
  if (argv.length === 0) throw new HttpError(400, 'you must specify a command');
  const options = streamOptions(request);
  const tty = options.tty ? new Tty() : undefined;
  await serveRemoteCommand(upgrade, options, async ({ stdin, stdout, stderr, resize }, signal) => {
    void resizeTty(tty, resize);
    const streams = { stdin: stdin && inputFrom(stdin), stdout: outputTo(stdout), stderr: outputTo(stderr) };
    return { exitCode: await execIn(instance, { argv, ...streams, ...(tty && { tty }) }, signal) };
  });
};

/** Connects a client to the streams of a container's main program. */
export const attach: Stream = async (pods, request, upgrade) => {
  const instance = runningInstance(pods, request);
  const options = streamOptions(request);
  await serveRemoteCommand(upgrade, options, async ({ stdin, stdout, stderr, resize }, signal) => {
    void resizeTty(options.tty ? instance.tty : undefined, resize);
    const streams = { stdin: stdin && inputFrom(stdin), stdout: outputTo(stdout), stderr: outputTo(stderr) };
    // A client that does not read cannot receive the exit code.
    if (!(await instance.attach(streams, signal))) upgrade.socket.destroy();
    return { exitCode: 0 };
  });
};

/** Connects to ports of programs in the pod. */
export const portForward: Stream = async (pods, request, upgrade) => {
  const { podIP } = podOf(pods, request);
  if (podIP === undefined) throw new HttpError(500, `pod "${request.pod}" is not running`);
  const ports = request.query.getAll('port').flatMap((text) => text.split(',').map(Number));
  await servePortForward(upgrade, ports, async (port) => {
    const connection = pods.services.network.connect(podIP, port);
    if (connection === undefined) throw new Error(`dial tcp ${podIP}:${port}: connection refused`);
    return connection;
  });
};

async function resizeTty(tty: Tty | undefined, sizes: AsyncIterable<TerminalSize>): Promise<void> {
  for await (const { width, height } of sizes) tty?.resize(width, height);
}

/** Returns the running instance of a container. Throws HttpError if it is not running. */
function runningInstance(pods: PodManager, request: KubeletRequest): Instance {
  const { current } = containerOf(pods, request);
  if (current === undefined || current.exitCode !== undefined) {
    throw new HttpError(500, `container not running (${request.container})`);
  }
  return current;
}

/** Returns the requested streams of a query, by the names that API servers send to a kubelet. */
function streamOptions({ query }: KubeletRequest) {
  const isSet = (name: string) => ['1', 'true'].includes(query.get(name) ?? '');
  return { stdin: isSet('input'), stdout: isSet('output'), stderr: isSet('error'), tty: isSet('tty') };
}
