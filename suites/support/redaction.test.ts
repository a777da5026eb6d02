// No credential reaches the evidence, wherever it stands.
import { describe, expect, it } from 'vitest';
import { record } from './evidence.js';
import { Redactor } from './redaction.js';
import { Reply } from './reply.js';

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
  return JSON.stringify(record(redactor, exchange, sent, reply));
}

describe('redaction', () => {
  it('takes a known token out of headers and bodies, plain and in base64', () => {
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

  it('takes a known token out in the base64 of URLs', () => {
    const redactor = new Redactor();
    redactor.add('a token?with~all>characters');
    const encoded = Buffer.from('a token?with~all>characters').toString('base64url');
    expect(recorded(redactor, { 'sec-websocket-protocol': `some.protocol.${encoded}` }, '', '{}')).not.toContain(
      encoded,
    );
  });

  it('takes out every JSON Web Token', () => {
    expect(recorded(new Redactor(), {}, '', `{"token":"${jwt}"}`)).not.toContain(jwt);
  });

  it('takes out the data of a Secret that the answer holds, and remembers it', () => {
    const redactor = new Redactor();
    const value = Buffer.from('some-secret-value').toString('base64');
    const answer = JSON.stringify({ kind: 'Secret', data: { password: value, namespace: 'a2FjLXNwYWNl' } });
    const text = recorded(redactor, {}, '', answer);
    expect(text).not.toContain(value);
    expect(text).toContain('a2FjLXNwYWNl');
    expect(redactor.redact('then some-secret-value was used')).toBe('then <redacted> was used');
  });

  it('takes out the data of each Secret of a list', () => {
    const value = Buffer.from('another-secret').toString('base64');
    const answer = JSON.stringify({ kind: 'SecretList', items: [{ data: { password: value } }] });
    expect(recorded(new Redactor(), {}, '', answer)).not.toContain(value);
  });

  it('takes out the data of a Secret that was sent', () => {
    const value = Buffer.from('a-secret-that-is-sent').toString('base64');
    expect(recorded(new Redactor(), {}, JSON.stringify({ kind: 'Secret', data: { k: value } }), '{}')).not.toContain(
      value,
    );
  });

  it('leaves what is short alone: it would stand everywhere', () => {
    const redactor = new Redactor();
    redactor.add('abc');
    expect(redactor.redact('abc')).toBe('abc');
  });
});
