// The image of Kubernetes' own tests, as far as its programs are simulated.
import { FileError } from '../kernel/fileSystem.js';
import { type Process, type Program, ProgramError, pause } from '../kernel/process.js';
import { writeText } from '../kernel/streams.js';
import { ConnectionRefused } from '../network/virtualNetwork.js';
import { grpcHealthChecking, liveness, porter, serveHostname } from './agnhostServers.js';
import { admissionWebhook, conversionWebhook } from './agnhostWebhooks.js';
import { findCommand } from './commands.js';
import { parseFlags } from './flags.js';
import { guestbook } from './guestbook.js';
import { logsGenerator } from './logsGenerator.js';
import { makeNetexec } from './netexec.js';
import { nettest } from './nettest.js';
import { dial, resolverConfig, UnknownHost } from './resolver.js';
import { testWebserver } from './webServers.js';

/** What a flag of `mounttest` does with its path. The flags are done in this order, whatever theirs is. */
const flags: Readonly<Record<string, (process: Process, path: string) => Promise<string> | string>> = {
  fs_type: (process, path) => {
    const inode = process.sandbox.files.get(path);
    const type = inode.kind === 'directory' && inode.isInMemory ? 'tmpfs' : '61267';
    return `mount type of "${path}": ${type}\n`;
  },
  new_file_0644: (process, path) => newFile(process, path, 0o644),
  new_file_0666: (process, path) => newFile(process, path, 0o666),
  new_file_0660: (process, path) => newFile(process, path, 0o660),
  new_file_0777: (process, path) => newFile(process, path, 0o777),
  file_mode: (process, path) => `mode of file "${path}": ${modeOf(process, path)}\n`,
  file_perm: (process, path) => `perms of file "${path}": -${modeOf(process, path).slice(-9)}\n`,
  file_owner: (process, path) => {
    process.sandbox.files.get(path);
    return `owner UID of "${path}": 0\nowner GID of "${path}": 0\n`;
  },
  file_content: contentOf,
};

async function contentOf({ sandbox }: Process, path: string): Promise<string> {
  const input = sandbox.files.input(path);
  const parts: Buffer[] = [];
  for (let part = await input.read(); part !== undefined; part = await input.read()) parts.push(part);
  return `content of file "${path}": ${Buffer.concat(parts)}\n`;
}

function newFile(process: Process, path: string, mode: number): Promise<string> {
  process.sandbox.files.write(path, 'mount-tester new file\n', mode);
  return contentOf(process, path);
}

/** The mode of a file in letters, such as `-rw-r--r--`. */
function modeOf({ sandbox }: Process, path: string): string {
  const inode = sandbox.files.get(path);
  const bits = [...'rwxrwxrwx'].map((letter, at) => (inode.mode & (1 << (8 - at)) ? letter : '-')).join('');
  return (inode.kind === 'directory' ? 'd' : '-') + bits;
}

/** The milliseconds between two reads of a file in a loop. */
const loopPeriod = 1000;

/** The flags of the loop: a path, the seconds that it takes at most, and whether the expected content ends it. */
const loopFlags: ReadonlySet<string> = new Set(['file_content_in_loop', 'retry_time', 'break_on_expected_content']);

/** Writes the content of a file again and again. */
async function contentInLoop(process: Process, path: string, given: ReadonlyMap<string, string>): Promise<void> {
  const end = performance.now() + Number(given.get('retry_time') ?? 180) * 1000;
  const stops = given.get('break_on_expected_content') !== 'false';
  while (performance.now() < end) {
    const text = await contentOf(process, path).catch((error: unknown) => {
      if (!(error instanceof FileError)) throw error;
      return `Error reading file ${error.message}, retrying\n`;
    });
    await writeText(process.stdout, text);
    if (stops && text === `content of file "${path}": mount-tester new file\n\n`) return;
    await pause(process.signal, loopPeriod);
  }
}

/** `mounttest --FLAG=PATH…`: writes what a container finds at its paths. */
const mountTest: Program = async (process) => {
  const given = new Map(
    process.argv.slice(2).map((argument) => {
      const [, name = '', value = ''] = /^--([a-z0-9_]+)=(.*)$/.exec(argument) ?? [];
      if (Object.hasOwn(flags, name) || loopFlags.has(name)) return [name, value];
      throw new ProgramError(`mounttest: the flag ${argument} is not simulated`, 2);
    }),
  );
  let code = 0;
  for (const [name, act] of Object.entries(flags)) {
    const path = given.get(name);
    if (path === undefined) continue;
    try {
      await writeText(process.stdout, await act(process, path));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      await writeText(process.stdout, `error reading ${error.message}\n`);
      code = 1;
    }
  }
  const path = given.get('file_content_in_loop');
  if (path !== undefined) await contentInLoop(process, path, given);
  return code;
};

const entrypointTester: Program = async ({ argv, stdout }) => {
  await writeText(stdout, `[${argv.join(' ')}]\n`);
  return 0;
};

const pauseForever: Program = async ({ stdout, signal }) => {
  await writeText(stdout, 'Paused\n');
  await pause(signal);
  return 0;
};

/** `dns-suffix` and `dns-server-list`: what the container finds in its `/etc/resolv.conf`. */
const resolverList =
  (of: 'search' | 'servers'): Program =>
  async ({ sandbox, stdout }) => {
    await writeText(stdout, resolverConfig(sandbox)[of].join(','));
    return 0;
  };

/** `connect HOST:PORT [--timeout DURATION]`: says in one word why it cannot connect. */
const connect: Program = async (process) => {
  const { rest, valuesOf } = parseFlags(process.argv.slice(2), { valued: ['--timeout', '--protocol'] });
  const [, host, port] = /^\[?([^\]]*)\]?:(\d+)$/.exec(rest[0] ?? '') ?? [];
  const [protocol = 'tcp'] = valuesOf('--protocol');
  if (host === undefined) throw new ProgramError('usage: connect HOST:PORT [--timeout DURATION]', 2);
  if (protocol !== 'tcp') throw new ProgramError(`connect: ${protocol} is not simulated`, 2);
  try {
    (await dial(process, host, Number(port))).destroy();
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const word = error instanceof UnknownHost ? `DNS: lookup ${host}: no such host` : refusalOf(error, message);
    await writeText(process.stderr, `${word}\n`);
    return 1;
  }
};

const refusalOf = (error: unknown, message: string): string =>
  error instanceof ConnectionRefused ? 'REFUSED' : `OTHER: ${message}`;

const programs: Readonly<Record<string, Program>> = {
  connect,
  'crd-conversion-webhook': conversionWebhook,
  'dns-server-list': resolverList('servers'),
  'dns-suffix': resolverList('search'),
  'entrypoint-tester': entrypointTester,
  'grpc-health-checking': grpcHealthChecking,
  guestbook,
  liveness,
  'logs-generator': logsGenerator,
  mounttest: mountTest,
  nettest,
  netexec: makeNetexec(() => findCommand('sh')),
  pause: pauseForever,
  porter,
  'serve-hostname': serveHostname,
  'test-webserver': testWebserver,
  webhook: admissionWebhook,
};

/** Runs `agnhost PROGRAM ARGUMENT…`; without a program, `pause`. */
export const agnhost: Program = async (process) => {
  const [, name = 'pause'] = process.argv;
  const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (program !== undefined) return await program(process);
  throw new ProgramError(`"${name}" is not simulated; ${Object.keys(programs).sort().join(', ')} are`, 2);
};
