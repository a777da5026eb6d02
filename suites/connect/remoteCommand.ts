// Exec and attach from the client's view: five streams, over any transport.

import type { Client } from '../client/client.js';
import { at, readJson } from '../client/json.js';
import { Reply } from '../client/reply.js';
import type { Channel } from '../client/streams/channel.js';
import { Channels } from '../client/streams/channels.js';
import { socketForm } from './transports.js';

/** The request for a connection. */
export interface CommandCall {
  readonly method: string;
  readonly path: string;
  readonly transport: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the client offers besides the protocol of the transport: what it likes more, and what it likes less. */
  readonly newer?: readonly string[];
  readonly older?: readonly string[];
}

/** An open connection. A stream that was not requested is absent if the transport opens each stream. */
export interface RemoteCommand {
  readonly protocol: string;
  readonly stdin: Channel | undefined;
  readonly stdout: Channel | undefined;
  readonly stderr: Channel | undefined;
  readonly error: Channel | undefined;
  readonly resize: Channel | undefined;
  /** Returns the backend's violation of the transport's rules; undefined if there is none. */
  fault(): string | undefined;
  /** Waits until `settled` holds, the connection is gone or the timeout is over. Reports whether `settled` holds. */
  until(settled: () => boolean, timeout?: number): Promise<boolean>;
}

const names = ['stdin', 'stdout', 'stderr', 'error', 'resize'] as const;

/**
 * Opens the connection, passes it to `read`, and cuts the connection when `read` is done. If the target refuses, `read`
 * gets the response.
 */
export function withCommand<T>(
  client: Client,
  call: CommandCall,
  read: (command: RemoteCommand | Reply) => Promise<T>,
): Promise<T> {
  const form = socketForm(call.transport);
  if (form === undefined) return overSpdy(client, call, read);
  const { protocol, channels: channelForm, ends } = form;
  const protocols = offered(call, protocol);
  return client.webSocket({ ...call, protocols, channels: channelForm }, async (opened) => {
    if (opened instanceof Reply) return await read(opened);
    const channels = new Channels(opened, channelForm, ends);
    const [stdin, stdout, stderr, error, resize] = names.map((_, number) => channels.channel(number));
    return await read({
      protocol: opened.protocol,
      ...{ stdin, stdout, stderr, error, resize },
      fault: () => (channels.mistaken === 0 ? undefined : `${channels.mistaken} messages of the wrong type`),
      until: (settled, timeout) => client.until(channels.changes, settled, () => channels.closed, timeout),
    });
  });
}

function overSpdy<T>(
  client: Client,
  call: CommandCall,
  read: (command: RemoteCommand | Reply) => Promise<T>,
): Promise<T> {
  return client.spdy({ ...call, protocols: offered(call, 'v4.channel.k8s.io') }, async (opened, protocol) => {
    if (opened instanceof Reply) return await read(opened);
    const streams: Partial<Record<(typeof names)[number], Channel>> = {};
    for (const streamtype of expected(call.path)) streams[streamtype] = await opened.open({ streamtype });
    const { stdin, stdout, stderr, error, resize } = streams;
    const refused = () => Object.entries(streams).find(([, stream]) => stream.end === 'reset')?.[0];
    return await read({
      protocol,
      ...{ stdin, stdout, stderr, error, resize },
      fault: () => opened.fault ?? (refused() === undefined ? undefined : `the stream ${refused()} was refused`),
      until: (settled, timeout) => client.until(opened.changes, settled, () => opened.closed, timeout),
    });
  });
}

const offered = ({ newer = [], older = [] }: CommandCall, protocol: string) => [...newer, protocol, ...older];

/** Returns the streams that a client must open for a query, by the stated defaults. A terminal has one output. */
function expected(path: string): (typeof names)[number][] {
  const query = new URLSearchParams(path.slice(path.indexOf('?') + 1));
  const isOn = (name: string, otherwise: boolean) => /^(true|1)$/i.test(query.get(name) ?? String(otherwise));
  const tty = isOn('tty', false);
  const wanted = {
    error: true,
    stdin: isOn('stdin', false),
    stdout: isOn('stdout', true),
    stderr: isOn('stderr', true) && !tty,
    resize: tty,
  };
  return (['error', 'stdin', 'stdout', 'stderr', 'resize'] as const).filter((name) => wanted[name]);
}

/** Returns the exit code of a command, by the Status on the error stream; undefined if there is none. */
export function exitCode(error: Buffer | undefined): number | undefined {
  const status = parsed(error);
  if (at(status, 'status') === 'Success') return 0;
  const causes = at(status, 'details', 'causes');
  const cause = Array.isArray(causes) ? causes.find((each) => at(each, 'reason') === 'ExitCode') : undefined;
  return at(status, 'reason') === 'NonZeroExitCode' && cause !== undefined ? Number(at(cause, 'message')) : undefined;
}

/** Returns the decoded Status of the error stream; undefined if there is none. */
function parsed(bytes: Buffer | undefined): unknown {
  try {
    return readJson(bytes?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}
