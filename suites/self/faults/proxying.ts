// Servers that break the proxy chapter.
import { answering, type Fault, failure } from './parts.js';

const pod = 'GET /api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}';
const service = pod.replace('/pods/', '/services/');
const node = 'GET /api/v1/nodes/{name}/proxy/{path}';

/** A server that breaks one requirement, seen in one case of it. */
const on = (
  requirement: string,
  subject: string,
  name: string,
  broken: Omit<Fault, 'name' | 'grep' | 'fails'>,
): Fault => ({
  name,
  grep: `proxy.${requirement} › ${subject}`,
  fails: [`proxy.${requirement}`],
  ...broken,
});

/** Takes a path for another one, where it is a proxy's. */
const leads = (change: (path: string) => string): Pick<Fault, 'request'> => ({
  request: (passing) => (/\/proxy\b/.test(passing.path) ? { ...passing, path: change(passing.path) } : passing),
});
/** Answers every proxy so. */
const answers = (status: number): Pick<Fault, 'request'> => ({
  request: (passing) => (/\/proxy\b/.test(passing.path) ? failure(status, 'Broken') : passing),
});
/** Drops a header on its way to the other end. */
const drops = (name: string): Pick<Fault, 'request'> => ({
  request: (passing) => ({
    ...passing,
    headers: Object.fromEntries(Object.entries(passing.headers).filter(([key]) => key !== name)),
  }),
});
/** Lets a header of the client reach the other end, which says so. */
const lets = (name: string): Pick<Fault, 'reply'> => ({
  reply: answering((body, { headers }) =>
    Array.isArray(body.headers) ? { ...body, headers: [...body.headers, [name, headers[name] ?? '']] } : body,
  ),
});
const withoutPath = (path: string): string => path.replace('/{path}', '');
const legacy = (path: string): string =>
  withoutPath(path)
    .replace('/api/v1/', '/api/v1/proxy/')
    .replace(/\/proxy$/, '');

export const proxyFaults: readonly Fault[] = [
  on('pod', withoutPath(pod), 'reaches no pod', answers(404)),
  on('service', withoutPath(service), 'reaches no Service', answers(404)),
  on('node', withoutPath(node), 'reaches no node', answers(404)),
  on('legacy-pod', legacy(pod), 'reaches no pod by the legacy path', answers(404)),
  on('legacy-service', legacy(service), 'reaches no Service by the legacy path', answers(404)),
  on('legacy-node', legacy(node), 'reaches no node by the legacy path', answers(404)),
  on(
    'path',
    pod,
    'loses the path of a proxy',
    leads((path) => path.replace('/one/two', '/')),
  ),
  on(
    'path-query',
    pod,
    'lets the query say the path',
    leads((path) => path.replace('/one?path=two', '/two?path=two')),
  ),
  on(
    'path-parameter',
    withoutPath(pod),
    'does not know the path parameter',
    leads((path) => path.replace('path=two/three', '')),
  ),
  on('answer', pod, 'makes text of the bytes of an answer', {
    reply: (returning, { path }) =>
      path.includes('/bytes/') ? { ...returning, body: returning.body.replaceAll('\u00e0', '?') } : returning,
  }),
  on(
    'path-kept',
    pod,
    'decodes the path of a proxy',
    leads((path) => path.replace('%2F', '/')),
  ),
  on(
    'query',
    pod,
    'loses a parameter of a proxy',
    leads((path) => path.replace('x=2&', '')),
  ),
  on('headers', pod, 'drops a header that it does not know', drops('x-conformance')),
  on('any-type', pod, 'drops what the client accepts', drops('accept')),
  on('hop-by-hop', pod, 'passes a header of one hop on', lets('te')),
  on('credentials', pod, 'passes the credentials of its client on', lets('authorization')),
  on('body', pod, 'cuts the body of a proxy', {
    request: (passing) => ({ ...passing, body: passing.body.slice(0, 1_000) }),
  }),
  on('status', pod, 'answers 200 for what the other end answers', {
    reply: (returning) => (returning.status === 418 ? { ...returning, status: 200 } : returning),
  }),
  on(
    'streaming',
    pod,
    'says nothing of an answer until its end',
    leads((path) => path.replace('chunks/2', 'slow/2')),
  ),
  on('redirect', pod, 'hides where a redirect leads', {
    reply: (returning) => (returning.status === 302 ? { ...returning, headers: {} } : returning),
  }),
  on('upgrade', pod, 'upgrades nothing through a proxy', {
    request: (passing) => (passing.path.endsWith('/socket') ? failure(400, 'Broken') : passing),
  }),
  on(
    'service-port-name',
    service,
    'knows no ports by name',
    leads((path) => path.replace(':http/', ':nothing/')),
  ),
  on(
    'service-port-number',
    service,
    'knows no ports by number',
    leads((path) => path.replace(':80/', ':81/')),
  ),
  on(
    'service-scheme',
    service,
    'speaks no TLS to a Service',
    leads((path) => path.replace('/https:', '/http:')),
  ),
  on('service-malformed', service, 'answers 500 for a name with too many parts', answers(500)),
  on(
    'pod-port',
    pod,
    'reaches one port of a pod only',
    leads((path) => path.replace(':8081', ':8082')),
  ),
  on('no-endpoints', service, 'answers 404 for a Service without endpoints', answers(404)),
  on('absent', pod, 'answers 500 for a pod that is absent', answers(500)),
  on('dead', pod, 'answers 404 for a port that nobody listens on', answers(404)),
  on('own-addresses', pod, 'dials its own addresses', answers(500)),
];
