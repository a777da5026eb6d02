// Streams into pods: exec, attach and port-forward.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { execute } from '../containers/execution.js';
import type { Instance } from '../containers/instance.js';
import type { PodManager } from '../pods/podManager.js';
import { inputFrom, outputTo } from '../programs/streams.js';
import { servePortForward } from '../streams/portForward.js';
import { serveRemoteCommand } from '../streams/remoteCommand.js';
import { Refusal } from './refusal.js';
import { containerAt, type Place, podAt } from './target.js';

/** Runs a program in a container. */
export async function exec(
  pods: PodManager,
  place: Place,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const instance = runningAt(pods, place);
  const argv = place.query.getAll('command');
  if (argv.length === 0) throw new Refusal(400, 'you must specify a command');
  const wanted = wantedStreams(place);
  await serveRemoteCommand(request, socket, head, wanted, async ({ stdin, stdout, stderr }, signal) => ({
    exitCode: await execute(
      instance,
      {
        argv,
        stdin: stdin === undefined ? undefined : inputFrom(stdin),
        stdout: outputTo(stdout),
        stderr: outputTo(stderr),
        tty: wanted.tty,
      },
      signal,
    ),
  }));
}

/** Joins the streams of a container's main program. */
export async function attach(
  pods: PodManager,
  place: Place,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const instance = runningAt(pods, place);
  await serveRemoteCommand(request, socket, head, wantedStreams(place), async ({ stdin, stdout, stderr }, signal) => {
    const input = stdin === undefined ? undefined : inputFrom(stdin);
    await instance.attach({ stdin: input, stdout: outputTo(stdout), stderr: outputTo(stderr) }, signal);
    return { exitCode: 0 };
  });
}

/** Connects to ports that programs of the pod listen on. */
export async function portForward(
  pods: PodManager,
  place: Place,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const pod = podAt(pods, place);
  const { address } = pod;
  if (address === undefined) throw new Refusal(500, `pod "${place.pod}" is not running`);
  const ports = place.query.getAll('port').flatMap((text) => text.split(',').map(Number));
  await servePortForward(request, socket, head, ports, async (port) => {
    const connection = pods.parts.network.connect(address, port);
    if (connection === undefined) throw new Error(`dial tcp ${address}:${port}: connection refused`);
    return connection;
  });
}

function runningAt(pods: PodManager, place: Place): Instance {
  const { current } = containerAt(podAt(pods, place), place);
  if (current === undefined || current.exitCode !== undefined) {
    throw new Refusal(500, `container not running (${place.container})`);
  }
  return current;
}

/** The streams that a query asks for, by the names that API servers use towards a kubelet. */
function wantedStreams({ query }: Place) {
  const has = (name: string) => ['1', 'true'].includes(query.get(name) ?? '');
  return { stdin: has('input'), stdout: has('output'), stderr: has('error'), tty: has('tty') };
}
