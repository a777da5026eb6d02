// One connection of each kind over each transport, and its content.

import { equal, fail, Unchecked } from '../client/expect.js';
import { fill } from '../client/paths.js';
import { Reply } from '../client/reply.js';
import { keptAlive } from '../client/streams/webSocket.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';
import type { RunningPod } from '../run/runningPods.js';
import { counter, inMain, single, web } from './containers.js';
import { withPortForward } from './portForward.js';
import { withCommand } from './remoteCommand.js';
import { socketForm, spdy, transports, usual } from './transports.js';
import { httpGet } from './tunnelled.js';

/** The outcome of a connection. */
interface Connected {
  readonly what: string;
  readonly refusal?: Reply;
  /** The requested protocol and the chosen one. */
  readonly asked: string;
  readonly chosen: string;
  readonly fault: string | undefined;
  /** The lines that the backend writes to each output for the sent line. */
  readonly says: { readonly stdout: RegExp; readonly stderr: RegExp };
  /** The received bytes of the outputs, or of the port. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns the path of an operation on a pod, with a query. */
export function pathOn(
  { path }: OperationSubject['operation'],
  pod: Pick<RunningPod, 'namespace' | 'name'>,
  query = '',
): string {
  const filled = fill(path, pod.namespace, pod.name);
  return query === '' ? filled : `${filled}?${query}`;
}

/** Returns the query parameters of a command, one for each argument. */
export const argv = (...command: readonly string[]): string =>
  command.map((argument) => `command=${encodeURIComponent(argument)}`).join('&');

/** The outputs, without the defaults, which have requirements of their own. */
export const outputs = 'stdout=true&stderr=true';

const script = 'read line; echo "out $line"; echo "error $line" >&2';

/** The versions that kubectl offers over SPDY after version 4, each in a header of its own. */
const olderVersions = ['v3.channel.k8s.io', 'v2.channel.k8s.io', 'channel.k8s.io'];
/** Protocols that no server knows. A client of a later age offers such, the newest first. */
const newerVersions = ['v99.kube-api-conformance.example'];
const unknownProtocols = ['kube-api-conformance.example'];

/** Opens the connection of the subject and sends a word through it. */
async function connected(subject: OperationSubject, context: Context, headers = {}): Promise<Connected> {
  const { operation, variant: transport = usual(operation.method) } = subject;
  const { verb, method } = operation;
  const token = context.sandbox.name();
  if (verb === 'portforward') return await forwarded(subject, context, headers, token);
  const pod = await (verb === 'exec' ? single(context) : counter(context));
  const query = `${inMain}&stdin=true&${outputs}`;
  const path = pathOn(operation, pod, verb === 'exec' ? `${query}&${argv('sh', '-c', script)}` : query);
  const form = socketForm(transport);
  const says = {
    stdout: new RegExp(verb === 'exec' ? `^out ${token}$` : `^main \\d+ ${token}$`, 'm'),
    stderr: new RegExp(verb === 'exec' ? `^error ${token}$` : `^error \\d+ ${token}$`, 'm'),
  };
  const record = { what: `${method} ${path} over ${transport}`, says, asked: form?.protocol ?? 'v4.channel.k8s.io' };
  const offers = { newer: newerVersions, older: form === undefined ? olderVersions : unknownProtocols };
  return await withCommand(context.client, { method, path, transport, headers, ...offers }, async (command) => {
    if (command instanceof Reply) return { ...record, refusal: command, ...nothing };
    command.stdin?.sending.write(Buffer.from(`${token}\n`));
    const texts = () => ({ stdout: command.stdout?.text ?? '', stderr: command.stderr?.text ?? '' });
    await command.until(() => says.stdout.test(texts().stdout) && says.stderr.test(texts().stderr));
    const { stdout, stderr } = texts();
    return { ...record, chosen: command.protocol, fault: command.fault(), stdout, stderr };
  });
}

const nothing = { chosen: '', fault: undefined, stdout: '', stderr: '' };

async function forwarded(
  { operation, variant: transport = usual(operation.method) }: OperationSubject,
  context: Context,
  headers: Readonly<Record<string, string>>,
  token: string,
): Promise<Connected> {
  const path = pathOn(operation, await web(context));
  const call = { method: operation.method, path, transport, ports: [8080], headers };
  const asked = socketForm(transport)?.protocol ?? 'portforward.k8s.io';
  const says = { stdout: new RegExp(`"path":"/${token}"`), stderr: /^$/ };
  const record = { what: `${operation.method} ${path} over ${transport}`, says, asked };
  return await withPortForward(context.client, call, async (forward) => {
    if (forward instanceof Reply) return { ...record, refusal: forward, ...nothing };
    const connection = await forward.connect(8080);
    const stdout = await httpGet(context.client, connection.stream, `/${token}`);
    return { ...record, chosen: forward.protocol, fault: forward.fault(), stdout, stderr: '' };
  });
}

type ConnectionAttempt = Pick<Connected, 'what' | 'refusal'>;

/** Throws Failure unless the connection was made. */
export function made({ what, refusal }: ConnectionAttempt): void {
  if (refusal !== undefined) fail(`${what}: expected 101, got ${refusal.status} ${refusal.excerpt()}`);
}

/** Throws Failure unless the word reached the container and came back. */
function passed(record: Connected): void {
  made(record);
  const { what, says } = record;
  for (const output of ['stdout', 'stderr'] as const) {
    if (!says[output].test(record[output]))
      fail(`${what}: ${output}: expected ${says[output]}, got ${JSON.stringify(record[output].slice(-200))}`);
  }
}

/** Throws Failure unless the server chose the requested protocol and kept to it. */
function spoken(record: Connected): void {
  passed(record);
  const { what, asked, chosen, fault } = record;
  equal(chosen, asked, `${what}: the protocol`);
  if (fault !== undefined) fail(`${what}: ${fault}`);
}

/** Opens the connection with a Content-Type and an Accept that no server knows. */
const typed = (subject: OperationSubject, context: Context) =>
  connected(subject, context, { accept: 'application/x-unknown', 'content-type': 'application/x-unknown' });

/** Opens the connection of the subject as a browser does. */
const asBrowser = (subject: OperationSubject, context: Context) => connected(subject, context, keptAlive);

/** Opens the connection of the subject. If its transport is refused, tries others: the document names none. */
async function simply(subject: OperationSubject, context: Context): Promise<Connected & { readonly other?: string }> {
  const record = await connected(subject, context);
  if (record.refusal === undefined) return record;
  for (const variant of transports) {
    const isSame = variant === subject.variant;
    if (isSame || (variant !== spdy && subject.operation.method !== 'GET')) continue;
    if ((await connected({ ...subject, variant }, context)).refusal === undefined) return { ...record, other: variant };
  }
  return record;
}

/** Returns a check that throws Unchecked if only the transport is refused: the document names no transports. */
const byAny =
  (check: (record: Connected) => void) =>
  (record: Recorded<typeof simply>): void => {
    if (record.other !== undefined)
      throw new Unchecked('not-supported', `${record.what}: it is refused, and made over ${record.other}`);
    check(record);
  };

export const connectionGroups = [
  group({
    subjects: 'connections',
    setup: simply,
    checks: { success: byAny(made) },
  }),
  group({
    subjects: 'socketConnections',
    setup: asBrowser,
    checks: { websocket: spoken },
  }),
  group({
    subjects: 'base64Connections',
    setup: simply,
    checks: { 'websocket-base64': spoken },
  }),
  group({
    subjects: 'spdyConnections',
    setup: simply,
    checks: { spdy: spoken },
  }),
  group({
    subjects: 'typedConnections',
    setup: typed,
    checks: { 'any-type': (record) => made(record) },
  }),
  group({
    subjects: 'execs',
    setup: simply,
    checks: { exec: byAny(passed) },
  }),
  group({
    subjects: 'attaches',
    setup: simply,
    checks: { attach: byAny(passed) },
  }),
  group({
    subjects: 'portForwards',
    setup: simply,
    checks: { portforward: byAny(passed) },
  }),
];
