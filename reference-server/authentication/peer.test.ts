import { describe, expect, inject, it } from 'vitest';
import { makeServerCertificates } from '../../test-certs/index.js';
import { OptionError } from '../optionValues.js';
import { peerCertificates, startHttpsPeer } from '../testing/httpsPeer.js';
import { createPeer, httpsUrl, jsonObject, PeerError } from './peer.js';

const { ca, client } = peerCertificates;
const trusting = { authority: ca.certificate };
const never = new AbortController().signal;

describe('a peer', () => {
  it('gets a GET or a POST of JSON, each with the client certificate', async () => {
    await using peer = await startHttpsPeer(() => ({ body: { said: 'yes' } }));
    const ask = createPeer({ ...trusting, certificate: client.certificate, key: client.key }, never);
    const url = new URL(`${peer.url}/a/b?c=d`);
    expect(await ask(url)).toEqual({ status: 200, text: '{"said":"yes"}' });
    expect(await ask(url, { é: 1 })).toEqual({ status: 200, text: '{"said":"yes"}' });
    expect(peer.calls).toEqual([
      { method: 'GET', path: '/a/b?c=d', body: '', client: 'api server' },
      { method: 'POST', path: '/a/b?c=d', body: '{"é":1}', client: 'api server' },
    ]);
  });

  it('with a certificate of another authority gets no request', async () => {
    await using peer = await startHttpsPeer(() => ({}));
    const { ca: other } = await makeServerCertificates('127.0.0.1');
    for (const tls of [{}, { authority: other.certificate }]) {
      await expect(createPeer(tls, never)(new URL(peer.url))).rejects.toThrow(PeerError);
    }
    expect(peer.calls).toEqual([]);
  });

  it.each([
    ['that does not answer', 'silence' as const, 'no answer within 300 ms', false, 300],
    ['that breaks off', 'reset' as const, 'the connection broke off', true, undefined],
    ['that says too much', { body: 'x'.repeat(300_000) }, 'an answer of more than 262144 bytes', false, undefined],
  ])('%s is an error', async (_, answer, reason, reset, patience) => {
    await using peer = await startHttpsPeer(() => answer);
    const ask = createPeer(trusting, never, patience);
    const error: unknown = await ask(new URL(peer.url), { token: 'secret' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PeerError);
    expect(error).toMatchObject({ message: `${peer.url}: ${reason}`, reset });
  });

  it('that does not exist is an error', async () => {
    const peer = await startHttpsPeer(() => ({}));
    await peer.close();
    await expect(createPeer(trusting, never)(new URL(peer.url))).rejects.toMatchObject({
      message: expect.stringContaining('ECONNREFUSED'),
      reset: false,
    });
  });

  it('is asked over connections that stay, and once more when one of these breaks', async () => {
    await using peer = await startHttpsPeer((_, count) => (count === 2 ? 'reset' : { body: { count } }));
    const ask = createPeer(trusting, never);
    const text = async () => (await ask(new URL(peer.url))).text;
    expect([await text(), await text(), await text(), await text()]).toEqual(
      [1, 3, 4, 5].map((count) => JSON.stringify({ count })),
    );
    expect([peer.calls.length, peer.connections()]).toEqual([5, 3]);
  });

  it('is asked by so many at a time', async () => {
    let [now, most] = [0, 0];
    await using peer = await startHttpsPeer(async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 50));
      now -= 1;
      return {};
    });
    const ask = createPeer(trusting, never, inject('deadline') / 2);
    await Promise.all(Array.from({ length: 150 }, () => ask(new URL(peer.url))));
    expect(most).toBeLessThanOrEqual(64);
    expect(peer.connections()).toBeLessThanOrEqual(64);
  });

  it('that redirects is not followed', async () => {
    await using elsewhere = await startHttpsPeer(() => ({}));
    await using peer = await startHttpsPeer(() => ({ status: 307, headers: { location: elsewhere.url } }));
    expect(await createPeer(trusting, never)(new URL(peer.url), {})).toMatchObject({ status: 307 });
    expect(elsewhere.calls).toEqual([]);
  });

  it('is disconnected when the server stops', async () => {
    const stopping = new AbortController();
    await using peer = await startHttpsPeer(() => {
      stopping.abort();
      return 'silence';
    });
    await expect(createPeer(trusting, stopping.signal)(new URL(peer.url))).rejects.toThrow(PeerError);
  });
});

describe('the URL of a peer', () => {
  it.each([
    ['https://issuer.example', undefined],
    ['https://127.0.0.1:8443/realms/one/', undefined],
    ['http://issuer.example', 'is not an https URL'],
    ['HTTPSX://issuer.example', 'is not an https URL'],
    ['issuer.example', 'is not an https URL'],
    ['', 'is not an https URL'],
    ['https://jane:secret@issuer.example', 'takes no user and password'],
    ['https://issuer.example/?a=b', 'takes no ? and no #'],
    ['https://issuer.example/#a', 'takes no ? and no #'],
  ])('%s', (text, complaint) => {
    const parse = () => httpsUrl('--option', text);
    if (complaint === undefined) expect(parse().href).toContain(text);
    else expect(parse).toThrow(new RegExp(`^--option.*${complaint.replace('?', '\\?')}`));
    if (complaint !== undefined) expect(parse).toThrow(OptionError);
  });
});

it.each(['', 'no', '[]', '"x"', 'null', '1', '{'])('%j is not a JSON object', (text) => {
  expect(() => jsonObject(text)).toThrow('the answer is not a JSON object');
});
