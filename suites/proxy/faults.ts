// Servers that break the proxies to pods, Services and nodes.
import { gunzipSync } from 'node:zlib';
import { type Broken, fault, faultsOf, type WireReply } from '../testing/faults/wire/fault.js';
import { change, keepFirst, replacing } from '../testing/faults/wire/objects.js';
import { anyStatus, replace, replies, shownText, status } from '../testing/faults/wire/replies.js';
import {
  answer,
  editedJson,
  every,
  headed,
  header,
  instead,
  ok,
  refuse,
  reroute,
  sent,
  sentText,
  withHeader,
} from '../testing/faults/wire/requests.js';

const pods = 'GET /api/v1/namespaces/{namespace}/pods/{name}/proxy';
const services = pods.replace('/pods/', '/services/');
const nodes = 'GET /api/v1/nodes/{name}/proxy';
const pod = `${pods}/{path}`;
const service = `${services}/{path}`;
const legacy = (path: string): string => path.replace('/api/v1/', '/api/v1/proxy/').replace(/\/proxy$/, '');

const proxies = /\/proxy\b/;
const leads = (from: string, to: string) => reroute(proxies, from, to);
/** Adds a header of the client to the headers that the backend reports. */
const passesOn = (name: string): Broken =>
  replies(every, anyStatus, ({ body }, { headers }) => {
    const add = change('headers', (all) => (Array.isArray(all) ? [...all, [name, headers[name] ?? '']] : all));
    return { body: editedJson(body, add) };
  });

/** Returns the kind of a path, which is the name of its requirement. */
const kindOf = (path: string): string => /\/(pod|service|node)s\//.exec(path)?.[1] ?? '';

/** Answers a GET with the response to an earlier one of the same path. */
function caches(): Broken {
  const known = new Map<string, WireReply>();
  return replace(['GET', proxies], 200, (reply, { path }) => {
    const kept = known.get(path) ?? reply;
    known.set(path, kept);
    return kept;
  });
}

