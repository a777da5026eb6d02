// What probes and hooks do with a container: run a command in it, or connect to its pod.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { toError } from '../api/backoff.js';
import type { Container } from '../containers/container.js';
import { pause, timeLimit } from '../kernel/process.js';
import { portOf, readUpTo, sendHttp } from '../network/httpClient.js';
import type { VirtualNetwork } from '../network/virtualNetwork.js';
import { checkHealth } from './grpcHealth.js';

/** A container that runs, and where its pod and its node are. */
export interface HandlerTarget {
  readonly container: Container;
  readonly spec: ObjectOf<'Container'>;
  readonly network: VirtualNetwork;
  readonly podIP: string;
  readonly hostIP: string;
}

export interface Outcome {
  /** `error` means that the handler itself failed, so that nothing is known of the container. */
  readonly result: 'success' | 'warning' | 'failure' | 'error';
  readonly message: string;
}

/** The most bytes of an output or a body that are kept. */
const mostOutput = 10_240;
/** The most redirects that are followed. */
const mostRedirects = 10;

const done: Outcome = { result: 'success', message: '' };
const failure = (message: string): Outcome => ({ result: 'failure', message });

/** Runs the handler of a probe, at most so many milliseconds. Never rejects. */
export async function runProbe(
  { exec, httpGet, tcpSocket, grpc }: ObjectOf<'Probe'>,
  target: HandlerTarget,
  milliseconds: number,
): Promise<Outcome> {
  const signal = timeLimit(milliseconds);
  try {
    if (exec !== undefined) return await runCommand(exec.command ?? [], target, signal, milliseconds);
    if (httpGet !== undefined) return judge(await callHttp(httpGet, target, signal));
    if (tcpSocket !== undefined) {
      const { host = target.podIP, port } = tcpSocket;
      connect(target, host, numberOf(port, target)).destroy();
      return done;
    }
    if (grpc !== undefined) {
      await checkHealth(connect(target, target.podIP, grpc.port), grpc.service ?? '', signal);
      return done;
    }
    return { result: 'error', message: `missing probe handler for ${target.spec.name}` };
  } catch (error) {
    if (error instanceof HandlerError) return { result: 'error', message: error.message };
    return failure(toError(error).message);
  }
}

/** Runs a hook, until the signal. Any response to a request is a success. Never rejects. */
export async function runHook(
  hook: ObjectOf<'LifecycleHandler'>,
  target: HandlerTarget,
  signal: AbortSignal,
): Promise<Outcome> {
  const { exec, httpGet, sleep } = hook;
  try {
    if (exec !== undefined) return await runCommand(exec.command ?? [], target, signal);
    if (httpGet !== undefined) {
      await callHttp(httpGet, target, signal);
      return done;
    }
    if (sleep !== undefined) {
      await pause(signal, sleep.seconds * 1000);
      return done;
    }
    // A kubelet has no hook that connects, though the API has one.
    return failure(`invalid handler: ${JSON.stringify(hook)}`);
  } catch (error) {
    return failure(toError(error).message);
  }
}

/** The handler cannot be run at all. */
class HandlerError extends Error {
  override readonly name = 'HandlerError';
}

async function runCommand(
  argv: readonly string[],
  { container }: HandlerTarget,
  signal: AbortSignal,
  milliseconds?: number,
): Promise<Outcome> {
  let output = '';
  const collect = {
    write: async (chunk: Buffer) => {
      if (output.length < mostOutput) output += chunk.toString();
    },
  };
  const streams = { stdin: undefined, stdout: collect, stderr: collect };
  const code = await container.exec(argv, streams, undefined, signal).catch((error: unknown) => {
    throw new HandlerError(toError(error).message);
  });
  const message = output.slice(0, mostOutput);
  if (code === 0) return { result: 'success', message };
  if (!signal.aborted || milliseconds === undefined)
    return failure(message || `the command ended with exit code ${code}`);
  return failure(`command timed out: "${argv.join(' ')}" timed out after ${milliseconds / 1000}s`);
}

interface Answer {
  readonly status: number;
  readonly body: string;
  /** Whether the answer is a redirect to another host, which is not followed. */
  readonly leads: boolean;
}

/** Sends the request of a handler, and follows redirects on its host. */
async function callHttp(
  { host, port, path = '', scheme = 'HTTP', httpHeaders = [] }: ObjectOf<'HTTPGetAction'>,
  target: HandlerTarget,
  signal: AbortSignal,
): Promise<Answer> {
  const headers = httpHeaders.map(({ name, value }) => [name, value] as const);
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const own = [['User-Agent', 'kube-probe/1.20'] as const, ['Accept', '*/*'] as const];
  const sent = [
    ...own.filter(([name]) => !given.has(name.toLowerCase())),
    ...headers.filter(([, value]) => value !== ''),
  ];
  const base = `${scheme.toLowerCase()}://${host || target.podIP}:${numberOf(port, target)}`;
  // Unlike a URL, the text keeps the port of the scheme, as a kubelet tells it.
  let text = base + path.replace(/^\/?/, '/');
  let url = new URL(text);
  try {
    for (let followed = 0; ; followed++) {
      const connection = connect(target, url.hostname, portOf(url));
      const response = await sendHttp(connection, { url, headers: sent, signal });
      const body = (await readUpTo(response, mostOutput)).toString();
      const { statusCode: status = 0 } = response;
      const { location } = response.headers;
      if (status < 300 || status >= 400 || location === undefined) return { status, body, leads: false };
      const next = new URL(location, url);
      if (next.hostname !== url.hostname) return { status, body, leads: true };
      if (followed >= mostRedirects) throw new Error(`stopped after ${mostRedirects} redirects`);
      [url, text] = [next, next.href];
    }
  } catch (error) {
    const why = signal.aborted
      ? 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
      : toError(error).message;
    throw new Error(`Get "${text}": ${why}`);
  }
}

function judge({ status, body, leads }: Answer): Outcome {
  if (leads) return { result: 'warning', message: `Probe terminated redirects, Response body: ${body}` };
  if (status >= 200 && status < 400) return done;
  return failure(`HTTP probe failed with statuscode: ${status}`);
}

const connect = ({ network, hostIP }: HandlerTarget, host: string, port: number) => network.connect(host, port, hostIP);

/** The number of a port that may be given by its name in the container. Throws HandlerError. */
function numberOf(port: string | number, { spec }: HandlerTarget): number {
  const number = Number(port);
  const named = spec.ports?.find(({ name }) => name === String(port))?.containerPort;
  const found = named ?? number;
  if (Number.isInteger(found) && found > 0 && found < 65_536) return found;
  throw new HandlerError(`couldn't find port: ${JSON.stringify(port)} in the container ${spec.name}`);
}
