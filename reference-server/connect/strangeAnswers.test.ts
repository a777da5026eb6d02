// Tests invalid responses of backends: the client gets an error, and no connection stays open.
import { describe, expect, it } from 'vitest';
import { upgrading, useBackend } from '../testing/backendCluster.js';
import { ask, exchange } from '../testing/standIn.js';

const proxy = '/api/v1/namespaces/default/pods/p/proxy/';
const cluster = useBackend();

/** Makes the backend respond with these bytes. */
function answerWith(text: string): void {
  cluster.backend.behave = ({ socket }) => void socket?.write(text, 'latin1');
}

describe('an unusual response of a node', () => {
  it('with a protocol that was not requested is an error, and its connection ends', async () => {
    answerWith('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello');
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(cluster.server, proxy)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(JSON.parse(answers[0]?.text ?? '')).toMatchObject({
      reason: 'ServiceUnavailable',
      message: expect.stringContaining('another protocol, which nobody asked for'),
    });
    await expect.poll(() => cluster.backend.open.size).toBe(0);
  });

  it.each([
    ['\x01\x1b[31mred', ''],
    ['a\x7fb', ''],
    ['a\tb', 'a\tb'],
    ['gr\xfcn', 'gr\xfcn'],
  ])('has the reason phrase %j', async (reason, phrase) => {
    answerWith(`HTTP/1.1 299 ${reason}\r\nContent-Length: 3\r\nConnection: close\r\n\r\ntea`);
    const head = [`GET ${proxy} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${cluster.server.token}`];
    const text = await exchange(cluster.server, [...head, 'Connection: close', '', ''].join('\r\n'));
    expect(text).toMatch(/\r\n\r\n(3\r\n)?tea/);
    expect(text.split('\r\n')[0]).toBe(`HTTP/1.1 299 ${phrase}`);
  });

  it.each(['000', '099', '001'])('with the status %s is an error', async (status) => {
    answerWith(`HTTP/1.1 ${status} Nothing\r\nContent-Length: 3\r\n\r\ntea`);
    const answer = await ask(cluster.server, proxy);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      503,
      expect.objectContaining({ message: expect.stringContaining(`the answer has the status ${Number(status)}`) }),
    ]);
    await expect.poll(() => cluster.backend.open.size).toBe(0);
  });

  it('with an unknown status passes', async () => {
    answerWith('HTTP/1.1 999 Odd\r\nContent-Length: 3\r\nConnection: close\r\n\r\ntea');
    expect(await ask(cluster.server, proxy)).toMatchObject({ status: 999, text: 'tea' });
  });

  it('to a stream is reported as any other', async () => {
    cluster.backend.switch = (socket) => {
      socket.resume().once('end', () => socket.end());
      socket.write('HTTP/1.1 000 \x1b\r\nContent-Length: 0\r\n\r\n');
    };
    const head = upgrading(cluster.server, 'GET', '/api/v1/namespaces/default/pods/p/attach');
    expect(await exchange(cluster.server, head)).toMatch(/^HTTP\/1.1 503 /);
  });
});

describe('the port of a proxied object', () => {
  it.each(['0x50', '1e3', '+80', '80.0', ' 80', '٨٠', '8_0', '-1', '0', '65536', '99999999999'])(
    'is not %j',
    async (port) => {
      for (const path of [`pods/p:${port}/proxy/`, `pods/http:p:${port}/proxy/`]) {
        const { status, text } = await ask(
          cluster.server,
          `/api/v1/namespaces/default/${encodeURI(path).replaceAll('+', '%2B')}`,
        );
        expect([status, JSON.parse(text).reason]).toEqual([400, 'BadRequest']);
      }
    },
  );
});

describe('a port to forward', () => {
  it.each([
    '0x50',
    '1e3',
    '%2B80',
    '80.0',
    '%2080',
    '8_0',
    '-1',
    '0',
    '65536',
    '99999999999',
    '80,',
    '80,0x50',
    '80&ports=x',
  ])('is not %j', async (ports) => {
    const path = `/api/v1/namespaces/default/pods/p/portforward?ports=${ports}`;
    expect(await exchange(cluster.server, upgrading(cluster.server, 'GET', path))).toMatch(/^HTTP\/1.1 400 /);
  });
});
