// The requests of a connection at the node: their path, their credentials and their duration.

import { authorizationOf, ownCredential } from '../client/carried.js';
import { equal, fail, Prerequisite } from '../client/expect.js';
import { at } from '../client/json.js';
import { Reply } from '../client/reply.js';
import { inTime } from '../objects/eventually.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import type { RunningPod } from '../run/runningPods.js';
import { digestOf, type NodeRequest } from '../stand-ins/node.js';
import { made, pathOn } from './connections.js';
import { pair, terminal, web } from './containers.js';
import { withPortForward } from './portForward.js';
import { withCommand } from './remoteCommand.js';
import { spdy, usual } from './transports.js';

/** One way to connect, and the expected request at the node: the container in its path, and its query. */
interface Way {
  readonly pod: RunningPod;
  readonly query: string;
  readonly container: string;
  readonly flags: Readonly<Record<(typeof flags)[number], boolean>>;
  readonly command: readonly string[];
}

/** The node's names for stdin, stdout, stderr and tty. */
const flags = ['input', 'output', 'error', 'tty'] as const;
/** Returns the query parameters of a command as clients in Go write them: a space is a plus sign. */
const argv = (words: readonly string[]): string =>
  String(new URLSearchParams(words.map((word): [string, string] => ['command', word])));

const command = ['sh', '-c', 'echo "a b"; exec sleep 3600', '', '/x?y=z&+%'];

async function waysOf({ operation }: OperationSubject, context: Context): Promise<Way[]> {
  const [two, screen] = [await pair(context), await terminal(context)];
  const isExec = operation.verb === 'exec';
  const way = (pod: RunningPod, container: string, query: string, on: readonly (typeof flags)[number][]): Way => ({
    ...{ pod, container, query: isExec ? `${query}&${argv(command)}` : query, command: isExec ? command : [] },
    flags: {
      input: on.includes('input'),
      output: on.includes('output'),
      error: on.includes('error'),
      tty: on.includes('tty'),
    },
  });
  // Clients in Python write True and False.
  return [
    way(two, 'second', 'container=second&stdin=True&stdout=1&stderr=true', ['input', 'output', 'error']),
    way(two, 'first', 'container=first&stdin=False&stdout=0&stderr=true&unknown=true', ['error']),
    way(screen, 'main', 'container=main&stdin=true&stdout=true&stderr=false&tty=true', ['input', 'output', 'tty']),
  ];
}

interface Observed {
  readonly what: string;
  readonly refusal?: Reply;
  readonly way: Omit<Way, 'query'>;
  readonly requests: readonly NodeRequest[];
  /** Whether the node saw the end of the connection after the client had closed it. */
  readonly left: boolean;
}

/** Connects, and closes the connection after the request has reached the node. */
async function watched(subject: OperationSubject, context: Context, way: Way): Promise<Observed> {
  const { node, client } = context;
  if (node === undefined) throw new Prerequisite('no node of ours');
  const { operation } = subject;
  const { method } = operation;
  const forwards = operation.verb === 'portforward';
  const transport = usual(method);
  const { query, ...rest } = way;
  const path = pathOn(operation, way.pod, query);
  const about = `/${way.pod.namespace}/${way.pod.name}`;
  const before = (await node.received(about)).length;
  const fresh = async () => (await node.received(about)).slice(before);
  const asked = async (opened: Reply | object) => ({
    requests: opened instanceof Reply ? [] : await fresh(),
    ...(opened instanceof Reply ? { refusal: opened } : {}),
  });
  const call = { method, path, transport };
  const seen = await (forwards
    ? withPortForward(client, { ...call, ports: [8080, 8081] }, asked)
    : withCommand(client, call, asked));
  const gone = await inTime(context, async () => ((await fresh()).every(({ ended }) => ended) ? true : undefined));
  return { what: `${method} ${path} over ${transport} (node: ours)`, way: rest, ...seen, left: gone === true };
}

async function observed(subject: OperationSubject, context: Context) {
  const none = { input: false, output: false, error: false, tty: false };
  const ways =
    subject.operation.verb === 'portforward'
      ? [{ pod: await web(context), query: '', container: '', flags: none, command: [] }]
      : await waysOf(subject, context);
  const records: Observed[] = [];
  for (const way of ways) records.push(await watched(subject, context, way));
  return { records, credential: authorizationOf(ownCredential(context.client.target)) };
}

/** Returns the request that reached the node for a connection. Throws Failure unless there is exactly one. */
function only(record: Observed): NodeRequest {
  made(record);
  const [request] = record.requests;
  if (request === undefined || record.requests.length > 1) {
    fail(`${record.what}: ${record.requests.length} requests reached the node`);
  }
  return request;
}

/** Returns the expected path, without the uid of the pod, which some servers add. */
function pathFor({ verb }: OperationSubject['operation'], { pod, container }: Observed['way']): string {
  const operation = verb === 'portforward' ? 'portForward' : verb;
  return ['', operation, pod.namespace, pod.name, ...(container === '' ? [] : [container])].join('/');
}

export const observedGroups = [
  group({
    subjects: 'observedConnects',
    setup: observed,
    checks: {
      forwarded: ({ records }, { operation }) => {
        for (const record of records) {
          const { method, path, query, headers } = only(record);
          const { way, what } = record;
          const where = `${what}: at the node`;
          equal(`${method} ${path}`, `${operation.method} ${pathFor(operation, way)}`, `${where}: what was asked`);
          const values = (name: string) => query.filter(([key]) => key === name).map(([, value]) => value);
          for (const name of flags) {
            const isOn = values(name).some((value) => !['', '0', 'false'].includes(value));
            equal(String(isOn), String(way.flags[name]), `${where}: ${name}`);
          }
          equal(JSON.stringify(values('command')), JSON.stringify(way.command), `${where}: the command`);
          const transport = usual(operation.method);
          const ports = operation.verb === 'portforward' && transport !== spdy ? '8080,8081' : '';
          equal(values('port').join(), ports, `${where}: the ports`);
          const upgrade = transport === spdy ? 'spdy/3.1' : 'websocket';
          equal(String(at(headers, 'upgrade')).toLowerCase(), upgrade, `${where}: the upgrade`);
        }
      },
      'credentials-kept': ({ records, credential }) => {
        for (const record of records) {
          const authorization = at(only(record).headers, 'authorization');
          if (credential !== undefined && authorization === digestOf(credential)) {
            fail(`${record.what}: at the node: the client's own authorization`);
          }
        }
      },
      left: ({ records }) => {
        for (const record of records) {
          const { ended } = only(record);
          equal(
            String(ended),
            'false',
            `${record.what}: at the node, the connection has ended while the client holds it`,
          );
          if (!record.left) fail(`${record.what}: at the node, the connection goes on although the client has left`);
        }
      },
    },
  }),
];
