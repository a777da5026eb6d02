// The destination of a proxy: by names and ports, and the response if there is no backend.

import { defined } from '../../matrix/api/index.js';
import { clientError, equal, fail, status } from '../client/expect.js';
import type { Reply } from '../client/reply.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';
import { backendsOf } from './backends.js';
import { proxyPath, seenBy, through } from './calls.js';

/** Sends a request by the subject's method, with a token that identifies the request; a GET twice, with other headers. */
async function reached(subject: OperationSubject, context: Context) {
  const { method, path } = subject.operation;
  const token = context.sandbox.name();
  const takesBody = method === 'PUT' || method === 'POST';
  const body = takesBody ? { body: `sent: ${token}`, headers: { 'content-type': 'text/plain' } } : {};
  const sent = { rest: path.endsWith('{path}') ? 'one/two' : '', query: `token=${token}` };
  const turn = (number: string) => through(subject, context, { ...sent, headers: { 'x-conformance-turn': number } });
  const reply = method === 'GET' ? await turn('first') : await through(subject, context, { ...sent, ...body });
  const isRead = method === 'GET' && reply.status === 200;
  const again = isRead ? await turn('second') : undefined;
  const stray = isRead ? await elsewhere(subject, context) : undefined;
  return { reply, method, token, path: `/${sent.rest}`, body: body.body ?? '', ...defined({ again, stray }) };
}

/** Asks for the backend by its name in a namespace that has none of that name. */
async function elsewhere({ operation }: OperationSubject, context: Context): Promise<Reply | undefined> {
  if (operation.resource?.namespaced !== true) return undefined;
  const ends = { ...(await backendsOf(context)), namespace: await context.sandbox.namespace('other') };
  return await context.client.send({ method: 'GET', path: proxyPath(operation, ends, 'x') });
}

/** A path of more characters than a name or a line of a file may have. */
const longPath = 'deep/'.repeat(600);

/** Does the same, and asks with the slash after proxy and no path behind it, and with a long path. */
async function pathed(subject: OperationSubject, context: Context) {
  const long = await through(subject, context, { rest: longPath });
  return { ...(await reached(subject, context)), root: await through(subject, context), long };
}

async function queried(subject: OperationSubject, context: Context) {
  return await through(subject, context, { rest: 'one', query: 'path=two' });
}

/** Sends a request with the path only in the query, by the subject's method. */
async function queriedBare(subject: OperationSubject, context: Context) {
  const { method } = subject.operation;
  const body = method === 'PUT' || method === 'POST' ? { body: 'sent', headers: { 'content-type': 'text/plain' } } : {};
  return await through(subject, context, { query: 'path=two/three', ...body });
}

async function ofServices(subject: OperationSubject, context: Context) {
  const { named, services, empty, unready } = await backendsOf(context);
  const names = {
    byName: `${named}:http`,
    byNumber: `${named}:80`,
    byScheme: `https:${named}:https`,
    byPlainScheme: `http:${named}:http`,
    bySchemeAlone: `http:${services}:`,
    malformed: `a:${named}:http:b`,
    withoutEndpoints: empty,
    notReady: unready,
  };
  const to = async ([key, name]: [string, string]) => [key, await through(subject, context, { rest: 'x', name })];
  const replies = await Promise.all(Object.entries(names).map(to));
  return Object.fromEntries(replies) as Record<keyof typeof names, Reply>;
}

async function ofPods(subject: OperationSubject, context: Context) {
  const { pod, loopback } = await backendsOf(context);
  const to = (name: string) => through(subject, context, { rest: 'x', name });
  return {
    port: await to(`${pod}:8081`),
    plain: await to(`http:${pod}:8081`),
    secure: await to(`https:${pod}:8443`),
    dead: await to(`${pod}:8099`),
    own: await to(loopback),
  };
}

