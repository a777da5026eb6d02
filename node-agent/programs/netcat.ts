// nc, which connects to what listens.
import type { Duplex } from 'node:stream';
import { longestDelay } from '../../matrix/api/longestDelay.js';
import { firstOf } from '../../matrix/api/signals.js';
import { type Process, type Program, ProgramError } from '../kernel/process.js';
import { inputFrom, outputTo, writeText } from '../kernel/streams.js';
import type { Transport } from '../network/virtualNetwork.js';
import { within } from './exchange.js';
import { numberOf, parseFlags } from './flags.js';
import { dial, UnknownHost } from './resolver.js';

/** `nc [-z] [-v] [-t | -u] [-w SECONDS] HOST PORT`, and `nc -l [-p] PORT`, which takes one connection. */
export const nc: Program = async (process) => {
  const { flags, valuesOf, rest } = parseFlags(process.argv.slice(1), {
    flags: ['-z', '-v', '-t', '-u', '-n', '-l', '-N'],
    valued: ['-w', '-p', '-q', '-i'],
  });
  if (flags.has('-l') && flags.has('-u')) throw new ProgramError('-l is supported over TCP alone', 1);
  if (flags.has('-l')) return await listenOnce(process, numberOf(valuesOf('-p')[0] ?? rest.at(-1) ?? ''));
  const [host, text] = rest;
  if (host === undefined || text === undefined) throw new ProgramError('usage: nc [-z] [-w SECONDS] HOST PORT', 1);
  const port = numberOf(text);
  const transport = flags.has('-u') ? 'udp' : 'tcp';
  const connection = await dial(process, host, port, transport).catch((error: unknown) => {
    if (error instanceof UnknownHost) throw new ProgramError(`bad address '${host}'`);
    throw new ProgramError(`connect to ${host} port ${port} (${transport}) failed: Connection refused`);
  });
  if (flags.has('-v'))
    await writeText(process.stderr, `Connection to ${host} ${port} port [${transport}/*] succeeded!\n`);
  if (flags.has('-z')) {
    connection.destroy();
    return 0;
  }
  const [seconds] = valuesOf('-w');
  return await converse(process, connection, transport, seconds === undefined ? undefined : numberOf(seconds));
};

async function listenOnce(process: Process, port: number): Promise<number> {
  const own = new AbortController();
  const listening = firstOf(process.signal, own.signal);
  const connection = await within(
    process.signal,
    new Promise<Duplex>((resolve) => process.sandbox.listen(port, listening, resolve)),
  );
  own.abort();
  return await converse(process, connection, 'tcp');
}

/** Copies both ways until the other side ends, or is silent for so many seconds. */
async function converse(process: Process, connection: Duplex, transport: Transport, seconds?: number): Promise<number> {
  connection.on('error', () => connection.destroy());
  const end = () => connection.destroy();
  process.signal.addEventListener('abort', end, { once: true });
  const patience = seconds === undefined ? undefined : Math.min(seconds * 1000, longestDelay);
  let idle = patience === undefined ? undefined : setTimeout(end, patience);
  const send = async () => {
    const output = outputTo(connection);
    for await (const chunk of process.stdin) await output.write(chunk);
    if (transport === 'tcp') connection.end();
  };
  void send().catch(() => {});
  try {
    for await (const chunk of inputFrom(connection)) {
      if (patience !== undefined) {
        clearTimeout(idle);
        idle = setTimeout(end, patience);
      }
      await process.stdout.write(chunk);
    }
    return 0;
  } finally {
    clearTimeout(idle);
    process.signal.removeEventListener('abort', end);
    end();
  }
}
