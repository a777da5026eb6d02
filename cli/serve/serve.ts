// The `serve` command: runs the reference server until a signal stops it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { Command } from 'commander';
import { whyNot } from '../../matrix/api/fileFailure.js';
import {
  OptionError,
  type RunningServer,
  readOptionFile,
  type ServerOptions,
  type ServerTls,
  type StaticToken,
  StorageFull,
} from '../../reference-server/index.js';
import type { ControlPort } from '../../reference-server/later/control/port/listen.js';
import { type FullServer, type LaterOptions, startFullServer } from '../../reference-server/later/index.js';
import { storageOf } from '../../reference-server/storages/index.js';
import { UsageError } from '../errors.js';
import { writeSecretFile } from '../files.js';
import { componentTokens, newEgressSocket, nodesOf, startNodes } from '../serveNodes.js';
import { logLine } from '../terminal.js';
import { compileEarlierWhenBusy, lessInlining } from '../v8.js';
import { addServerFlags, type ServerFlags, serverOptions } from './flags.js';
import { exitWithParentFlag, type StopFlags, stopSignal } from './stopSignal.js';

export { featureNames as serverFeatures } from '../../reference-server/later/index.js';

interface ServeFlags extends ServerFlags, StopFlags {
  readonly port: string;
  readonly bindAddress: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly rootCaFile?: string;
  readonly writeKubeconfig?: string;
  readonly controlPort?: string;
  readonly writeControl?: string;
  readonly dataDir?: string;
  readonly vendor: string;
  readonly nodes?: string;
  readonly verbose?: boolean;
}

export function registerServe(program: Command): void {
  addFlags(program.command('serve'))
    .description('start the reference server; it prints one line when it is ready')
    .action(serve);
}

function addFlags(command: Command): Command {
  command
    .option('--port <number>', 'port to listen on; 0 takes a free port', '0')
    .option('--bind-address <address>', 'address to listen on', '127.0.0.1')
    .option('--tls-cert-file <file>', "the server's certificate chain, PEM (default: generated)")
    .option('--tls-private-key-file <file>', 'the key of --tls-cert-file, PEM')
    .option(
      '--root-ca-file <file>',
      'the CA that clients should trust, PEM (default: the last certificate of --tls-cert-file)',
    )
    .option(
      '--write-kubeconfig <file>',
      'write a kubeconfig for this server when the server is ready (default: a temporary file)',
    )
    .option('--control-port <number>', 'port on 127.0.0.1 for what tests do to the server; 0 takes a free port')
    .option(
      '--write-control <file>',
      'write the URL and the token of the control port, JSON, when the server is ready (default: a temporary file)',
    )
    .option('--data-dir <directory>', 'store objects in this directory (default: in memory)')
    .option('--vendor <name>', 'the name in the media type of protobuf, application/vnd.<name>.protobuf', 'kubernetes')
    .option('--nodes <number>', 'number of simulated nodes (default: 1; 0 with --egress-proxy or --etcd-servers)')
    .option(...exitWithParentFlag)
    .option('-v, --verbose', 'log why credentials are refused');
  addServerFlags(command);
  return command;
}

/** Returns the descriptions of the flags of `serve`, by name. */
export const serveFlags = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    addFlags(new Command('serve')).options.map(({ long, description }) => [
      long?.replace(/^--/, '') ?? '',
      description,
    ]),
  );

/**
 * Starts a server in this process, without nodes. `words` are the flags of `serve`. Throws UsageError for invalid
 * options.
 */
export async function startHere(words: readonly string[]): Promise<RunningServer> {
  const command = addFlags(new Command('serve')).exitOverride();
  return await start(command.parse(words, { from: 'user' }).opts<ServeFlags>());
}

/** Runs until SIGTERM, SIGINT or, with --exit-with-parent, the end of the parent. Throws UsageError for invalid options. */
async function serve(flags: ServeFlags): Promise<void> {
  if (flags.restartAfter !== undefined) {
    serverOptions(flags);
    const { supervise } = await import('./supervisor.js');
    process.exitCode = await supervise(process.argv.slice(3), flags.restartAfter, flags);
    return;
  }
  // Garbage of writes is often old: collecting the heap earlier costs little and saves 30 MB.
  setFlagsFromString('--heap-growing-percent=60');
  setFlagsFromString(lessInlining);
  const stopped = stopSignal(flags);
  const nodes = nodesOf(flags);
  const egressProxy = nodes > 0 ? newEgressSocket() : flags.egressProxy;
  const ofComponents = componentTokens(nodes);
  const starting = start(egressProxy === undefined ? flags : { ...flags, egressProxy }, ofComponents);
  const server = await Promise.race([starting, stopped]);
  if (server === undefined) return await abandon(starting);
  let stopNodes = async () => {};
  const startOwnNodes = async () => {
    if (nodes === 0 || egressProxy === undefined) return;
    const running = await startNodes(server, nodes, egressProxy, ofComponents);
    stopNodes = running.stop;
    // What `reset` of the control port returns to has the nodes.
    if (flags.controlPort !== undefined) await Promise.race([running.registered(), stopped]);
  };
  let control: ControlPort | undefined;
  let own: string | undefined;
  try {
    if (flags.controlPort !== undefined) await startOwnNodes();
    control = await controlOf(server, flags);
    const isWritten = flags.writeKubeconfig === undefined && server.token !== undefined;
    if (isWritten || (control !== undefined && flags.writeControl === undefined)) own = ownFolder();
    const file = isWritten && own !== undefined ? join(own, 'kubeconfig') : flags.writeKubeconfig;
    if (file !== undefined) await writeFor(server, file);
    const controlFile = flags.writeControl ?? join(own ?? '', 'control.json');
    if (control !== undefined) await writeControl(control, controlFile);
    process.stdout.write(`serving ${server.url}\n`);
    compileEarlierWhenBusy();
    if (isWritten) process.stderr.write(`for clients: export KUBECONFIG=${file}\n`);
    if (control !== undefined) process.stderr.write(`for tests: export KUBE_API_CONFORMANCE_CONTROL=${controlFile}\n`);
    if (flags.controlPort === undefined) await startOwnNodes();
    await stopped;
  } catch (error) {
    throw asUsageError(error);
  } finally {
    await stopNodes();
    await control?.close();
    await server.close();
    if (own !== undefined) rmSync(own, { recursive: true, force: true });
  }
}

