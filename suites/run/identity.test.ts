// The identity of a client, seen on the reference server, and on servers that offer only one way to see it.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../client/client.js';
import type { Target } from '../requirements/index.js';
import { bareTarget } from '../testing/bareTarget.js';
import { type Running, startReferenceServer } from '../testing/referenceServer.js';
import { identify } from './identity.js';

const targetAt = (url: string, ca?: string): Target => bareTarget(url, ca === undefined ? {} : { ca });

describe('on the reference server', () => {
  let running: Running;
  let client: Client;
  beforeAll(async () => {
    running = await startReferenceServer();
    client = new Client(targetAt(running.url, running.ca));
  });
  afterAll(async () => {
    await client.close();
    await running.stop();
  });

  it('a user has name, uid, groups and extra', async () => {
    expect(await identify(client, { token: running.token }, 'abcdef')).toEqual({
      name: 'admin',
      uid: 'admin',
      groups: ['system:masters', 'system:authenticated'],
      extra: {},
      seenIn: 'SelfSubjectReview',
    });
  });

  it('a wrong token has no user', async () => {
    expect(await identify(client, { token: 'a-token-that-nobody-has' }, 'abcdef')).toBeUndefined();
  });
});

describe('on a server with one way to observe users', () => {
  let server: Server;
  let asked: string[] = [];
  afterEach(async () => {
    asked = [];
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  /** Returns a client of a server that responds to paths that contain a text; other paths get 404. */
  async function clientOf(answers: Readonly<Record<string, readonly [status: number, body: object]>>): Promise<Client> {
    const listener: RequestListener = ({ method, url = '' }, response) => {
      asked.push(`${method} ${url}`);
      const [, [status, body]] = Object.entries(answers).find(([part]) => url.includes(part)) ?? ['', [404, {}]];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Client(targetAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  }

  const user = { username: 'jane', uid: '1', groups: ['a', 'b'], extra: { key: ['x'] } };
  const jane = { name: 'jane', uid: '1', groups: ['a', 'b'], extra: { key: ['x'] } };

  it.each([
    ['v1/selfsubjectreviews', { status: { userInfo: user } }, 'SelfSubjectReview'],
    ['v1alpha1/selfsubjectreviews', { status: { userInfo: user } }, 'SelfSubjectReview'],
    ['v1beta1/tokenreviews', { status: { authenticated: true, user } }, 'TokenReview'],
    ['v1/certificatesigningrequests', { spec: user }, 'CertificateSigningRequest'],
  ] as const)('%s', async (part, body, seenIn) => {
    const client = await clientOf({ [part]: [201, body] });
    expect(await identify(client, { token: 'token' }, 'abcdef')).toEqual({ ...jane, seenIn });
    await client.close();
  });

  it.each([
    ['User "jane \\"j\\" doe" cannot list resource "nodes"', 'jane "j" doe'],
    ['User "jane\\x01" cannot list resource', 'jane\\x01'],
  ])('a refusal: %s', async (message, name) => {
    const client = await clientOf({ '/nodes': [403, { message: `nodes is forbidden: ${message}` }] });
    expect(await identify(client, { token: 'token' }, 'abcdef')).toEqual({ name, seenIn: 'a 403' });
    await client.close();
  });

  it('no user is observed without any way, and missing ones are not tried again', async () => {
    const client = await clientOf({ '/nodes': [200, {}] });
    expect(await identify(client, { token: 'token' }, 'abcdef')).toBeUndefined();
    expect(asked).toHaveLength(8);
    expect(await identify(client, { username: 'jane', password: 'secret' }, 'abcdef')).toBeUndefined();
    expect(asked.slice(8)).toEqual(['GET /api/v1/nodes']);
    await client.close();
  });

  it('does not record a certificate signing request', async () => {
    const client = await clientOf({
      certificatesigningrequests: [201, { apiVersion: 'certificates.k8s.io/v1', spec: user }],
    });
    await identify(client, { username: 'jane', password: 'secret' }, 'abcdef');
    expect(asked.at(-1)).toMatch(
      /^DELETE \/apis\/certificates\.k8s\.io\/v1\/certificatesigningrequests\/kac-abcdef-identity-/,
    );
    expect(asked.at(-2)).toMatch(/\?dryRun=All$/);
    await client.close();
  });
});
