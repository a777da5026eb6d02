// Exec and attach as a client sees them: five streams, whatever carries them.

import type { Channel } from '../support/channel.js';
import { Channels } from '../support/channels.js';
import type { Client } from '../support/client.js';
import { at } from '../support/json.js';
import { Reply } from '../support/reply.js';
import { socketForm } from './transports.js';

/** What is asked for. */
export interface CommandCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly transport: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An open connection. A stream that was not asked for is absent where each has to be opened. */
export interface RemoteCommand {
  readonly protocol: string;
  readonly stdin: Channel | undefined;
  readonly stdout: Channel | undefined;
  readonly stderr: Channel | undefined;
  readonly error: Channel | undefined;
  readonly resize: Channel | undefined;
  /** What the other end sent against the rules of the transport; undefined for nothing. */
  fault(): string | undefined;
  /** Waits until it is so, the connection is gone or the patience is over; says whether it is so. */
  until(settled: () => boolean, patience?: number): Promise<boolean>;
}

const names = ['stdin', 'stdout', 'stderr', 'error', 'resize'] as const;

/** Opens the connection, hands it to `read`, and cuts it when that is done; `read` gets a refusal instead. */
export function withCommand<T>(
  client: Client,
  call: CommandCall,
  read: (command: RemoteCommand | Reply) => Promise<T>,
): Promise<T> {
  const form = socketForm(call.transport);
  if (form === undefined) return overSpdy(client, call, read);
  const { protocol, channels: channelForm, ends } = form;
  return client.webSocket({ ...call, protocols: [protocol], channels: channelForm }, async (opened) => {
    if (opened instanceof Reply) return await read(opened);
    const channels = new Channels(opened, channelForm, ends);
    const [stdin, stdout, stderr, error, resize] = names.map((_, number) => channels.channel(number));
    return await read({
      protocol: opened.protocol,
      ...{ stdin, stdout, stderr, error, resize },
      fault: () => (channels.mistaken === 0 ? undefined : `${channels.mistaken} messages of the wrong type`),
      until: (settled, patience) => client.until(channels.changes, settled, () => channels.closed, patience),
    });
  });
}

function overSpdy<T>(
  client: Client,
  call: CommandCall,
  read: (command: RemoteCommand | Reply) => Promise<T>,
): Promise<T> {
  return client.spdy({ ...call, protocols: ['v4.channel.k8s.io'] }, async (opened, protocol) => {
    if (opened instanceof Reply) return await read(opened);
    const streams: Partial<Record<(typeof names)[number], Channel>> = {};
    for (const streamtype of expected(call.path)) streams[streamtype] = await opened.open({ streamtype });
    const { stdin, stdout, stderr, error, resize } = streams;
    const refused = () => Object.entries(streams).find(([, stream]) => stream.end === 'reset')?.[0];
    return await read({
      protocol,
      ...{ stdin, stdout, stderr, error, resize },
      fault: () => opened.fault ?? (refused() === undefined ? undefined : `the stream ${refused()} was refused`),
      until: (settled, patience) => client.until(opened.changes, settled, () => opened.closed, patience),
    });
  });
}

/** The streams that a client must open for a query, by the stated defaults. A terminal has one output. */
function expected(path: string): (typeof names)[number][] {
  const query = new URLSearchParams(path.slice(path.indexOf('?') + 1));
  const isOn = (name: string, otherwise: boolean) => (query.get(name) ?? String(otherwise)) === 'true';
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

/** How a command ended, by the Status on the error stream: its exit code, or undefined where none was told. */
export function exitCode(error: Buffer | undefined): number | undefined {
  const status = parsed(error);
  if (at(status, 'status') === 'Success') return 0;
  const causes = at(status, 'details', 'causes');
  const cause = Array.isArray(causes) ? causes.find((each) => at(each, 'reason') === 'ExitCode') : undefined;
  return at(status, 'reason') === 'NonZeroExitCode' && cause !== undefined ? Number(at(cause, 'message')) : undefined;
}

/** The Status on the error stream, decoded; undefined where there is none. */
function parsed(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(bytes?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}
