// Remote commands over a WebSocket: channels 0 to 4 are stdin, stdout, stderr, the error and the sizes of the terminal.
import { finished } from 'node:stream/promises';
import { Channels } from './channels.js';
import { type RemoteCommandConnection, type RemoteCommandOptions, renderOutcome } from './remoteCommandConnection.js';
import { TerminalSizeQueue } from './terminalSizeQueue.js';
import type { UpgradeRequest } from './upgrade.js';
import { upgradeToWebSocket } from './webSocketUpgrade.js';

/** The subprotocols. `channel.k8s.io` is the default for a client that offers none. */
const versions = {
  'v5.channel.k8s.io': { codec: 'binary', outcome: 'status', closes: true },
  'v4.channel.k8s.io': { codec: 'binary', outcome: 'status', closes: false },
  'v4.base64.channel.k8s.io': { codec: 'base64', outcome: 'status', closes: false },
  'channel.k8s.io': { codec: 'binary', outcome: 'text', closes: false },
  'base64.channel.k8s.io': { codec: 'base64', outcome: 'text', closes: false },
} as const;
const known = Object.keys(versions) as (keyof typeof versions)[];

const channelOf = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/** Opens the streams of a command. Returns undefined if the request is refused; the socket is then closed. */
export async function openWebSocketCommand(
  upgrade: UpgradeRequest,
  { stdin, stdout, stderr }: RemoteCommandOptions,
): Promise<RemoteCommandConnection | undefined> {
  const upgraded = await upgradeToWebSocket(upgrade, known);
  if (upgraded === undefined) return undefined;
  const version = versions[upgraded.protocol ?? 'channel.k8s.io'];
  const channels = new Channels(upgraded.webSocket, version.codec, version);
  channels.announce(stdout ? channelOf.stdout : stderr ? channelOf.stderr : channelOf.error);
  return {
    stdin: stdin ? channels.readable(channelOf.stdin) : undefined,
    stdout: stdout ? channels.writable(channelOf.stdout) : undefined,
    stderr: stderr ? channels.writable(channelOf.stderr) : undefined,
    resize: TerminalSizeQueue.from(channels.readable(channelOf.resize)),
    signal: channels.signal,
    finish: async (outcome) => {
      const error = channels.writable(channelOf.error).end(renderOutcome(outcome, version.outcome));
      await finished(error).catch(() => {});
      await channels.close();
    },
  };
}
