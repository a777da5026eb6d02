// Proxy: HTTP through the server to a pod, a service or a node.
import type { Chapter } from '../types.js';

const source = ['Connect and proxy operations/any'] as const;

export const proxy = {
  pod: {
    level: 'stated',
    source: ['Connect and proxy operations/pod proxy', 'What the service does/2'],
    text: 'GET, PUT, DELETE and POST reach the Pod, and its answer comes back.',
    words: 'GET, PUT, DELETE, POST | {ns}/proxy and {ns}/proxy/{path}',
    subjects: 'podProxies',
  },
  service: {
    level: 'stated',
    source: ['Connect and proxy operations/service proxy', 'What the service does/2'],
    text: 'GET, PUT, DELETE and POST reach an endpoint of the Service, and its answer comes back.',
    words: '/api/v1/namespaces/{namespace}/services/{name}/proxy and .../proxy/{path} with GET, PUT, DELETE, POST',
    subjects: 'serviceProxies',
  },
  node: {
    level: 'stated',
    source: ['Connect and proxy operations/node proxy', 'What the service does/2'],
    text: 'GET, PUT, DELETE and POST reach the node, and its answer comes back.',
    words: '/api/v1/nodes/{name}/proxy and /api/v1/nodes/{name}/proxy/{path} with GET, PUT, DELETE, POST',
    subjects: 'nodeProxies',
  },
  path: {
    level: 'stated',
    source: [
      'Parameters/path',
      'Connect and proxy operations/pod proxy',
      'Connect and proxy operations/service proxy',
      'Connect and proxy operations/node proxy',
    ],
    text: 'What follows proxy in the path is the path that the other end sees.',
    words: 'path to the resource (proxy paths ending in /{path})',
    subjects: 'pathProxies',
  },
  'path-query': {
    level: 'stated',
    source: [
      'Connect and proxy operations/pod proxy',
      'Connect and proxy operations/service proxy',
      'Connect and proxy operations/node proxy',
    ],
    text: 'A path parameter in the query is accepted, and the path of the URL wins.',
    words: 'path (string, URL path for the proxied request)',
    subjects: 'queriedProxies',
  },
  'path-parameter': {
    level: 'stated',
    source: [
      'Connect and proxy operations/pod proxy',
      'Connect and proxy operations/service proxy',
      'Connect and proxy operations/node proxy',
    ],
    text: 'Where nothing follows proxy in the path, the path parameter in the query is the path that the other end sees.',
    words: 'path (string, URL path for the proxied request)',
    subjects: 'bareProxies',
  },
  answer: {
    level: 'stated',
    source: [...source, 'Conventions/4 connect'],
    text: 'An answer of any type comes back as the other end gave it: text, bytes that are no text, nothing, megabytes.',
    words: 'request/response media type any',
    subjects: 'answeredProxies',
  },
  'any-type': {
    level: 'stated',
    source: [...source, 'Conventions/4 connect'],
    text: 'Any media type passes, in the request and in the answer.',
    words: 'request/response media type any',
    subjects: 'passingProxies',
  },
  'legacy-pod': {
    level: 'stated',
    source: ['Connect and proxy operations/legacy proxy', 'Connect and proxy operations/legacy proxy pods'],
    text: 'The legacy path of a Pod, with and without a path after it, reaches the Pod by each of the four methods.',
    words: '/api/v1/proxy/namespaces/{namespace}/pods/{name} and .../pods/{name}/{path}',
    subjects: 'legacyPodProxies',
  },
  'legacy-service': {
    level: 'stated',
    source: ['Connect and proxy operations/legacy proxy', 'Connect and proxy operations/legacy proxy services'],
    text: 'The legacy path of a Service, with and without a path after it, reaches an endpoint by each of the four methods.',
    words: '/api/v1/proxy/namespaces/{namespace}/services/{name} and .../services/{name}/{path}',
    subjects: 'legacyServiceProxies',
  },
  'legacy-node': {
    level: 'stated',
    source: ['Connect and proxy operations/legacy proxy', 'Connect and proxy operations/legacy proxy nodes'],
    text: 'The legacy path of a node, with and without a path after it, reaches the node by each of the four methods.',
    words: '/api/v1/proxy/nodes/{name} and /api/v1/proxy/nodes/{name}/{path}',
    subjects: 'legacyNodeProxies',
  },
  // What passes
  'path-kept': {
    level: 'convention',
    source: [...source, 'Parameters/path'],
    text: 'Encoded characters, double slashes and a trailing slash of the path pass unchanged.',
    subjects: 'passingProxies',
  },
  query: {
    level: 'convention',
    source,
    text: 'The query passes unchanged.',
    subjects: 'passingProxies',
  },
  headers: {
    level: 'convention',
    source,
    text: 'Headers pass in both directions.',
    subjects: 'passingProxies',
  },
  'hop-by-hop': {
    level: 'convention',
    source,
    text: 'Headers of one hop, such as TE and Proxy-Connection, do not pass.',
    subjects: 'passingProxies',
  },
  credentials: {
    level: 'convention',
    source: [...source, 'General rules/3'],
    text: "The caller's credentials do not reach the other end.",
    subjects: 'passingProxies',
  },
  body: {
    level: 'convention',
    source,
    text: 'A body passes unchanged in both directions.',
    subjects: 'passingProxies',
  },
  status: {
    level: 'convention',
    source,
    text: 'The status of the other end passes, an error too.',
    subjects: 'passingProxies',
  },
  streaming: {
    level: 'convention',
    source,
    text: 'Parts of an answer come as the other end sends them.',
    subjects: 'passingProxies',
  },
  upgrade: {
    level: 'convention',
    source,
    text: 'An upgrade to another protocol passes.',
    subjects: 'passingProxies',
  },
  redirect: {
    level: 'convention',
    source,
    text: 'A redirect of the other end comes back and is not followed.',
    subjects: 'passingProxies',
  },
  // Where to
  'service-port-name': {
    level: 'convention',
    source: ['Connect and proxy operations/service proxy'],
    text: 'A Service is reached by the name of a port: name:port.',
    subjects: 'servicePlaces',
  },
  'service-port-number': {
    level: 'convention',
    source: ['Connect and proxy operations/service proxy'],
    text: 'A Service is reached by the number of a port: name:port.',
    subjects: 'servicePlaces',
  },
  'service-scheme': {
    level: 'convention',
    source: ['Connect and proxy operations/service proxy'],
    text: 'A Service is reached over TLS by a scheme in front: https:name:port.',
    subjects: 'servicePlaces',
  },
  'service-malformed': {
    level: 'convention',
    source: ['Connect and proxy operations/service proxy', 'Errors/1'],
    text: 'A name of a Service with too many parts is a client error.',
    subjects: 'servicePlaces',
  },
  'pod-port': {
    level: 'convention',
    source: ['Connect and proxy operations/pod proxy'],
    text: 'A Pod is reached at a port of choice: name:port.',
    subjects: 'podPlaces',
  },
  'no-endpoints': {
    level: 'convention',
    source: ['Connect and proxy operations/service proxy', 'Errors/1'],
    text: 'A Service without endpoints is 503.',
    subjects: 'servicePlaces',
  },
  absent: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'An absent Pod, Service or node is 404.',
    subjects: 'absentProxies',
  },
  dead: {
    level: 'convention',
    source: [...source, 'Limits/4'],
    text: 'An other end that refuses the connection is an error of the server in bounded time.',
    subjects: 'podPlaces',
  },
  'own-addresses': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: "A Pod address that is the server's own loopback or link-local is refused.",
    subjects: 'podPlaces',
  },
} as const satisfies Chapter;
