// The request for a log at the node: the parameters, and no credentials.

import { authorizationOf, ownCredential } from '../client/carried.js';
import { equal, fail, Prerequisite } from '../client/expect.js';
import { at, brief } from '../client/json.js';
import type { Subject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { digestOf, type NodeRequest } from '../stand-ins/node.js';
import { type LogPod, logPath, restartedPod } from './pods.js';

/** The parameters of a log that a node understands; the container is in the path. */
const parameters = [
  'follow',
  'previous',
  'sinceSeconds',
  'sinceTime',
  'timestamps',
  'tailLines',
  'limitBytes',
] as const;

async function forwarded({ variant = '' }: Subject, context: Context) {
  const { node, client } = context;
  if (node === undefined) throw new Prerequisite('no node of ours');
  const pod = await restartedPod(context);
  const before = await node.received(`/${pod.name}/`);
  const reply = await client.send({
    method: 'GET',
    path: logPath(pod, variant === 'plain' ? '' : variant),
    isStreamed: true,
  });
  const requests = (await node.received(`/${pod.name}/`)).slice(before.length);
  return { reply, requests, pod, credential: authorizationOf(ownCredential(client.target)) };
}

type Recorded = Awaited<ReturnType<typeof forwarded>>;

/** Returns the request that reached the node. Throws Failure unless there is exactly one. */
function only({ reply, requests }: Recorded): NodeRequest {
  const [request] = requests;
  if (request === undefined || requests.length > 1) {
    fail(
      `${reply.request} (node: ours): ${requests.length} requests reached the node; answer ${reply.status} ${reply.excerpt()}`,
    );
  }
  return request;
}

const pathOf = ({ namespace, name }: LogPod): string => `/containerLogs/${namespace}/${name}/main`;

/** Returns a value as the node reads it: different spellings of a boolean or a time are equal. */
function meaning(name: string, value: string | undefined): string {
  if (name === 'follow' || name === 'previous' || name === 'timestamps') {
    return String(!['', 'false', '0'].includes(value?.toLowerCase() ?? ''));
  }
  if (name === 'sinceTime' && value !== undefined) return String(Date.parse(value));
  return value ?? 'absent';
}

export const forwardedGroups = [
  group({
    subjects: 'forwardedLogs',
    setup: forwarded,
    checks: {
      'query-forwarded': (record, { variant = '' }) => {
        const { method, path, query } = only(record);
        const where = `${record.reply.request} (node: ours): at the node`;
        equal(`${method} ${path}`, `GET ${pathOf(record.pod)}`, `${where}: what was asked`);
        const asked = new URLSearchParams(variant);
        for (const name of parameters) {
          const came = query.find(([key]) => key === name)?.[1];
          equal(meaning(name, came), meaning(name, asked.get(name) ?? undefined), `${where}: ${name}`);
        }
      },
      'credentials-kept': (record) => {
        const { headers } = only(record);
        const authorization = at(headers, 'authorization');
        if (record.credential === undefined || authorization === undefined) return;
        const where = `${record.reply.request} (node: ours): at the node`;
        if (authorization === digestOf(record.credential)) fail(`${where}: the client's own ${brief('authorization')}`);
      },
    },
  }),
];
