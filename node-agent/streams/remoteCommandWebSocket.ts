// Remote commands over a WebSocket: channels 0 to 4 for stdin, stdout, stderr, the error and the terminal's sizes.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Channels } from './channels.js';
import type { RemoteCommandConnection, RemoteCommandOptions } from './remoteCommand.js';
import { renderOutcome } from './remoteCommandStatus.js';
import { TerminalSizes } from './terminalSizes.js';
import { upgradeToWebSocket } from './webSocketUpgrade.js';

/** The subprotocols, and what each of them is able to tell. A client that offers none speaks `channel.k8s.io`. */
const versions = {
  'v5.channel.k8s.io': { codec: 'binary', outcome: 'status', closes: true },
  'v4.channel.k8s.io': { codec: 'binary', outcome: 'status', closes: false },
  'v4.base64.channel.k8s.io': { codec: 'base64', outcome: 'status', closes: false },
  'channel.k8s.io': { codec: 'binary', outcome: 'text', closes: false },
  'base64.channel.k8s.io': { codec: 'base64', outcome: 'text', closes: false },
} as const;
const known = Object.keys(versions) as (keyof typeof versions)[];

const channelOf = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/** Undefined where the request was refused; the socket is done then. */
export async function openWebSocketCommand(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { stdin, stdout, stderr }: RemoteCommandOptions,
): Promise<RemoteCommandConnection | undefined> {
  const upgrade = await upgradeToWebSocket(request, socket, head, known);
  if (upgrade === undefined) return undefined;
  const version = versions[upgrade.protocol ?? 'channel.k8s.io'];
  const channels = new Channels(upgrade.webSocket, version.codec, version);
  channels.announce(stdout ? channelOf.stdout : stderr ? channelOf.stderr : channelOf.error);
  return {
    stdin: stdin ? channels.readable(channelOf.stdin) : undefined,
    stdout: stdout ? channels.writable(channelOf.stdout) : undefined,
    stderr: stderr ? channels.writable(channelOf.stderr) : undefined,
    resize: TerminalSizes.from(channels.readable(channelOf.resize)),
    signal: channels.signal,
    finish: async (outcome) => {
      const error = channels.writable(channelOf.error).end(renderOutcome(outcome, version.outcome));
      await finished(error).catch(() => {});
      await channels.close();
    },
  };
}
