// Checks that a target responds with the requested scheme, and advises the user if not.
import { get } from 'node:http';
import { connect, type TLSSocket } from 'node:tls';
import { firstLine } from '../../../reports/safeText.js';
import { addressOf, type Client, NoAnswer, named, type Reply } from '../../../suites/index.js';
import type { Target } from '../../../suites/requirements/index.js';
import { UsageError } from '../../errors.js';
import { cameIn } from './cameIn.js';

/** A response to `/version`, or to `/api/v1` if that is absent, and its times as in `Date.now()`. */
export interface Reached {
  readonly reply: Reply;
  readonly sent: number;
  readonly received: number;
}

/** The time limits of a request, and of a check for the other scheme or of the user's patience, in milliseconds. */
const timeout = 10_000;
const shortTimeout = 3_000;

/** Throws UsageError if the target does not respond or is not an API server. */
export async function reach(client: Client): Promise<Reached> {
  const { url } = client.target;
  const reached = await ask(client, '/version');
  const { status, headers } = reached.reply;
  if (url.startsWith('http:') && status === 400 && (await speaksTls(url))) throw otherScheme(url);
  if (status >= 300 && status < 400)
    throw new UsageError(
      `${url} redirects (${status}) to ${headers.location ?? 'nowhere'}: give the URL of the server itself`,
    );
  if (status >= 500)
    throw new UsageError(
      `${url} responds with ${cameIn(client, reached.reply)} to GET /version: wait until it is ready`,
    );
  if (isOfApiServer(reached.reply)) return reached;
  const others: Reply[] = [];
  for (const path of ['/api/v1', '/apis', '/api', '/api/v1/namespaces?limit=1']) {
    const other = await ask(client, path);
    if (isOfApiServer(other.reply)) return other;
    others.push(other.reply);
  }
  throw unreadable(client, [reached.reply, ...others]);
}

/** Reports whether a response can be that of an API server: other web servers return no version and no kind. */
function isOfApiServer(reply: Reply): boolean {
  if (reply.status !== 200) return reply.status !== 404;
  const { gitVersion, major, kind } = (reply.tryValue() ?? {}) as Readonly<Record<string, unknown>>;
  return [gitVersion, major, kind].some((value) => typeof value === 'string');
}

/** Returns the error for a target without a response that can be read, with what came instead. */
function unreadable(client: Client, replies: readonly Reply[]): UsageError {
  const { url } = client.target;
  const served = replies.filter(({ status }) => status !== 404);
  const [first = replies[0] as Reply] = served;
  const came = `${first.request} returned ${cameIn(client, first)}`;
  const encoding = first.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    return new UsageError(
      `${url} compresses its responses (${encoding}) although the request has no Accept-Encoding: ${came}; clients that did not ask for it cannot read that`,
    );
  const isDecoded = first.tryValue() !== undefined;
  if (served.length > 0 && !isDecoded && isJson(first))
    return new UsageError(
      `${url} sends JSON with a wrong Content-Type: ${came}; clients decode a response by its Content-Type, so none can read this: send application/json`,
    );
  const wrong = isDecoded ? 'its responses have neither a version nor a kind' : 'its responses are not JSON';
  const what = served.length === 0 ? 'it serves neither /version nor /api/v1' : wrong;
  return new UsageError(`${url} is not an API server: ${what} (${came}); give the URL that comes before these paths`);
}

function isJson({ bytes }: Reply): boolean {
  try {
    return typeof JSON.parse(bytes.toString('utf8')) === 'object';
  } catch {
    return false;
  }
}

/** Sends a request, and says after a while that no response has come yet. */
export async function askPatiently(client: Client, path: string): Promise<Reply> {
  const tell = (): boolean => process.stderr.write(`waiting for ${client.target.url} to answer GET ${path}\n`);
  const timer = setTimeout(tell, shortTimeout);
  try {
    return await client.send({ method: 'GET', path, deadline: timeout });
  } finally {
    clearTimeout(timer);
  }
}

