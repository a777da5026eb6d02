// Streams into pods: exec, attach and port-forward.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { execute } from '../containers/execution.js';
import type { Instance } from '../containers/instance.js';
import type { PodManager } from '../pods/podManager.js';
import { Screen } from '../programs/screen.js';
import { inputFrom, outputTo } from '../programs/streams.js';
import { servePortForward } from '../streams/portForward.js';
import { serveRemoteCommand } from '../streams/remoteCommand.js';
import type { TerminalSize } from '../streams/terminalSizes.js';
import { Refusal } from './refusal.js';
import { containerAt, type Place, podAt } from './target.js';

/** A request for an upgrade, and the connection that it came by. */
export interface Connecting {
  readonly pods: PodManager;
  readonly place: Place;
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Runs a program in a container. */
export async function exec(connecting: Connecting): Promise<void> {
  const { place, request, socket, head } = connecting;
  const instance = runningAt(connecting);
  const argv = place.query.getAll('command');
  if (argv.length === 0) throw new Refusal(400, 'you must specify a command');
  const wanted = wantedStreams(place);
  const screen = wanted.tty ? new Screen() : undefined;
  await serveRemoteCommand(request, socket, head, wanted, async ({ stdin, stdout, stderr, resize }, signal) => {
    void follow(resize, screen);
    const execution = {
      argv,
      stdin: stdin === undefined ? undefined : inputFrom(stdin),
      stdout: outputTo(stdout),
      stderr: outputTo(stderr),
      ...(screen === undefined ? {} : { screen }),
    };
    return { exitCode: await execute(instance, execution, signal) };
  });
}

/** Joins the streams of a container's main program. */
export async function attach(connecting: Connecting): Promise<void> {
  const { place, request, socket, head } = connecting;
  const instance = runningAt(connecting);
  const wanted = wantedStreams(place);
  await serveRemoteCommand(request, socket, head, wanted, async ({ stdin, stdout, stderr, resize }, signal) => {
    void follow(resize, wanted.tty ? instance.screen : undefined);
    const input = stdin === undefined ? undefined : inputFrom(stdin);
    const streams = { stdin: input, stdout: outputTo(stdout), stderr: outputTo(stderr) };
    // nothing more can be told to a client that does not read
    if (!(await instance.attach(streams, signal))) socket.destroy();
    return { exitCode: 0 };
  });
}

/** Connects to ports that programs of the pod listen on. */
export async function portForward({ pods, place, request, socket, head }: Connecting): Promise<void> {
  const { address } = podAt(pods, place);
  if (address === undefined) throw new Refusal(500, `pod "${place.pod}" is not running`);
  const ports = place.query.getAll('port').flatMap((text) => text.split(',').map(Number));
  await servePortForward(request, socket, head, ports, async (port) => {
    const connection = pods.parts.network.connect(address, port);
    if (connection === undefined) throw new Error(`dial tcp ${address}:${port}: connection refused`);
    return connection;
  });
}

/** Gives the screen each size that the client tells, until there are no more. */
async function follow(sizes: AsyncIterable<TerminalSize>, screen: Screen | undefined): Promise<void> {
  for await (const { width, height } of sizes) screen?.resize(width, height);
}

function runningAt({ pods, place }: Connecting): Instance {
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
