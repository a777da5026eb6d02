// Tests malformed credentials, byte for byte: invalid ones are refused, and the server keeps working.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../server.js';
import { exchange, startStandIn } from '../testing/standIn.js';

const path = '/api/v1/namespaces/ns/configmaps';
let server: RunningServer;

beforeAll(async () => {
  server = await startStandIn({}, { tokens: [{ token: 'tok', user: { name: 'jane', groups: [] } }] });
});
afterAll(() => server.close());

const head = (...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n');
const statusOf = async (bytes: string) => Number((await exchange(server, bytes)).split(' ', 2)[1]);

describe('a request', () => {
  it.each([
    ['without a token', ['Authorization: Bearer'], 401],
    ['with an empty token', ['Authorization: Bearer '], 401],
    ['with two spaces', ['Authorization: Bearer  tok'], 401],
    ['with a tab', ['Authorization: Bearer\ttok'], 401],
    ['with a token alone', ['Authorization: tok'], 401],
    ['with a NUL behind the token', ['Authorization: Bearer tok\0'], 400],
    ['with a NUL in the token', ['Authorization: Bearer t\0ok'], 400],
    ['with a control character in the token', ['Authorization: Bearer t\x01ok'], 400],
    ['with DEL behind the token', ['Authorization: Bearer tok\x7f'], 400],
    ['with a lone line feed', ['Authorization: Bearer tok\nX: y'], 400],
    ['with a folded header', ['Authorization: Bearer', ' tok'], 400],
    ['with a space before the colon', ['Authorization : Bearer tok'], 400],
    ['with Latin-1 in the token', ['Authorization: Bearer t\xf6k'], 401],
    ['with a token of 60 KiB', [`Authorization: Bearer ${'t'.repeat(60_000)}`], 401],
    ['with a token of a megabyte', [`Authorization: Bearer ${'t'.repeat(1_000_000)}`], 431],
    ['with a JWT of nothing', ['Authorization: Bearer ..'], 401],
    ['with a password of a megabyte', [`Authorization: Basic ${'t'.repeat(1_000_000)}`], 431],
    ['with a password of Latin-1 bytes', ['Authorization: Basic \xe4\xf6'], 401],
    ['with the right token second', ['Authorization: Bearer no', 'Authorization: Bearer tok'], 401],
    ['with the right token first', ['Authorization: Bearer tok', 'Authorization: Bearer no'], 200],
    ['with the right token behind an empty header', ['Authorization:', 'Authorization: Bearer tok'], 401],
    ['with the right token behind a comma', ['Authorization: Bearer no, Bearer tok'], 401],
    ['with the right token in another header', ['Proxy-Authorization: Bearer tok'], 401],
  ])('%s', async (_, headers, status) => expect(await statusOf(head(...headers))).toBe(status));

  it('with its token in a trailer has no user', async () => {
    const start = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n`;
    const body = 'Trailer: Authorization\r\n\r\n2\r\n{}\r\n0\r\nAuthorization: Bearer tok\r\n\r\n';
    expect(await statusOf(start + body)).toBe(401);
  });

  it('with a valid token is accepted after all of these requests', async () => {
    expect(await statusOf(head('authorization: bearer tok'))).toBe(200);
  });
});
