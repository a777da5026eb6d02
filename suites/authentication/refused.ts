// Requests with bad credentials: their responses, and that they have no effect.
import { randomBytes } from 'node:crypto';
import { fail } from '../client/expect.js';
import { at } from '../client/json.js';
import { pathTo, selectingName } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { configMaps } from '../objects/related.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import type { Credential, Subject } from '../requirements/index.js';
import { identifiedOnce } from '../run/acceptance.js';
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
  const made = await sandbox.make(configMaps);
  const name = sandbox.name();
  const write = writes[variant] ?? fail(`no write ${variant}`);
  const [method, path, body, contentType = 'application/json'] = write(sandbox, made, name);
  const replies: Reply[] = [];
  for (const as of nobodies) {
    const sent = body === undefined ? {} : { headers: { 'content-type': contentType }, body: JSON.stringify(body) };
    replies.push(await identifiedOnce(context, as, await client.send({ method, path, as, ...sent })));
  }
  return {
    replies,
    created: await sandbox.current({ ...made, name }),
    before: at(made.object, 'metadata', 'resourceVersion'),
    after: at(await sandbox.current(made), 'metadata', 'resourceVersion'),
  };
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
  const reply = await client.send({ ...anyRequest, as });
  const forms = [sent, Buffer.from(sent).toString('base64'), Buffer.from(`nobody:${sent}`).toString('base64')];
  const text = `${JSON.stringify(reply.headers)}\n${reply.bytes.toString('utf8')}`;
  return { reply, repeats: forms.some((form) => text.includes(form)) };
}
