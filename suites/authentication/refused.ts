// Requests that nobody is let in with: what they are told, and that they do nothing.
import { randomBytes } from 'node:crypto';
import type { Credential, Subject } from '../../matrix/requirements/index.js';
import { toldOnce } from '../support/acceptance.js';
import { fail } from '../support/expect.js';
import { at } from '../support/json.js';
import { configMaps } from '../support/related.js';
import type { Reply } from '../support/reply.js';
import { type Made, pathTo, type Scope } from '../support/scope.js';
import { anyRequest } from '../support/strangers.js';
import type { Context } from '../support/worker.js';

const nobodies = ['none', { token: 'a-token-that-nobody-has' }] as const;

type Write = readonly [method: string, path: string, body?: unknown, contentType?: string];

const writes: Readonly<Record<string, (scope: Scope, made: Made, name: string) => Write>> = {
  create: (scope, { namespace }, name) => [
    'POST',
    pathTo(configMaps, 'create', namespace),
    scope.body(configMaps, name, namespace),
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
    `${pathTo(configMaps, 'deleteCollection', namespace)}?fieldSelector=metadata.name%3D${name}`,
  ],
};

/** Sends a write that would succeed, without credentials and with wrong ones, and looks at the object before and after. */
export async function writeAsNobody({ variant = '' }: Subject, context: Context) {
  const { client, scope } = context;
  const made = await scope.make(configMaps);
  const name = scope.name();
  const write = writes[variant] ?? fail(`no write ${variant}`);
  const [method, path, body, contentType = 'application/json'] = write(scope, made, name);
  const replies: Reply[] = [];
  for (const as of nobodies) {
    const sent = body === undefined ? {} : { headers: { 'content-type': contentType }, body: JSON.stringify(body) };
    replies.push(await toldOnce(context, as, await client.send({ method, path, as, ...sent })));
  }
  return {
    replies,
    created: await scope.current({ ...made, name }),
    before: at(made.object, 'metadata', 'resourceVersion'),
    after: at(await scope.current(made), 'metadata', 'resourceVersion'),
  };
}

const paths: Readonly<Record<string, string>> = {
  'an unknown resource': '/api/v1/namespaces/default/nosuchthings',
  'an unknown group': '/apis/nosuch.example.com/v1/things',
  'an unknown version': '/apis/batch/v9/jobs',
  'outside the API': '/no/such/path',
};

/** Asks for a path that names nothing, without credentials and with wrong ones. */
export async function askAsNobody({ variant = '' }: Subject, context: Context): Promise<Reply[]> {
  const path = paths[variant] ?? fail(`no path for ${variant}`);
  const replies: Reply[] = [];
  for (const as of nobodies)
    replies.push(await toldOnce(context, as, await context.client.send({ method: 'GET', path, as })));
  return replies;
}

const secret = (): string => randomBytes(18).toString('base64url');

const wrong: Readonly<Record<string, () => Credential>> = {
  'a wrong token': () => ({ token: secret() }),
  'a wrong password': () => ({ username: 'nobody', password: secret() }),
  'a token of three parts': () => ({ token: `${part({ alg: 'RS256' })}.${part({ sub: 'nobody' })}.${secret()}` }),
};
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Shows a wrong credential, and looks for it in the answer. */
export async function showWrong({ variant = '' }: Subject, { client }: Context) {
  const as = (wrong[variant] ?? fail(`no credential ${variant}`))();
  const sent = as.token ?? as.password ?? '';
  client.redactor.add(sent);
  const reply = await client.send({ ...anyRequest, as });
  const forms = [sent, Buffer.from(sent).toString('base64'), Buffer.from(`nobody:${sent}`).toString('base64')];
  const told = `${JSON.stringify(reply.headers)}\n${reply.bytes.toString('utf8')}`;
  return { reply, repeats: forms.some((form) => told.includes(form)) };
}
