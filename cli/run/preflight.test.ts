// Tests the messages of a run before its first case, with small servers that have one fault each.
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createRawServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Client } from '../../suites/index.js';
import type { Target } from '../../suites/requirements/index.js';
import { bareTarget } from '../../suites/testing/bareTarget.js';
import { type Issued, issueCertificate, makeServerCertificates } from '../../test-certs/index.js';
import { preflight } from './preflight.js';

let ca: Issued;
let otherCa: Issued;
let identity: Issued;
const closing: (() => void)[] = [];

beforeAll(async () => {
  const made = await makeServerCertificates('127.0.0.1');
  ({ ca, server: identity } = made);
  otherCa = (await makeServerCertificates('127.0.0.1')).ca;
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
  vi.restoreAllMocks();
});

const version = { gitVersion: 'v1.99.0' };
const answering = (
  statusOf: (path: string, method: string) => number,
  headers: Record<string, string> = {},
  body: object = version,
) =>
  ((request, response) => {
    const status = statusOf(request.url ?? '', request.method ?? '');
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  }) satisfies RequestListener;
const fine = answering(() => 200);

async function listening(server: Server | ReturnType<typeof createRawServer>, scheme: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const secure = (shown: Issued = identity, listener: RequestListener = fine): Promise<string> =>
  listening(createSecureServer({ cert: shown.certificate, key: shown.key }, listener), 'https');
const plain = (listener: RequestListener = fine): Promise<string> => listening(createServer(listener), 'http');
const certificate = (days: number, names: readonly string[], notBefore?: Date): Promise<Issued> =>
  issueCertificate({
    subject: { commonName: 'server' },
    usage: 'server',
    issuer: ca,
    names,
    days,
    ...(notBefore && { notBefore }),
  });

const targetAt = (url: string, more: Partial<Target> = {}): Target =>
  bareTarget(url, { name: 'target', ca: ca.certificate, credentials: { staticToken: { token: 'a-token' } }, ...more });

/** Returns the error message of the preflight, or its result. */
async function sentence(url: string, more: Partial<Target> = {}, usesFixtures = false): Promise<string> {
  const client = new Client(targetAt(url, more));
  try {
    return JSON.stringify(await preflight(client, usesFixtures));
  } catch (error) {
    expect((error as Error).name).toBe('UsageError');
    return (error as Error).message;
  } finally {
    await client.close();
  }
}

const token = (exp: number): string => `e30.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.e30`;

describe('the preflight', () => {
  it('finds the version of a good server', async () => {
    expect(await sentence(await secure())).toBe('{"serverVersion":"v1.99.0"}');
  });

  const year = 365 * 86_400_000;
  it.each<readonly [string, () => Promise<string>, RegExp]>([
    ['nobody listens', async () => sentence('https://127.0.0.1:1'), /nothing listens there: is the server running/],
    [
      'the host is unknown',
      async () => sentence('https://no-such-host.invalid'),
      /does not respond .*host name cannot be resolved/,
    ],
    [
      'another authority is given',
      async () => sentence(await secure(), { ca: otherCa.certificate, caFrom: 'other.pem' }),
      /the CA in other\.pem did not sign the server's certificate \(issuer [^)]+\): give the CA that did$/,
    ],
    [
      'no authority is given',
      async () => {
        const { ca: _, ...none } = targetAt(await secure());
        return sentence(none.url, { ...none, ca: undefined } as unknown as Partial<Target>);
      },
      /give its CA with --ca FILE/,
    ],
    [
      'the authority is empty',
      async () => sentence(await secure(), { ca: '\n', caFrom: 'empty.pem' }),
      /^empty\.pem: it is empty: give a certificate in PEM$/,
    ],
    [
      'the authority of a kubeconfig is no certificate',
      async () => sentence(await secure(), { ca: 'hello', caFrom: 'config: certificate-authority-data' }),
      /^config: certificate-authority-data: not a certificate: give the CA of the server in PEM$/,
    ],
    [
      'the authority of the server of namespaces is no certificate',
      async () => sentence(await secure(), { namespaceServer: { url: 'https://127.0.0.1:1', ca: 'hello' } }),
      /^the CA of the namespace server: not a certificate: give the CA of the server in PEM$/,
    ],
    [
      'the certificate has ended',
      async () => sentence(await secure(await certificate(-1, ['IP:127.0.0.1']))),
      /has expired, or the clock of this machine is wrong: renew/,
    ],
    [
      'the certificate is not valid yet',
      async () => sentence(await secure(await certificate(800, ['IP:127.0.0.1'], new Date(Date.now() + year)))),
      /not valid yet: check both clocks/,
    ],
    [
      'the certificate is for another name',
      async () => sentence(await secure(await certificate(1, ['DNS:other.example']))),
      /for other names: use one of them in --url/,
    ],
    [
      'it speaks plain HTTP',
      async () => sentence((await plain()).replace('http:', 'https:')),
      /speaks plain HTTP: give --url http:\/\/127/,
    ],
    [
      'it speaks HTTPS',
      async () => sentence((await secure()).replace('https:', 'http:')),
      /speaks HTTPS: give --url https:\/\/127/,
    ],
    [
      'its certificate is no good, and who speaks plainly is told 400',
      async () => {
        const { port } = new URL(await secure());
        const front = createRawServer((client) => {
          client.on('error', () => undefined);
          client.once('data', (first: Buffer) => {
            if (first[0] !== 0x16) return client.end('HTTP/1.1 400 Bad Request\r\n\r\n');
            const far = connect(Number(port), '127.0.0.1').on('error', () => undefined);
            far.write(first);
            far.pipe(client).pipe(far);
          });
        });
        return sentence(await listening(front, 'https'), { ca: otherCa.certificate });
      },
      /the CA in the target did not sign the server's certificate/,
    ],
    [
      'it speaks no HTTP',
      async () =>
        sentence(
          await listening(
            createRawServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-x\r\n')),
            'http',
          ),
        ),
      /not an HTTP server: is the port correct/,
    ],
    [
      'the authority is none',
      async () => sentence(await plain(), { ca: 'nothing' }),
      /the CA of the target: not a certificate/,
    ],
    [
      'the key is of another certificate',
      async () =>
        sentence(await plain(), {
          credentials: { clientCertificate: { certificate: identity.certificate, key: ca.key } },
        }),
      /client key does not belong to the client certificate/,
    ],
    [
      'no credentials are accepted',
      async () => sentence(await plain(answering(() => 401))),
      /does not accept the credentials \(401 application\/json, .*v1\.99\.0.*\): give valid credentials/,
    ],
    [
      'a refusal repeats the token',
      async () =>
        sentence(await plain(answering(() => 401, {}, { message: 'bad token a-long-token-of-the-run' })), {
          credentials: { staticToken: { token: 'a-long-token-of-the-run' } },
        }),
      /\(401 application\/json, "bad token <redacted>"\)/,
    ],
    [
      'nothing was given',
      async () => sentence(await plain(answering(() => 401)), { credentials: {} }),
      /requires credentials \(401 application\/json, .*\): add --token, --token-file, --client-certificate/,
    ],
    [
      'only its version is for everybody',
      async () => sentence(await plain(answering((path) => (path === '/version' ? 200 : 401)))),
      /does not accept the credentials \(401 /,
    ],
    [
      'the token has ended',
      async () =>
        sentence(await plain(answering(() => 401)), { credentials: { staticToken: { token: token(1_000_000_000) } } }),
      /the token expired 2001-09-09T01:46:40.000Z; give a new one/,
    ],
    [
      'it is not an API server',
      async () => sentence(await plain(answering(() => 404))),
      /is not an API server: it serves neither \/version nor \/api\/v1 \(GET \/version returned 404 application\/json, /,
    ],
    [
      'it is some other web server',
      async () =>
        sentence(await plain((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'))),
      /is not an API server: its responses are not JSON \(GET \/version returned 200 text\/html, "?<html>/,
    ],
    [
      'all its bodies are said to be text',
      async () => sentence(await plain(answering(() => 200, { 'content-type': 'text/plain; charset=utf-8' }))),
      /sends JSON with a wrong Content-Type: GET \/version returned 200 text\/plain; charset=utf-8, .*v1\.99\.0.*: send application\/json/,
    ],
    [
      'its bodies have no type',
      async () => sentence(await plain((_, response) => response.writeHead(200).end('{"gitVersion":"v1"}'))),
      /sends JSON with a wrong Content-Type: GET \/version returned 200 without Content-Type, /,
    ],
    [
      'it compresses unasked',
      async () =>
        sentence(
          await plain((_, response) =>
            response
              .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
              .end(gzipSync(JSON.stringify(version))),
          ),
        ),
      /compresses its responses \(gzip\) .*: GET \/version returned 200 application\/json, \d+ bytes that are not text/,
    ],
    [
      'it sends truncated JSON',
      async () =>
        sentence(
          await plain((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":')),
        ),
      /is not an API server: its responses are not JSON \(GET \/version returned 200 application\/json, /,
    ],
    ...['[]', '{}', '"x"', 'null', '7', '[{"kind":"Pod"}]'].map((body): [string, () => Promise<string>, RegExp] => [
      `it answers everything with ${body}`,
      async () =>
        sentence(
          await plain((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body)),
        ),
      /is not an API server: its responses have neither a version nor a kind \(GET \/version returned 200 application\/json, /,
    ]),
    [
      'it is not ready',
      async () => sentence(await plain(answering(() => 503))),
      /responds with 503 application\/json, .* to GET \/version: wait until it is ready/,
    ],
    [
      'its only namespace is not there',
      async () =>
        sentence(await plain(answering((path) => (path.endsWith('/namespaces/mine') ? 404 : 200))), {
          only: { namespace: 'mine' },
        }),
      /^--namespace: http:\S+ has no namespace mine: create it first$/,
    ],
    [
      'it redirects',
      async () => sentence(await plain(answering(() => 302, { location: '/login' }))),
      /redirects \(302\) to \/login/,
    ],
    [
      'its clock is wrong and certificates are made for the run',
      async () =>
        sentence(await plain(answering(() => 200, { date: new Date(Date.now() - 7_200_000).toUTCString() })), {}, true),
      /clock of http.* is 7[12]\d\d s behind the clock of this machine: synchronize both; the target would refuse the certificates and tokens of this run/,
    ],
  ])('ends with one sentence if %s', async (_, said, expected) => {
    const text = await said();
    expect(text).toMatch(expected);
    expect(text).not.toContain('\n');
  });

  it.each([
    ['its version is opaque', '/version', {}],
    ['it serves only namespaces', '/api/v1/namespaces?limit=1', { kind: 'NamespaceList' }],
  ])('takes a server for one if %s', async (_, served, body) => {
    const discovery = { kind: 'APIResourceList' };
    const listener: RequestListener = ({ url }, response) => {
      const isServed = url === served || (served === '/version' && url === '/api/v1');
      response
        .writeHead(isServed ? 200 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(url === served ? body : discovery));
    };
    expect(await sentence(await plain(listener))).toBe('{}');
  });

  it('notes a wrong clock if no case depends on it, and continues', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const late = answering(() => 200, { date: new Date(Date.now() + 300_000).toUTCString() });
    expect(await sentence(await plain(late))).toContain('v1.99.0');
    expect(write).toHaveBeenCalledWith(
      expect.stringMatching(/^note: the clock of .* s ahead of the clock of this machine/),
    );
  });

  it('expects no namespace of a server without namespaces', async () => {
    const url = await plain(answering((path) => (path.startsWith('/api/v1/namespaces') ? 404 : 200)));
    expect(await sentence(url, { only: { namespace: 'mine' } })).toContain('v1.99.0');
  });

  it('says that it waits for a silent server', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const sockets: Socket[] = [];
    const url = await listening(
      createRawServer((socket) => sockets.push(socket)),
      'http',
    );
    const said = sentence(url);
    await expect.poll(() => write.mock.calls.flat()).toContain(`waiting for ${url} to answer GET /version\n`);
    for (const socket of sockets) socket.destroy();
    expect(await said).toMatch(/does not respond/);
  });

  it('offers the declared deviations of a known server, unless some are declared', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const url = await plain(answering(() => 200, {}, { gitVersion: 'v1.20.2' }));
    await sentence(url, { deviations: [{ requirement: 'responses.status', reason: 'known' }] });
    expect(write).not.toHaveBeenCalled();
    await sentence(url);
    expect(write).toHaveBeenCalledWith(
      expect.stringMatching(/^note: this is kube-apiserver 1.20 .*--target targets\/kube-apiserver-1.20.yaml/),
    );
  });
});
