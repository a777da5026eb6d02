// One connection of each kind over each transport, and what passes through it.
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { equal, fail, Unjudged } from '../support/expect.js';
import type { Recorded } from '../support/recorded.js';
import { Reply } from '../support/reply.js';
import type { RunningPod } from '../support/runningPods.js';
import { fill } from '../support/scope.js';
import type { Context } from '../support/worker.js';
import { counter, single, web } from './containers.js';
import { withPortForward } from './portForward.js';
import { withCommand } from './remoteCommand.js';
import { socketForm, spdy, transports, usual } from './transports.js';
import { httpGet } from './tunnelled.js';

/** What came of it. */
interface Connected {
  readonly what: string;
  readonly refusal?: Reply;
  /** The protocol that was asked for, and the one that was chosen. */
  readonly asked: string;
  readonly chosen: string;
  readonly fault: string | undefined;
  /** What the other end says on each output of what was sent. */
  readonly says: { readonly stdout: RegExp; readonly stderr: RegExp };
  /** What came on the standard outputs, or through the port. */
  readonly stdout: string;
  readonly stderr: string;
}

/** The path of an operation on a pod, with a query. */
export function pathOn(
  { path }: OperationSubject['operation'],
  pod: Pick<RunningPod, 'namespace' | 'name'>,
  query = '',
): string {
  const filled = fill(path, pod.namespace, pod.name);
  return query === '' ? filled : `${filled}?${query}`;
}

/** The parameters of a command, each argument on its own. */
export const argv = (...command: readonly string[]): string =>
  command.map((argument) => `command=${encodeURIComponent(argument)}`).join('&');

/** What makes no use of the defaults: they have requirements of their own. */
export const outputs = 'stdout=true&stderr=true';

const script = 'read line; echo "out $line"; echo "error $line" >&2';

/** Opens the connection of the subject and passes a word through it. */
async function connected(subject: OperationSubject, context: Context, headers = {}): Promise<Connected> {
  const { operation, variant: transport = usual(operation.method) } = subject;
  const { verb, method } = operation;
  const token = context.scope.name();
  if (verb === 'portforward') return await forwarded(subject, context, headers, token);
  const pod = await (verb === 'exec' ? single(context) : counter(context));
  const query = `stdin=true&${outputs}`;
  const path = pathOn(operation, pod, verb === 'exec' ? `${query}&${argv('sh', '-c', script)}` : query);
  const form = socketForm(transport);
  const says = {
    stdout: new RegExp(verb === 'exec' ? `^out ${token}$` : `^main \\d+ ${token}$`, 'm'),
    stderr: new RegExp(verb === 'exec' ? `^error ${token}$` : `^error \\d+ ${token}$`, 'm'),
  };
  const record = { what: `${method} ${path} over ${transport}`, says, asked: form?.protocol ?? 'v4.channel.k8s.io' };
  return await withCommand(context.client, { method, path, transport, headers }, async (command) => {
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

type Seen = Pick<Connected, 'what' | 'refusal'>;

/** The connection was made. */
export function made({ what, refusal }: Seen): void {
  if (refusal !== undefined) fail(`${what}: expected 101, got ${refusal.status} ${refusal.excerpt()}`);
}

/** The word passed: into the container and back. */
function passed(record: Connected): void {
  made(record);
  const { what, says } = record;
  for (const output of ['stdout', 'stderr'] as const) {
    if (!says[output].test(record[output]))
      fail(`${what}: ${output}: expected ${says[output]}, got ${JSON.stringify(record[output].slice(-200))}`);
  }
}

/** What was sent and what came obeys the protocol that was asked for. */
function spoken(record: Connected): void {
  passed(record);
  const { what, asked, chosen, fault } = record;
  equal(chosen, asked, `${what}: the protocol`);
  if (fault !== undefined) fail(`${what}: ${fault}`);
}

/** The same as a client that sends and accepts what no server knows. */
const typed = (subject: OperationSubject, context: Context) =>
  connected(subject, context, { accept: 'application/x-unknown', 'content-type': 'application/x-unknown' });

/** What works where the transport of the subject is refused; the document names none. */
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

/** Throws Unjudged where the transport alone is what the target lacks: which there are is not shown. */
const byAny =
  (check: (record: Connected) => void) =>
  (record: Recorded<typeof simply>): void => {
    if (record.other !== undefined)
      throw new Unjudged('not-supported', `${record.what}: it is refused, and made over ${record.other}`);
    check(record);
  };

export const connectionPerformers = {
  connections: simply,
  socketConnections: simply,
  base64Connections: simply,
  spdyConnections: simply,
  typedConnections: typed,
  execs: simply,
  attaches: simply,
  portForwards: simply,
};

type Made = Recorded<typeof connected>;

export const connectionChecks = {
  success: byAny(made),
  'any-type': (record: Made) => made(record),
  exec: byAny(passed),
  attach: byAny(passed),
  portforward: byAny(passed),
  websocket: spoken,
  'websocket-base64': spoken,
  spdy: spoken,
};