export const faults = faultsOf(`proxy › ${pod}`, [
  fault('reaches no pod', `pod › ${pods}`, [refuse(proxies, 404)]),
  fault('reaches no Service', `service › ${services}`, [refuse(proxies, 404)]),
  fault('reaches no node', `node › ${nodes}`, [refuse(proxies, 404)]),
  fault('reaches no pod by the legacy path', `legacy-pod › ${legacy(pods)}`, [refuse(proxies, 404)]),
  fault('reaches no Service by the legacy path', `legacy-service › ${legacy(services)}`, [refuse(proxies, 404)]),
  fault('reaches no node by the legacy path', `legacy-node › ${legacy(nodes)}`, [refuse(proxies, 404)]),
  fault('knows Pods by their names alone', `pod › ${pods}`, [reroute(proxies, /-other(?=\/pods\/)/, '-main')]),
  fault('knows Services by their names alone', `service › ${services}`, [reroute(proxies, /-other(?=\/services\/)/, '-main')]),
  fault('loses the path of a proxy', 'path', [leads('/one/two', '/')]),
  fault('knows no path that is a slash', 'path', [refuse(/\/proxy\/(\?|$)/, 404)]),
  fault('reaches nothing by a long path', 'path', [refuse([proxies, /\/deep\//], 414)]),
  fault('cuts a long path', 'path', [reroute(proxies, /(\/(?:deep\/){200}).*/, '$1')]),
  fault('lets the query say the path', 'path-query', [leads('/one?path=two', '/two?path=two')]),
  fault('does not know the path parameter', `path-parameter › ${pods}`, [leads('path=two/three', '')]),
  ...[pods, services, nodes].map((each) => fault(`answers a GET from a cache, ${each}`, `${kindOf(each)} › ${each}`, [caches()])),
  fault('sends the body of a PUT to no pod', `pod › ${pods.replace('GET', 'PUT')}`, [sentText(['PUT', proxies], () => '')]),
  fault('sends the body of a POST to no Service', `service › ${services.replace('GET', 'POST')}`, [sentText(['POST', proxies], () => '')]),
  fault('loses a body that comes in chunks', 'body', [sentText([proxies, ({ isChunked }) => isChunked], () => '')]),
  fault('passes on the first chunk of a body', 'body', [sentText([proxies, ({ isChunked }) => isChunked], (body) => body.slice(0, 8_192))]),
  fault('takes no more through a proxy than of an object', 'body', [refuse([proxies, ({ body }) => body.length > 3 * 1024 * 1024], 413)]),
  fault('loses the body of a DELETE', 'body', [sentText(['DELETE', proxies], () => '')]),
  fault('reads a plus sign in the query of a proxy as a blank', 'query', [leads('plus=a+b', 'plus=a%20b')]),
  fault('decodes the query of a proxy', 'query', [leads('%2Bb%26c', '+b&c')]),
  fault('drops parameters without a value', 'query', [leads('&empty=', '')]),
  fault('keeps the last of several parameters of one name', 'query', [leads('x=1&x=2&', '')]),
  fault('sets one of two cookies', 'cookies', [
    replies(every, anyStatus, ({ headers }) => ({
      headers: { ...headers, 'set-cookie': headers['set-cookie']?.split('\n').at(-1) ?? '' },
    })),
  ]),
  fault('joins the cookies that it sets', 'cookies', [
    replies(every, anyStatus, ({ headers }) => ({
      headers: { ...headers, 'set-cookie': headers['set-cookie']?.replace('\n', ', ') ?? '' },
    })),
  ]),
  fault('adds a cookie of a load balancer', ' in proxy.cookies', [
    replies(every, anyStatus, ({ headers }) => ({
      headers: { ...headers, 'set-cookie': ['balancer=1; Path=/', headers['set-cookie']].filter(Boolean).join('\n') },
    })),
  ]),
  fault('joins the cookies of its client by a comma', 'cookies', [
    instead(every, (request) => headed(request, 'cookie', request.headers.cookie?.replace('; ', ', '))),
  ]),
  fault('passes on what Connection names', 'hop-by-hop-named', [passesOn('x-conformance-hop')]),
  fault('makes text of the bytes of an answer', 'answer', [shownText(/\/bytes\//, replacing(/\u00e0/g, '?'))]),
  fault('drops the charset of an answer', 'answer', [
    replies(proxies, 200, ({ headers }) => ({
      headers: { ...headers, 'content-type': headers['content-type']?.replace(/;.*/, '') ?? '' },
    })),
  ]),
  fault('decompresses an answer and says that it has not', 'answer', [
    replies(/encoding=gzip/, 200, ({ bytes, body }) => ({ bytes: gunzipSync(bytes ?? Buffer.from(body, 'latin1')) })),
  ]),
  fault('decodes the path of a proxy twice', 'path-kept', [leads('%2520', '%20')]),
  fault('decodes the path of a proxy', 'path-kept', [leads('%2F', '/')]),
  fault('reads a plus sign in the path of a proxy as a blank', 'path-kept', [leads('i+j', 'i%20j')]),
  fault('cuts a part of the path of a proxy at a semicolon', 'path-kept', [leads(';l=m', '')]),
  fault('loses what is beyond ASCII in the path of a proxy', 'path-kept', [leads('@o/%C3%A9', '@o/')]),
  fault('keeps the parameters of a proxy that it knows itself', 'query', [leads('&pretty=true', '')]),
  fault('cuts a long query of a proxy', 'query', [reroute(proxies, /(long=x{1000})x*/, '$1')]),
  fault('loses a parameter of a proxy', 'query', [leads('x=2&', '')]),
  fault('drops a header that it does not know', 'headers', [header(every, 'x-conformance', undefined)]),
  fault('drops the headers of a write that it does not know', 'headers', [header(['PUT', proxies], 'x-conformance', undefined)]),
  fault('drops what an answer may be cached by', 'headers', [
    replies(proxies, anyStatus, ({ headers: { etag: _, ...headers } }) => ({ headers })),
  ]),
  fault('drops how the other end authenticates', 'headers', [
    replies(proxies, anyStatus, ({ headers: { 'www-authenticate': _, ...headers } }) => ({ headers })),
  ]),
  ...['content-disposition', 'retry-after'].map((name) =>
    fault(`drops the header ${name} of an answer`, 'headers', [
      replies(proxies, anyStatus, ({ headers: { [name]: _, ...headers } }) => ({ headers })),
    ]),
  ),
  fault('drops where a request comes from', 'headers', [header(proxies, 'origin', undefined)]),
  fault('asks for the whole of what is wanted in part', 'headers', [header(proxies, 'range', undefined)]),
  fault('says that it is the client itself', 'headers', [header(proxies, 'user-agent', 'proxy/1')]),
  fault('drops the condition of a request', 'headers', [header(proxies, 'if-none-match', undefined)]),
  fault('drops what the client accepts', 'any-type', [header(every, 'accept', undefined)]),
  fault('drops the type of a PUT', 'any-type', [header(['PUT', proxies], 'content-type', undefined)]),
  fault('passes a header of one hop on', 'hop-by-hop', [passesOn('te')]),
  fault('passes the credentials of its client on', 'credentials', [passesOn('authorization')]),
  fault('cuts the body of a proxy', 'body', [sentText(proxies, (body) => body.slice(0, 1_000))]),
  fault('answers 200 for what the other end answers', 'status', [status(every, 418, 200)]),
  ...[202, 206].map((code) => fault(`answers 200 for the ${code} of the other end`, 'status', [status(proxies, code, 200)])),
  ...[400, 403, 409, 422, 429, 502, 504].map((code) =>
    fault(`answers 500 for the ${code} of the other end`, 'status', [replies([proxies, /\/status\//], code, () => ({ status: 500 }))]),
  ),
  fault('answers 200 where the other end has created', 'status', [status(proxies, 201, 200)]),
  fault('answers 200 where the other end has no content', 'status', [status(proxies, 204, 200)]),
  fault('answers 200 where nothing has changed at the other end', 'status', [status(proxies, 304, 200)]),
  fault('takes a 401 of the other end for a failure', 'status', [status(proxies, 401, 502)]),
  fault('sends a HEAD as a GET', 'other-methods', [instead(['HEAD', proxies], () => ({ method: 'GET' }))]),
  fault('answers a HEAD with headers of its own', 'other-methods', [
    replies(['HEAD', proxies], 200, ({ headers }) => ({ headers: { 'x-served-method': headers['x-served-method'] ?? '' } })),
  ]),
  fault('answers OPTIONS itself', 'other-methods', [answer(['OPTIONS', proxies], ok())]),
  fault('sends a PATCH as a POST', 'other-methods', [instead(['PATCH', proxies], () => ({ method: 'POST' }))]),
  fault('loses the body of a PATCH', 'other-methods', [sentText(['PATCH', proxies], () => '')]),
  fault('proxies no PATCH, as servers before 1.8', ' in proxy.other-methods', [refuse(['PATCH', proxies], 405)]),
  fault('answers for itself where the other end fails', 'status', [replace(proxies, (code) => code >= 500, 503)]),
  fault('says nothing of an answer until its end', 'streaming', [leads('chunks/2', 'slow/2')]),
  fault('hides where a redirect leads', 'redirect', [replies(every, 302, () => ({ headers: {} }))]),
  fault('leaves a redirect to a path of the backend as it is', 'redirect', [
    replies(every, 302, ({ headers }) => ({
      headers: { ...headers, location: headers.location?.replace(/^.*(?=\/elsewhere)/, '') ?? '' },
    })),
  ]),
  fault('leads every redirect through itself', 'redirect', [
    replies(proxies, 302, ({ headers: { location = '', ...headers } }, { path }) => ({
      headers: { ...headers, location: location.replace(/^https:\/\/[^/]*/, path.replace(/(?<=proxy)\/.*/, '')) },
    })),
  ]),
  ...[301, 303, 308].map((code) => fault(`answers 302 for a ${code}`, 'redirect', [status(proxies, code, 302)])),
  fault('answers 302 for every redirect', 'redirect', [status(proxies, 307, 302)]),
  fault('passes no subprotocol on', 'upgrade', [header(proxies, 'sec-websocket-protocol', undefined)]),
  fault('upgrades nothing through a proxy', 'upgrade', [refuse(/\/socket\//, 400)]),
  fault('upgrades at another path', 'upgrade', [leads('/socket/seen', '/socket/seen/there')]),
  ...['cookie', 'x-conformance'].map((name) =>
    fault(`loses the header ${name} of an upgrade`, 'upgrade', [header([proxies, withHeader('upgrade', /websocket/i)], name, undefined)]),
  ),
  fault('knows no ports by name', `service-port-name › ${service}`, [leads(':http/', ':nothing/')]),
  fault('knows the first subset of endpoints alone', `service-port-name › ${service}`, [sent('POST Endpoints', keepFirst('subsets'))]),
  fault('takes endpoints that are not ready', `no-endpoints › ${service}`, [
    sentText(['POST', /\/endpoints$/], replacing(/notReadyAddresses/, 'addresses')),
  ]),
  fault('knows no ports by number', `service-port-number › ${service}`, [leads(':80/', ':81/')]),
  fault('speaks no TLS to a Service', `service-scheme › ${service}`, [leads('/https:', '/http:')]),
  fault('takes a scheme without TLS for malformed', `service-scheme › ${service}`, [refuse(/\/services\/http:[^:/]+:[^:/]/, 400)]),
  fault('takes the scheme of a Pod without TLS for malformed', 'pod-port', [refuse(/\/pods\/http:/, 400)]),
  fault('wants a port behind the scheme of a Service', `service-scheme › ${service}`, [refuse(/\/services\/http:[^:/]+:\//, 400)]),
  fault('answers 500 for a name with too many parts', `service-malformed › ${service}`, [refuse(proxies, 500)]),
  fault('reaches one port of a pod only', 'pod-port', [leads(':8081', ':8082')]),
  fault('speaks no TLS to a pod', 'pod-port', [leads('/https:', '/http:')]),
  fault('answers 404 for a Service without endpoints', `no-endpoints › ${service}`, [refuse(proxies, 404)]),
  fault('answers 500 for a pod that is absent', 'absent', [refuse(proxies, 500)]),
  fault('answers 404 for a port that nobody listens on', 'dead', [refuse(proxies, 404)]),
  fault('dials its own addresses', 'own-addresses', [refuse(proxies, 500)]),
]);
