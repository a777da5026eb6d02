// The kubelet's streams: exec, attach and port-forward.
import type { Container } from '../containers/container.js';
import { inputFrom, outputTo } from '../kernel/streams.js';
import { Tty } from '../kernel/tty.js';
import type { PodManager } from '../pods/podManager.js';
import { servePortForward } from '../streaming/portForward.js';
import { serveRemoteCommand } from '../streaming/remoteCommand.js';
import type { TerminalSize } from '../streaming/terminalSizes.js';
import type { UpgradeRequest } from '../streaming/upgrade.js';
import { containerOf, HttpError, type KubeletRequest, podOf } from './request.js';

/** Serves an upgrade request. Rejects with HttpError before the upgrade, and never after it. */
export type StreamHandler = (pods: PodManager, request: KubeletRequest, upgrade: UpgradeRequest) => Promise<void>;

export const execHandler: StreamHandler = async (pods, request, upgrade) => {
  const container = runningContainer(pods, request);
  const argv = request.query.getAll('command');
  if (argv.length === 0) throw new HttpError(400, 'you must specify a command');
  const options = streamOptions(request);
  const tty = options.tty ? new Tty() : undefined;
  await serveRemoteCommand(upgrade, options, async ({ stdin, stdout, stderr, resize }, signal) => {
    void resizeTty(tty, resize);
    const streams = { stdin: stdin && inputFrom(stdin), stdout: outputTo(stdout), stderr: outputTo(stderr) };
    return { exitCode: await container.exec(argv, streams, tty, signal) };
  });
};

/** Connects a client to the streams of a container's main program. */
export const attachHandler: StreamHandler = async (pods, request, upgrade) => {
  const container = runningContainer(pods, request);
  const options = streamOptions(request);
  await serveRemoteCommand(upgrade, options, async ({ stdin, stdout, stderr, resize }, signal) => {
    void resizeTty(options.tty ? container.tty : undefined, resize);
    const streams = { stdin: stdin && inputFrom(stdin), stdout: outputTo(stdout), stderr: outputTo(stderr) };
    // A client that does not read cannot receive the exit code.
    if (!(await container.attach(streams, signal))) upgrade.socket.destroy();
    return { exitCode: 0 };
  });
};

export const portForwardHandler: StreamHandler = async (pods, request, upgrade) => {
  const { podIP } = podOf(pods, request);
  if (podIP === undefined) throw new HttpError(500, `pod "${request.pod}" is not running`);
  const ports = request.query.getAll('port').flatMap((text) => text.split(',').map(Number));
  const { network } = pods.services;
  // The connection begins within the pod.
  await servePortForward(upgrade, ports, async (port) => network.connect(podIP, port, '127.0.0.1'));
};

async function resizeTty(tty: Tty | undefined, sizes: AsyncIterable<TerminalSize>): Promise<void> {
  for await (const { width, height } of sizes) tty?.resize(width, height);
}

/** Throws HttpError if the container is not running. */
function runningContainer(pods: PodManager, request: KubeletRequest): Container {
  const { current } = containerOf(pods, request);
  if (current === undefined || current.exitCode !== undefined) {
    throw new HttpError(500, `container not running (${request.container})`);
  }
  return current;
}

/** The names in the query are those that API servers send to a kubelet. */
function streamOptions({ query }: KubeletRequest) {
  const isSet = (name: string) => ['1', 'true'].includes(query.get(name) ?? '');
  return { stdin: isSet('input'), stdout: isSet('output'), stderr: isSet('error'), tty: isSet('tty') };
}
