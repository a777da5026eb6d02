// No credential reaches the evidence, in any part of an exchange.
import { describe, expect, it } from 'vitest';
import { Reply } from '../reply.js';
import { Redactor } from './redaction.js';
import { recordedExchange } from './writer.js';

const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJzb21lYm9keSJ9.c2lnbmF0dXJlLW9mLWl0';

function recorded(redactor: Redactor, headers: Record<string, string>, sent: string, answer: string): string {
  const reply = new Reply('GET /', 200, { 'content-type': 'application/json' }, Buffer.from(answer));
  const exchange = {
    type: 'exchange',
    id: '1',
    at: '2026-01-01T00:00:00Z',
    milliseconds: 1,
    request: { method: 'GET', url: 'https://127.0.0.1/', headers: Object.entries(headers) },
    response: { status: 200, headers: [] },
  } as const;
  return JSON.stringify(recordedExchange(redactor, exchange, sent, reply));
}

describe('redaction', () => {
  it('removes a known token from headers and bodies, plain and in base64', () => {
    const redactor = new Redactor();
    redactor.add('the-token-of-this-run');
    const text = recorded(
      redactor,
      { authorization: 'Bearer the-token-of-this-run' },
      '{"a":"the-token-of-this-run"}',
      JSON.stringify({ b: Buffer.from('the-token-of-this-run').toString('base64') }),
    );
    expect(text).not.toContain('the-token-of-this-run');
    expect(text).not.toContain(Buffer.from('the-token-of-this-run').toString('base64'));
    expect(text).toContain('Bearer <redacted>');
  });

  it('removes a known token in base64url', () => {
    const redactor = new Redactor();
    redactor.add('a token?with~all>characters');
    const encoded = Buffer.from('a token?with~all>characters').toString('base64url');
    expect(recorded(redactor, { 'sec-websocket-protocol': `some.protocol.${encoded}` }, '', '{}')).not.toContain(
      encoded,
    );
  });

  it('removes every JSON Web Token', () => {
    expect(recorded(new Redactor(), {}, '', `{"token":"${jwt}"}`)).not.toContain(jwt);
  });

  it('removes the data of a Secret in the response, and remembers it', () => {
    const redactor = new Redactor();
    const value = Buffer.from('some-secret-value').toString('base64');
    const answer = JSON.stringify({ kind: 'Secret', data: { password: value, namespace: 'a2FjLXNwYWNl' } });
    const text = recorded(redactor, {}, '', answer);
    expect(text).not.toContain(value);
    expect(text).toContain('a2FjLXNwYWNl');
    expect(redactor.redact('then some-secret-value was used')).toBe('then <redacted> was used');
  });

  it('removes the data of each Secret of a list', () => {
    const value = Buffer.from('another-secret').toString('base64');
    const answer = JSON.stringify({ kind: 'SecretList', items: [{ data: { password: value } }] });
    expect(recorded(new Redactor(), {}, '', answer)).not.toContain(value);
  });

  it("removes the token from a Secret of the run's own account", () => {
    const value = Buffer.from('token-of-an-account').toString('base64');
    const secret = { kind: 'Secret', metadata: { namespace: 'kac-0a1b2c-w0' }, data: { token: value } };
    const type = 'kubernetes.io/service-account-token';
    expect(recorded(new Redactor(), {}, '', JSON.stringify({ ...secret, type }))).not.toContain(value);
    expect(recorded(new Redactor(), {}, '', JSON.stringify(secret))).toContain(value);
  });

  it('leaves the data that the suite itself sends readable', () => {
    const redactor = new Redactor();
    const secret = JSON.stringify({
      kind: 'Secret',
      data: { k: Buffer.from('conformance-sample').toString('base64') },
    });
    expect(recorded(redactor, { 'user-agent': 'kube-api-conformance' }, secret, secret)).not.toContain('redacted');
    redactor.learn({ kind: 'Secret', data: { k: Buffer.from('a-secret-value').toString('base64') } });
    expect(recorded(redactor, {}, secret.replace('"k"', '"a-secret-value"'), secret)).toContain('<redacted>');
  });

  it('keeps short values, because they occur everywhere', () => {
    const redactor = new Redactor();
    redactor.add('abc');
    expect(redactor.redact('abc')).toBe('abc');
  });

  const odd = 'pässwörd "quoted" <b>&\'so\' 密码/+?';
  const secret = Buffer.from(odd);
  const at = (offset: number, after = ''): string =>
    Buffer.concat([Buffer.from('ab'.slice(0, offset)), secret, Buffer.from(after)]).toString('base64');

  it.each([
    ['plain', odd],
    ['bytes read as characters', secret.toString('latin1')],
    ['JSON', JSON.stringify({ odd })],
    ['JSON in JSON', JSON.stringify({ message: JSON.stringify({ odd }) })],
    ['JSON of Go', JSON.stringify({ odd }).replace(/[<>&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)],
    ['a URL', `/x?${new URLSearchParams({ odd })}`],
    ['part of a URL', `/x/${encodeURIComponent(odd)}/y`],
    ['hex', secret.toString('hex')],
    ['hex in capitals', `0x${secret.toString('hex').toUpperCase()}`],
    ...[0, 1, 2].flatMap((offset) =>
      ['', '.', '..'].map((after): [string, string] => [`base64 after ${offset}, before ${after}`, at(offset, after)]),
    ),
    ['base64 of URLs', `x ${at(1).replaceAll('+', '-').replaceAll('/', '_')}`],
    ['base64 in base64', Buffer.from(`x${at(2)}`).toString('base64')],
    ['a pair', `Basic ${Buffer.from(`user:${odd}`).toString('base64')}`],
    ['a pair that is cut', `Basic ${Buffer.from(`user:${odd}`).toString('base64').slice(0, -3)}`],
    ['a text that is cut', `it says ${odd.slice(0, 12)}`],
    ['a message that is cut', `expected "it says ${odd.slice(0, 12)}…, got nothing`],
  ])('removes a secret as %s', (_, text) => {
    const redactor = new Redactor();
    redactor.add(odd);
    redactor.add(at(2));
    const clean = redactor.redact(text);
    expect(clean).toContain('<redacted>');
    const bytes = [clean, ...(clean.match(/[\w+/]{4,}/g) ?? []).map((each) => Buffer.from(each, 'base64').toString())];
    for (const each of bytes) expect(each).not.toMatch(/p.{1,2}ssw|quoted|so' /);
    // the text around the secret stays
    for (const word of ['Basic ', 'it says ', ', got nothing']) if (text.includes(word)) expect(clean).toContain(word);
  });

  it('removes the longest of the secrets with a common prefix', () => {
    const redactor = new Redactor();
    for (const each of ['secret-token', 'secret-token-of-another', 'secret-to']) redactor.add(each);
    expect(redactor.redact('a secret-token-of-another b')).toBe('a <redacted> b');
  });

  it('removes the lines of a key, with any indentation', () => {
    const redactor = new Redactor();
    const [one, two] = ['MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 'ZWluIFNjaGzDvHNzZWwsIGRlciBnZWhlaW0gaXN0'];
    redactor.add(`-----BEGIN PRIVATE KEY-----\n${one}\n${two}\n-----END PRIVATE KEY-----\n`);
    const text = redactor.redact(`key: |\n  -----BEGIN PRIVATE KEY-----\n  ${one}\n  ${two}\n`);
    expect(text).toBe('key: |\n  -----BEGIN PRIVATE KEY-----\n  <redacted>\n  <redacted>\n');
  });

  it('removes the value of a Basic authorization header', () => {
    const text = recorded(new Redactor(), { Authorization: 'basic bm9ib2R5OmFueXRoaW5n' }, '', '{}');
    expect(text).toContain('basic <redacted>');
    expect(text).not.toContain('bm9ib2R5');
  });

  it.each([
    ['merge', 'application/merge-patch+json', JSON.stringify({ data: { k: 'aW4tdGhlLXBhdGNo' } })],
    [
      'JSON',
      'application/json-patch+json',
      JSON.stringify([{ op: 'add', path: '/data/k', value: 'aW4tdGhlLXBhdGNo' }]),
    ],
    ['YAML', 'application/yaml', 'kind: Secret\ndata:\n  k: aW4tdGhlLXBhdGNo\n'],
  ])('leaves the data that the suite sends in a request of the type %s', (_, type, sent) => {
    const redactor = new Redactor();
    const exchange = {
      type: 'exchange',
      id: '1',
      at: '2026-01-01T00:00:00Z',
      milliseconds: 1,
      request: {
        method: 'PATCH',
        url: 'https://127.0.0.1/api/v1/namespaces/a/secrets/b',
        headers: [['Content-Type', type]],
      },
    } as const;
    expect(JSON.stringify(recordedExchange(redactor, exchange, sent, undefined))).toContain('aW4tdGhlLXBhdGNo');
    redactor.learn({ kind: 'Secret', data: { k: 'aW4tdGhlLXBhdGNo' } });
    expect(redactor.redact('then in-the-patch')).toBe('then in-the-patch');
  });

  it('leaves no known secret readable that the suite sends', () => {
    const redactor = new Redactor();
    redactor.add('a-known-secret');
    redactor.leave([{ op: 'add', path: '/data/k', value: 'a-known-secret' }], true);
    redactor.learn({ kind: 'Secret', data: { k: Buffer.from('a-known-secret').toString('base64') } });
    expect(redactor.redact('a-known-secret')).toBe('<redacted>');
  });

  it('goes through a text once, however many secrets there are', () => {
    const redactor = new Redactor();
    for (let count = 0; count < 2000; count += 1) redactor.add(`eyJhbGciOiJFUzI1NiJ9-${count}-${'x'.repeat(500)}`);
    const text = 'nothing of the kind stands here '.repeat(500);
    expect(redactor.redact(text)).toBe(text);
  });
});
