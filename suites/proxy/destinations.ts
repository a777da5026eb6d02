// The destination of a proxy: by names and ports, and the response if there is no backend.
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { clientError, equal, fail, status } from '../support/http/expect.js';
import type { Reply } from '../support/http/reply.js';
import type { Recorded } from '../support/run/group.js';
import type { Context } from '../support/run/worker.js';
import { backendsOf } from './backends.js';
import { proxyPath, seenBy, through } from './calls.js';

/** Sends a request by the subject's method, with a token that identifies the request. */
async function reached(subject: OperationSubject, context: Context) {
  const { method, path } = subject.operation;
  const body = method === 'PUT' || method === 'POST' ? { body: 'sent', headers: { 'content-type': 'text/plain' } } : {};
  const rest = path.endsWith('{path}') ? 'one/two' : '';
  const token = context.sandbox.name();
  const reply = await through(subject, context, { rest, query: `token=${token}`, ...body });
  return { reply, method, token, path: `/${rest}`, body: body.body ?? '' };
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
  const { named, empty } = await backendsOf(context);
  const to = (name: string) => through(subject, context, { rest: 'x', name });
  const [byName, byNumber, byScheme, malformed, nobody] = await Promise.all(
    [`${named}:http`, `${named}:80`, `https:${named}:https`, `a:${named}:http:b`, empty].map(to),
  );
  return { byName, byNumber, byScheme, malformed, nobody } as Record<
    'byName' | 'byNumber' | 'byScheme' | 'malformed' | 'nobody',
    Reply
  >;
}

async function ofPods(subject: OperationSubject, context: Context) {
  const { pods, loopback } = await backendsOf(context);
  const to = (name: string) => through(subject, context, { rest: 'x', name });
  return { port: await to(`${pods}:8081`), dead: await to(`${pods}:8099`), own: await to(loopback) };
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
function arrived({ reply, method, token }: Reached): void {
  const { method: seen, query } = seenBy(reply);
  status(reply, 200);
  equal(seen, method, `${reply.request}: the method`);
  equal(query, `token=${token}`, `${reply.request}: the query`);
}

export const placeSetups = {
  podProxies: reached,
  serviceProxies: reached,
  nodeProxies: reached,
  legacyPodProxies: reached,
  legacyServiceProxies: reached,
  legacyNodeProxies: reached,
  pathProxies: reached,
  queriedProxies: queried,
  bareProxies: queriedBare,
  servicePlaces: ofServices,
  podPlaces: ofPods,
  absentProxies: ofAbsent,
};

type OfServices = Recorded<typeof ofServices>;
type OfPods = Recorded<typeof ofPods>;

export const placeChecks = {
  pod: arrived,
  service: arrived,
  node: arrived,
  'legacy-pod': arrived,
  'legacy-service': arrived,
  'legacy-node': arrived,
  path: ({ reply, path }: Reached) => equal(seenBy(reply).path, path, `${reply.request}: the path`),
  'path-parameter': (reply: Reply) => equal(seenBy(reply).path, '/two/three', `${reply.request}: the path`),
  'path-query': (reply: Reply) => {
    const { path, query } = seenBy(reply);
    equal(path, '/one', `${reply.request}: the path`);
    equal(query, 'path=two', `${reply.request}: the query`);
  },
  'service-port-name': ({ byName }: OfServices) => void seenBy(byName),
  'service-port-number': ({ byNumber }: OfServices) => void seenBy(byNumber),
  'service-scheme': ({ byScheme }: OfServices) => void seenBy(byScheme),
  'service-malformed': ({ malformed }: OfServices) => clientError(malformed),
  'no-endpoints': ({ nobody }: OfServices) => status(nobody, 503),
  'pod-port': ({ port }: OfPods) => void seenBy(port),
  dead: ({ dead }: OfPods) => {
    if (dead.status < 500) fail(`${dead.request}: expected an error of the server (5xx), got ${dead.status}`);
  },
  'own-addresses': ({ own }: OfPods) => clientError(own),
  absent: (reply: Reply) => status(reply, 404),
};