/**
 * Ends this process, which was stopped before its server had started: in order if the server starts or fails soon. What a
 * start waits for, such as an etcd or the writer of a pipe, may never come.
 */
async function abandon(starting: Promise<FullServer>): Promise<never> {
  // The signal may have reached what the start waits for too, such as the inspection of a store.
  const ended = starting.then((server) => server.close()).catch(() => {});
  await Promise.race([ended, pause(silence)]);
  process.exit();
}

/** Returns a new folder that only this user can read, for the kubeconfig of a server that was asked for none. */
const ownFolder = (): string => mkdtempSync(join(tmpdir(), 'kube-api-conformance-serve-'));

/** The milliseconds after which a start says what it waits for, and after which it is abandoned. */
const silence = 1_000;

async function start(flags: ServeFlags, ofComponents: readonly StaticToken[] = []): Promise<FullServer> {
  const { etcdServers } = flags;
  const waiting = setTimeout(() => {
    if (etcdServers !== undefined) process.stderr.write(`waiting for etcd at ${logLine(etcdServers)}\n`);
  }, silence);
  try {
    return await startFullServer({
      ...(await optionsOf(flags)),
      ...storageOf(flags),
      componentTokens: ofComponents,
    });
  } catch (error) {
    throw asUsageError(error);
  } finally {
    clearTimeout(waiting);
  }
}

function asUsageError(error: unknown): unknown {
  if (error instanceof OptionError) return new UsageError(`serve: ${error.message}`);
  if (!(error instanceof StorageFull)) return error;
  return new UsageError(`serve: ${error.message}: free room on the disk of --data-dir, or in the etcd`);
}

/** Opens the control port, if the flags ask for one. Its `reset` returns to the state at this moment. */
async function controlOf({ controls }: FullServer, { controlPort, writeControl }: ServeFlags) {
  if (controlPort === undefined) {
    if (writeControl !== undefined) throw new OptionError('--write-control requires --control-port, which is missing');
    return undefined;
  }
  const port = parsePort(controlPort, '--control-port');
  if (controls === undefined) return undefined;
  const { listenForControl } = await import('../../reference-server/later/control/port/listen.js');
  await controls.markStart();
  return listenForControl(controls, port);
}

/** Writes the address and the token of a control port. Only this user can read them. */
async function writeControl({ url, token }: ControlPort, file: string): Promise<void> {
  try {
    await writeSecretFile(file, `${JSON.stringify({ url, token })}\n`);
  } catch (error) {
    throw new UsageError(`serve: --write-control: cannot write ${file}: ${whyNot(error)}`);
  }
}

async function optionsOf(flags: ServeFlags): Promise<ServerOptions & LaterOptions> {
  const { port, bindAddress, vendor, verbose } = flags;
  const tls = await tlsOf(flags);
  return {
    port: parsePort(port),
    bindAddress,
    vendor,
    ...(tls === undefined ? {} : { tls }),
    ...serverOptions(flags),
    ...(flags.controlPort !== undefined && { requests: true }),
    ...(verbose === true ? { onRejection: logRejection } : {}),
  };
}

async function tlsOf({ tlsCertFile, tlsPrivateKeyFile, rootCaFile }: ServeFlags): Promise<ServerTls | undefined> {
  if (tlsCertFile === undefined && tlsPrivateKeyFile === undefined) {
    if (rootCaFile !== undefined) throw new OptionError('--root-ca-file requires --tls-cert-file, which is missing');
    return undefined;
  }
  const certificate = await read('--tls-cert-file', tlsCertFile);
  const key = await read('--tls-private-key-file', tlsPrivateKeyFile);
  return { certificate, key, ...(rootCaFile === undefined ? {} : { ca: await read('--root-ca-file', rootCaFile) }) };
}

async function read(option: string, file: string | undefined): Promise<string> {
  if (file === undefined) throw new OptionError(`${option} is missing: give both, or neither to have them made`);
  return await readOptionFile(option, file);
}

async function writeFor({ url, caCertificate, token }: RunningServer, file: string): Promise<void> {
  const { writeKubeconfig } = await import('../kubeconfig/write.js');
  const facts = { url, caCertificate, ...(token === undefined ? {} : { token }) };
  await writeKubeconfig(file, facts).catch((error: Error) => {
    throw new UsageError(`serve: --write-kubeconfig: cannot write ${file}: ${whyNot(error)}`);
  });
}

function logRejection(mechanism: string, reason: string): void {
  process.stderr.write(`${mechanism}: ${logLine(reason)}\n`);
}

function parsePort(text: string, option = '--port'): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new OptionError(`${option}: "${text}" is not a port; give 0 to 65535`);
  return port;
}
