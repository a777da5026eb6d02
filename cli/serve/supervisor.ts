// The supervisor of `serve --restart-after`: restarts a crashed server once, with the same address and credentials.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../matrix/api/freePort.js';
import { onParentEnd } from './parentProcess.js';
import type { StopFlags } from './stopSignal.js';

/** The flags that the supervisor needs; the server reads all flags. */
export interface Supervised extends StopFlags {
  readonly port: string;
  readonly bindAddress: string;
  readonly tlsCertFile?: string;
  readonly tokenAuthFile?: string;
}

/** The exit code of a requested crash. */
const crashed = 70;
const main = fileURLToPath(new URL('../main.js', import.meta.url));

/**
 * Runs the server with these arguments in a child process. After a crash and a delay in seconds, starts it again
 * without `--crash-on`, with the same port, certificate and token. Resolves with the exit code of the last process.
 */
export async function supervise(args: readonly string[], seconds: number, flags: Supervised): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'kube-api-conformance-serve-'));
  const stopping = new AbortController();
  let server: ChildProcess | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    stopping.abort();
    server?.kill(signal);
  };
  const stopLooking = flags.exitWithParent === true ? onParentEnd(() => stop('SIGTERM')) : () => {};
  process.on('SIGTERM', stop).on('SIGINT', stop);
  try {
    const own = [
      ...without(args, '--restart-after'),
      ...(await chosenPort(flags)),
      ...(await credentials(folder, flags)),
    ];
    if (stopping.signal.aborted) return 0;
    const first = start(own);
    server = first.server;
    const code = await first.ended;
    if (code !== crashed || stopping.signal.aborted) return code;
    process.stderr.write(`serve: the server crashed; it restarts in ${seconds} s\n`);
    await wait(seconds * 1000, undefined, { signal: stopping.signal }).catch(() => {});
    if (stopping.signal.aborted) return 0;
    const second = start(without(own, '--crash-on'));
    server = second.server;
    return await second.ended;
  } finally {
    stopLooking();
    process.off('SIGTERM', stop).off('SIGINT', stop);
    await rm(folder, { recursive: true, force: true });
  }
}

function start(args: readonly string[]) {
  const server = spawn(process.execPath, [...process.execArgv, main, 'serve', ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(server, 'close').then(([code]) => (code as number | null) ?? 1);
  return { server, ended };
}

/**
 * Chooses a free port in place of the system, which would give it to others while the server is down. Returns the
 * arguments that name it; none for an address that the server refuses.
 */
async function chosenPort({ port, bindAddress }: Supervised): Promise<string[]> {
  const chosen = Number(port) === 0 ? await freePort(bindAddress).catch(() => undefined) : undefined;
  return chosen === undefined ? [] : ['--port', String(chosen)];
}

/**
 * Makes the credentials that a server would otherwise generate at each start. Returns the arguments that name their
 * files.
 */
async function credentials(folder: string, { bindAddress, tlsCertFile, tokenAuthFile }: Supervised): Promise<string[]> {
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const args: string[] = [];
  if (tlsCertFile === undefined) {
    const { makeServerCertificates } = await import('../../test-certs/serverCertificates.js');
    const names = [isIP(bindAddress) ? `IP:${bindAddress}` : `DNS:${bindAddress}`];
    const { ca, server } = await makeServerCertificates(bindAddress, { names });
    args.push('--tls-cert-file', await file('server.crt', server.certificate));
    args.push('--tls-private-key-file', await file('server.key', server.key));
    args.push('--root-ca-file', await file('ca.crt', ca.certificate));
  }
  if (tokenAuthFile === undefined) {
    const token = randomBytes(24).toString('base64url');
    args.push('--token-auth-file', await file('tokens.csv', `${token},admin,admin,"system:masters"\n`));
  }
  return args;
}

/** Returns the arguments without an option and its value, in either spelling. */
function without(args: readonly string[], option: string): string[] {
  return args.filter((arg, index) => {
    const isValue = args[index - 1] === option;
    return arg !== option && !isValue && !arg.startsWith(`${option}=`);
  });
}