async function ofAbsent({ operation }: OperationSubject, { client, sandbox }: Context) {
  const name = sandbox.name();
  const path = proxyPath(
    operation,
    { namespace: await sandbox.namespace(), pods: name, services: name, nodes: name },
    'x',
  );
  return client.send({ method: operation.method, path });
}

type Reached = Recorded<typeof reached>;

/** Throws Failure unless the request reached the backend and the client got the response. */
function arrived({ reply, method, token, body, again, stray }: Reached): void {
  const { method: seen, query, body: got } = seenBy(reply);
  status(reply, 200);
  equal(seen, method, `${reply.request}: the method`);
  equal(query, `token=${token}`, `${reply.request}: the query`);
  equal(got, body, `${reply.request}: the body`);
  if (again !== undefined && seenBy(again).headers.get('x-conformance-turn') === 'first')
    fail(`${again.request}: the response to an earlier GET came again: the backend was not asked`);
  if (stray !== undefined && stray.status < 400)
    fail(`${stray.request}: a name of another namespace: ${stray.status} ${stray.excerpt()}`);
}

export const placeGroups = [
  group({
    subjects: 'podProxies',
    setup: reached,
    checks: { pod: arrived },
  }),
  group({
    subjects: 'serviceProxies',
    setup: reached,
    checks: { service: arrived },
  }),
  group({
    subjects: 'nodeProxies',
    setup: reached,
    checks: { node: arrived },
  }),
  group({
    subjects: 'legacyPodProxies',
    setup: reached,
    checks: { 'legacy-pod': arrived },
  }),
  group({
    subjects: 'legacyServiceProxies',
    setup: reached,
    checks: { 'legacy-service': arrived },
  }),
  group({
    subjects: 'legacyNodeProxies',
    setup: reached,
    checks: { 'legacy-node': arrived },
  }),
  group({
    subjects: 'pathProxies',
    setup: pathed,
    checks: {
      path: ({ reply, path, root, long }) => {
        equal(seenBy(reply).path, path, `${reply.request}: the path`);
        equal(seenBy(root).path, '/', `${root.request}: the path`);
        equal(seenBy(long).path, `/${longPath}`, `${long.request}: the path`);
      },
    },
  }),
  group({
    subjects: 'queriedProxies',
    setup: queried,
    checks: {
      'path-query': (reply) => {
        const { path, query } = seenBy(reply);
        equal(path, '/one', `${reply.request}: the path`);
        equal(query, 'path=two', `${reply.request}: the query`);
      },
    },
  }),
  group({
    subjects: 'bareProxies',
    setup: queriedBare,
    checks: {
      'path-parameter': (reply) => equal(seenBy(reply).path, '/two/three', `${reply.request}: the path`),
    },
  }),
  group({
    subjects: 'servicePlaces',
    setup: ofServices,
    checks: {
      'service-port-name': ({ byName }) => void seenBy(byName),
      'service-port-number': ({ byNumber }) => void seenBy(byNumber),
      'service-scheme': ({ byScheme, byPlainScheme, bySchemeAlone }) => {
        seenBy(byScheme);
        seenBy(byPlainScheme);
        seenBy(bySchemeAlone);
      },
      'service-malformed': ({ malformed }) => clientError(malformed),
      'no-endpoints': ({ withoutEndpoints, notReady }) => {
        status(withoutEndpoints, 503);
        status(notReady, 503);
      },
    },
  }),
  group({
    subjects: 'podPlaces',
    setup: ofPods,
    checks: {
      'pod-port': ({ port, plain, secure }) => {
        seenBy(port);
        seenBy(plain);
        seenBy(secure);
      },
      dead: ({ dead }) => {
        if (dead.status < 500) fail(`${dead.request}: expected an error of the server (5xx), got ${dead.status}`);
      },
      'own-addresses': ({ own }) => clientError(own),
    },
  }),
  group({
    subjects: 'absentProxies',
    setup: ofAbsent,
    checks: { absent: (reply) => status(reply, 404) },
  }),
];
