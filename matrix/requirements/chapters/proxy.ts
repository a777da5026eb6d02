// Proxy: HTTP through the server to a pod, a service or a node.
import type { Chapter } from '../types.js';

const source = ['Connect and proxy operations/any'] as const;

export const proxy = {
  pod: {
    level: 'stated',
    source: ['Connect and proxy operations/pod proxy', 'What the service does/2'],
    text: 'GET, PUT, DELETE and POST reach the Pod, and its response is returned.',
    words: 'GET, PUT, DELETE, POST | {ns}/proxy and {ns}/proxy/{path}',
    subjects: 'podProxies',
  },
  service: {
    level: 'stated',
    source: ['Connect and proxy operations/service proxy', 'What the service does/2'],
    text: 'GET, PUT, DELETE and POST reach an endpoint of the Service, and its response is returned.',
    words: '/api/v1/namespaces/{namespace}/services/{name}/proxy and .../proxy/{path} with GET, PUT, DELETE, POST',
    subjects: 'serviceProxies',
  },
  node: {
    level: 'stated',
    source: ['Connect and proxy operations/node proxy', 'What the service does/2'],
    text: 'GET, PUT, DELETE and POST reach the node, and its response is returned.',
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
    text: 'The part of the path after proxy is the path of the proxied request.',
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
    text: 'A path parameter in the query is accepted, and the path of the URL takes precedence.',
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
    text: 'Where nothing follows proxy in the path, the path parameter in the query is the path of the proxied request.',
    words: 'path (string, URL path for the proxied request)',
    subjects: 'bareProxies',
  },
  answer: {
    level: 'stated',
    source: [...source, 'Conventions/4 connect'],
    text: 'A response of any type is returned unchanged: text, other bytes, nothing, megabytes.',
    words: 'request/response media type any',
    subjects: 'answeredProxies',
  },
  'any-type': {
    level: 'stated',
    source: [...source, 'Conventions/4 connect'],
    text: 'Any media type is passed on, in the request and in the response.',
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
  // Content
  'path-kept': {
    level: 'convention',
    source: [...source, 'Parameters/path'],
    text: 'Encoded characters, double slashes and a trailing slash of the path are passed on unchanged.',
    subjects: 'passingProxies',
  },
  query: {
    level: 'convention',
    source,
    text: 'The query is passed on unchanged.',
    subjects: 'passingProxies',
  },
  headers: {
    level: 'convention',
    source,
    text: 'Headers are passed on in both directions.',
    subjects: 'passingProxies',
  },
  'hop-by-hop': {
    level: 'convention',
    source,
    text: 'Headers that apply to one hop, such as TE and Proxy-Connection, are not passed on.',
    subjects: 'passingProxies',
  },
  credentials: {
    level: 'convention',
    source: [...source, 'General rules/3'],
    text: "The caller's credentials are not passed on.",
    subjects: 'passingProxies',
  },
  body: {
    level: 'convention',
    source,
    text: 'A body is passed on unchanged in both directions.',
    subjects: 'passingProxies',
  },
  status: {
    level: 'convention',
    source,
    text: 'The status of the proxied response is returned, an error too.',
    subjects: 'passingProxies',
  },
  streaming: {
    level: 'convention',
    source,
    text: 'Parts of a response are returned as they arrive.',
    subjects: 'passingProxies',
  },
  upgrade: {
    level: 'convention',
    source,
    text: 'An upgrade to another protocol is passed on.',
    subjects: 'passingProxies',
  },
  redirect: {
    level: 'convention',
    source,
    text: 'A redirect is returned to the client and is not followed.',
    subjects: 'passingProxies',
  },
  // Destinations
  'service-port-name': {
    level: 'convention',
    source: ['Connect and proxy operations/service proxy'],
    text: 'A Service can be reached at a named port, as name:port.',
    subjects: 'servicePlaces',
  },
  'service-port-number': {
    level: 'convention',
    source: ['Connect and proxy operations/service proxy'],
    text: 'A Service can be reached at a numbered port, as name:port.',
    subjects: 'servicePlaces',
  },
  'service-scheme': {
    level: 'convention',
    source: ['Connect and proxy operations/service proxy'],
    text: 'A Service can be reached over TLS with a scheme in front, as https:name:port.',
    subjects: 'servicePlaces',
  },
  'service-malformed': {
    level: 'convention',
    source: ['Connect and proxy operations/service proxy', 'Errors/1'],
    text: 'A name of a Service with too many parts is refused with a client error.',
    subjects: 'servicePlaces',
  },
  'pod-port': {
    level: 'convention',
    source: ['Connect and proxy operations/pod proxy'],
    text: 'A Pod can be reached at a chosen port, as name:port.',
    subjects: 'podPlaces',
  },
  'no-endpoints': {
    level: 'convention',
    source: ['Connect and proxy operations/service proxy', 'Errors/1'],
    text: 'A request to a Service without endpoints is refused with 503.',
    subjects: 'servicePlaces',
  },
  absent: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A request to an absent Pod, Service or node is refused with 404.',
    subjects: 'absentProxies',
  },
  dead: {
    level: 'convention',
    source: [...source, 'Limits/4'],
    text: 'A proxied connection that is refused gives a server error in bounded time.',
    subjects: 'podPlaces',
  },
  'own-addresses': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A request to a Pod whose address is a loopback or link-local address of the server is refused.',
    subjects: 'podPlaces',
  },
} as const satisfies Chapter;
