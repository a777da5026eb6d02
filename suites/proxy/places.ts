// Where a proxy leads: by which names and ports, and what is told where it leads nowhere.
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { clientError, equal, fail, status } from '../support/expect.js';
import type { Recorded } from '../support/recorded.js';
import type { Reply } from '../support/reply.js';
import type { Context } from '../support/worker.js';
import { proxyPath, seenBy, through } from './calls.js';
import { endsOf } from './ends.js';

/** A request by the subject's method; what is sent with it says whose it is. */
async function reached(subject: OperationSubject, context: Context) {
  const { method, path } = subject.operation;
  const body = method === 'PUT' || method === 'POST' ? { body: 'sent', headers: { 'content-type': 'text/plain' } } : {};
  const rest = path.endsWith('{path}') ? 'one/two' : '';
  const token = context.scope.name();
  const reply = await through(subject, context, { rest, query: `token=${token}`, ...body });
  return { reply, method, token, path: `/${rest}`, body: body.body ?? '' };
}

async function queried(subject: OperationSubject, context: Context) {
  return await through(subject, context, { rest: 'one', query: 'path=two' });
}

/** The path in the query alone, by the subject's method. */
async function queriedBare(subject: OperationSubject, context: Context) {
  const { method } = subject.operation;
  const body = method === 'PUT' || method === 'POST' ? { body: 'sent', headers: { 'content-type': 'text/plain' } } : {};
  return await through(subject, context, { query: 'path=two/three', ...body });
}

async function ofServices(subject: OperationSubject, context: Context) {
  const { named, empty } = await endsOf(context);
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
  const { pods, loopback } = await endsOf(context);
  const to = (name: string) => through(subject, context, { rest: 'x', name });
  return { port: await to(`${pods}:8081`), dead: await to(`${pods}:8099`), own: await to(loopback) };
}

async function ofAbsent({ operation }: OperationSubject, { client, scope }: Context) {
  const name = scope.name();
  const path = proxyPath(
    operation,
    { namespace: await scope.namespace(), pods: name, services: name, nodes: name },
    'x',
  );
  return client.send({ method: operation.method, path });
}

type Reached = Recorded<typeof reached>;

/** The request came to the other end, and its answer came back. */
function arrived({ reply, method, token }: Reached): void {
  const { method: seen, query } = seenBy(reply);
  status(reply, 200);
  equal(seen, method, `${reply.request}: the method`);
  equal(query, `token=${token}`, `${reply.request}: the query`);
}

export const placePerformers = {
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
