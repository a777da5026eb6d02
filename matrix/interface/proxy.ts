// Section 15 of the interface: proxies.
import type { Section } from './types.js';

export const proxy = {
  number: 15,
  title: 'Proxies',
  introduction: 'A proxy path passes an HTTP request to a Pod, a Service or a node and passes the response back.',
  rules: [
    {
      number: '15.1',
      title: 'Proxy of a Pod',
      text:
        'GET, PUT, DELETE and POST of `…/pods/{name}/proxy` and `…/pods/{name}/proxy/{path}` must reach the Pod. ' +
        'The query parameter `path`, a string, must be accepted: it is the path of the proxied request where no ' +
        'path follows `proxy`, and otherwise the path of the URL takes precedence. `name:port` should choose a ' +
        'port.',
      why: 'Dashboards of a Pod are reachable without a route into the cluster network.',
      sources: ['Connect and proxy operations/pod proxy'],
    },
    {
      number: '15.2',
      title: 'Proxy of a Service',
      text:
        'GET, PUT, DELETE and POST of `…/services/{name}/proxy` and `…/services/{name}/proxy/{path}` must reach an ' +
        'endpoint of the Service. The query parameter `path` stands for the rest of the URL after the Service: an ' +
        'endpoint, a path and parameters. `name:port`, with the name or the number of a port, and `https:name:port` ' +
        'should choose port and scheme. A Service without endpoints should be refused with 503.',
      why: 'Tools call services in the cluster through the API server.',
      sources: ['Connect and proxy operations/service proxy'],
    },
    {
      number: '15.3',
      title: 'Proxy of a node',
      text:
        'GET, PUT, DELETE and POST of `/api/v1/nodes/{name}/proxy` and `/api/v1/nodes/{name}/proxy/{path}` must ' +
        'reach the agent of the node. The query parameter `path` has the meaning of rule 15.1.',
      why: 'Monitoring reads the metrics of each node this way.',
      sources: ['Connect and proxy operations/node proxy'],
    },
    {
      number: '15.4',
      title: 'The path after proxy',
      text:
        '`{path}` is required in the paths that have it. What follows `proxy/` must be the path of the proxied ' +
        'request. Encoded characters, double slashes and a trailing slash should pass unchanged.',
      why: 'A web application behind the proxy finds its own links only when paths are kept.',
      sources: ['Parameters/path'],
    },
    {
      number: '15.5',
      title: 'Requests and responses pass unchanged',
      text:
        'A proxy must accept any media type, and must return the response unchanged: its bytes, whatever their type ' +
        'and size. The query, the headers, the body and the status should be passed on unchanged in both ' +
        'directions, without the headers that apply to one hop. Parts of a response should be returned as they ' +
        'arrive, an upgrade to another protocol should be passed on, and a redirect should not be followed.',
      why: 'A proxy that rewrites breaks the application behind it.',
      sources: [],
    },
    {
      number: '15.6',
      title: 'Limits of a proxy',
      text:
        'The credentials of the caller should not be passed on. A request for an absent object should be refused ' +
        'with 404, and a refused connection should give an error in bounded time. A Pod address that is a loopback ' +
        'or link-local address of the server itself should be refused.',
      why: "A proxy that lends its caller the server's own network position is a security hole.",
      sources: [],
    },
    {
      number: '15.7',
      title: 'Legacy proxy paths',
      text:
        '`/api/v1/proxy/namespaces/{namespace}/pods/{name}`, `/api/v1/proxy/namespaces/{namespace}/services/{name}` ' +
        'and `/api/v1/proxy/nodes/{name}`, each with and without `/{path}` after it, must reach the Pod, the ' +
        'Service or the node by GET, PUT, DELETE and POST. They declare no query parameters and no body.',
      why: 'Older dashboards and scripts have these paths built in.',
      sources: [
        'Connect and proxy operations/legacy proxy',
        'Connect and proxy operations/legacy proxy pods',
        'Connect and proxy operations/legacy proxy services',
        'Connect and proxy operations/legacy proxy nodes',
      ],
    },
  ],
} as const satisfies Section;
