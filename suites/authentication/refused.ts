// Requests with bad credentials: their responses, and that they have no effect.
import { randomBytes } from 'node:crypto';
import type { Call } from '../client/calls.js';
import type { Client } from '../client/client.js';
import { fail } from '../client/expect.js';
import { pathTo, selectingName } from '../client/paths.js';
import { NoAnswer, Reply } from '../client/reply.js';
import { sendRefused } from '../objects/refused.js';
import { configMaps } from '../objects/related.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import type { Credential, Subject } from '../requirements/index.js';
import { identifiedOnce, refusalOf, rejectedForAnonymous } from '../run/acceptance.js';
import { anyRequest } from '../run/anonymousAccess.js';
import type { Context } from '../run/context.js';

const nobodies = ['none', { token: 'a-token-that-nobody-has' }] as const;

type Write = readonly [method: string, path: string, body?: unknown, contentType?: string];

const writes: Readonly<Record<string, (sandbox: Sandbox, made: CreatedObject, name: string) => Write>> = {
  create: (sandbox, { namespace }, name) => [
    'POST',
    pathTo(configMaps, 'create', namespace),
    sandbox.body(configMaps, name, namespace),
  ],
  replace: (_, made) => [
    'PUT',
    pathTo(configMaps, 'replace', made.namespace, made.name),
    { ...made.object, data: { changed: 'yes' } },
  ],
  patch: (_, made) => [
    'PATCH',
    pathTo(configMaps, 'patch', made.namespace, made.name),
    { data: { changed: 'yes' } },
    'application/merge-patch+json',
  ],
  delete: (_, made) => ['DELETE', pathTo(configMaps, 'delete', made.namespace, made.name)],
  'delete-collection': (_, { namespace, name }) => [
    'DELETE',
    `${pathTo(configMaps, 'deleteCollection', namespace)}?${selectingName(name)}`,
  ],
};

/** Sends a valid write without credentials and with wrong ones, and reads the object before and after it. */
export async function writeUnauthenticated({ variant = '' }: Subject, context: Context) {
  const { client, sandbox } = context;
  const write = writes[variant] ?? fail(`no write ${variant}`);
  const name = sandbox.name();
  const replies: Reply[] = [];
  const refused = await sendRefused(sandbox, async () => {
    const object = await sandbox.make(configMaps);
    const [method, path, body, contentType = 'application/json'] = write(sandbox, object, name);
    const sent = body === undefined ? {} : { headers: { 'content-type': contentType }, body: JSON.stringify(body) };
    const send = async (): Promise<Reply> => {
      for (const as of nobodies)
        replies.push(await identifiedOnce(context, as, await client.send({ method, path, as, ...sent })));
      return replies.at(-1) as Reply;
    };
    return { object, send };
  });
  return { ...refused, replies, created: await sandbox.current({ ...refused.object, name }) };
}

const paths: Readonly<Record<string, string>> = {
  'an unknown resource': '/api/v1/namespaces/default/nosuchthings',
  'an unknown group': '/apis/nosuch.example.com/v1/things',
  'an unknown version': '/apis/batch/v9/jobs',
  'outside the API': '/no/such/path',
};

/** Sends requests to a path that does not exist, without credentials and with wrong ones. */
export async function readUnauthenticated({ variant = '' }: Subject, context: Context): Promise<Reply[]> {
  const path = paths[variant] ?? fail(`no path for ${variant}`);
  const replies: Reply[] = [];
  for (const as of nobodies)
    replies.push(await identifiedOnce(context, as, await context.client.send({ method: 'GET', path, as })));
  return replies;
}

const get = (path: string): Call => ({ method: 'GET', path });

/** Requests that servers handle apart from others. */
const guarded: Readonly<Record<string, Call>> = {
  'a watch': get('/api/v1/namespaces?watch=true&timeoutSeconds=1'),
  'a log': get('/api/v1/namespaces/default/pods/absent/log'),
  'a proxy': get('/api/v1/namespaces/default/services/absent/proxy/'),
  'a HEAD': { method: 'HEAD', path: '/api/v1/nodes' },
  'a user in the headers of a proxy': {
    ...get('/api/v1/nodes'),
    headers: {
      'x-remote-user': 'somebody',
      'x-remote-group': 'system:masters',
      'x-forwarded-user': 'somebody',
      'remote-user': 'somebody',
    },
  },
};
/** Spellings of a path that a server may route to the path, redirect or refuse. */
const spellings: Readonly<Record<string, string>> = {
  'a second slash': '//api/v1/nodes',
  'dots in the path': '/healthz/../api/v1/nodes',
};
const connection = '/api/v1/namespaces/default/pods/absent/exec?command=true&stdout=true';

/** Sends such a request without credentials and with wrong ones; undefined for a connection that was made. */
export async function askUnauthenticated({ variant = '' }: Subject, context: Context): Promise<(Reply | undefined)[]> {
  const { client } = context;
  const replies: (Reply | undefined)[] = [];
  const path = spellings[variant];
  for (const as of nobodies) {
    if (path !== undefined) replies.push(await identifiedOnce(context, as, await client.send({ ...get(path), as })));
    else if (variant === 'a connection') {
      const call = { path: connection, protocols: ['v4.channel.k8s.io'], as };
      const opened = await client.webSocket(call, async (one) => (one instanceof Reply ? one : undefined));
      replies.push(opened && (await identifiedOnce(context, as, opened)));
    } else replies.push(await refusalOf(context, guarded[variant] ?? fail(`no request ${variant}`), as));
  }
  return replies;
}

/** Throws Failure if the request was treated as one of a user. In an unusual spelling, only a success shows that. */
export function isNotOfUser(reply: Reply | undefined, variant = ''): void {
  if (reply === undefined) fail('the connection was made');
  if (reply.status < 300 || spellings[variant] === undefined) rejectedForAnonymous(reply);
}

const secret = (): string => randomBytes(18).toString('base64url');

const wrong: Readonly<Record<string, () => Credential>> = {
  'a wrong token': () => ({ token: secret() }),
  'a wrong password': () => ({ username: 'nobody', password: secret() }),
  'a token of three parts': () => ({ token: `${part({ alg: 'RS256' })}.${part({ sub: 'nobody' })}.${secret()}` }),
};
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Sends a wrong credential, and searches the response for it. */
export async function sendWrongCredential({ variant = '' }: Subject, { client }: Context) {
  const as = (wrong[variant] ?? fail(`no credential ${variant}`))();
  const sent = as.token ?? as.password ?? '';
  client.redactor.add(sent);
  const forms = [sent, Buffer.from(sent).toString('base64'), Buffer.from(`nobody:${sent}`).toString('base64')];
  const repeats = ({ headers, bytes }: Reply): boolean => {
    const text = `${JSON.stringify(headers)}\n${bytes.toString('utf8')}`;
    return forms.some((form) => text.includes(form));
  };
  const replies = [await client.send({ ...anyRequest, as })];
  // The response to a TRACE is the request, unless the server knows better, or does not answer.
  if (!client.target.readOnly) replies.push(...(await answerTo(client, { ...anyRequest, method: 'TRACE', as })));
  return replies.map((reply) => ({ reply, repeats: repeats(reply) }));
}

/** Returns the response, or nothing if there is none. */
async function answerTo(client: Client, request: Parameters<Client['send']>[0]): Promise<Reply[]> {
  try {
    return [await client.send(request)];
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return [];
  }
}