async function ask(client: Client, path: string): Promise<Reached> {
  const { url } = client.target;
  const sent = Date.now();
  try {
    const reply = await askPatiently(client, path);
    return { reply, sent, received: Date.now() };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    const { route = {} } = client.target;
    if (route.relay === undefined && (await (url.startsWith('https:') ? speaksPlainly(url) : speaksTls(url))))
      throw otherScheme(url);
    const why = error.message.replace(/^.*?no answer: /, '');
    const [pattern, usual] = advices.find(([pattern]) => pattern.test(why)) ?? [];
    const advice = pattern === unknownAuthority ? ((await wrongAuthority(client.target)) ?? usual) : usual;
    throw new UsageError(`${url} does not respond (${why}); ${advice ?? 'is it running, and is the address correct?'}`);
  }
}

function otherScheme(url: string): UsageError {
  const [is, other] = url.startsWith('https:') ? ['plain HTTP', 'http'] : ['HTTPS', 'https'];
  return new UsageError(`${url} speaks ${is}: give --url ${url.replace(/^https?/, other)}`);
}

const unknownAuthority = /SELF_SIGNED|self.signed|UNABLE_TO|unable to (verify|get)|issuer/i;

/** Returns what is wrong with the authority that was given, and who signed; undefined if none was given. */
async function wrongAuthority({ url, ca, caFrom = 'the target', route = {} }: Target): Promise<string | undefined> {
  if (ca === undefined || route.relay !== undefined) return undefined;
  const issuer = firstLine((await issuerOf(url)) ?? '', 120);
  const who = issuer === '' ? '' : ` (issuer ${issuer})`;
  return `the CA in ${caFrom} did not sign the server's certificate${who}: give the CA that did`;
}

/** Returns the name of who signed the certificate of the server; undefined if it shows none. */
function issuerOf(url: string): Promise<string | undefined> {
  return handshake(url, (socket) => {
    const { issuer } = socket.getPeerCertificate();
    return (issuer?.CN ?? issuer?.O)?.toString();
  });
}

/** The advice for each reason; the first match counts. */
const advices: readonly (readonly [RegExp, string])[] = [
  [/CERT_HAS_EXPIRED/, 'its certificate has expired, or the clock of this machine is wrong: renew the certificate'],
  [/CERT_NOT_YET_VALID/, 'its certificate is not valid yet: check both clocks, or wait'],
  [
    /ALTNAME|altnames|Hostname/,
    'its certificate is for other names: use one of them in --url or --tls-server-name, or issue a new certificate',
  ],
  [
    unknownAuthority,
    'its certificate is signed by an unknown authority: give its CA with --ca FILE, or use --insecure',
  ],
  [
    /ALERT_CERTIFICATE_REQUIRED|certificate required/i,
    'it requires a client certificate: add --client-certificate and --client-key',
  ],
  [/alert|ALERT/, 'it refuses the TLS handshake: does it trust the client certificate?'],
  [/ENOTFOUND|EAI_AGAIN/, 'the host name cannot be resolved: is it spelled correctly?'],
  [/ECONNREFUSED/, 'nothing listens there: is the server running, and is the port correct?'],
  [/HPE_|match the HTTP|Parse Error/i, 'what responds there is not an HTTP server: is the port correct?'],
  [
    /nothing came|not complete|TIMEOUT/i,
    'it accepts connections and sends no response: is it running, and is the address correct?',
  ],
];

/** Reports whether the server speaks plain HTTP. */
function speaksPlainly(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url.replace(/^https/, 'http'), { timeout: shortTimeout, agent: false });
    request.once('response', (response) => {
      // An HTTPS server responds with 400 to plain HTTP.
      resolve(response.statusCode !== 400);
      response.destroy();
    });
    request.once('timeout', () => request.destroy(new Error('silence')));
    request.once('error', () => resolve(false));
  });
}

/** Reports whether a TLS handshake succeeds. */
const speaksTls = async (url: string): Promise<boolean> => (await handshake(url, () => true)) === true;

/** Makes a TLS connection, and returns what it shows; undefined if there is none. Sends no data. */
function handshake<T>(url: string, look: (socket: TLSSocket) => T): Promise<T | undefined> {
  const address = addressOf(new URL(url));
  return new Promise((resolve) => {
    const socket = connect({
      ...address,
      ...named(address.host),
      // The check sends no data, so nobody needs to be trusted.
      rejectUnauthorized: false,
    });
    const end = (found: T | undefined): void => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(shortTimeout, () => end(undefined));
    socket.once('secureConnect', () => end(look(socket)));
    socket.once('error', () => end(undefined));
  });
}
