// The route to a target behind an HTTP proxy: a local relay that opens a tunnel of the proxy for each connection.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectPlain, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { addressOf, named } from '../../suites/index.js';
import { UsageError } from '../errors.js';

/** The time limit for the proxy to open a tunnel, in milliseconds. */
const timeout = 30_000;
/** The most bytes of the head of the proxy's response. */
const longestHead = 16 * 1024;

/**
 * Starts a relay to the target. Returns its Unix socket. The relay lives as long as this process, and does not keep it
 * alive. Throws UsageError for an unsupported kind of proxy.
 */
export function startRelay(proxy: string, target: string, where: string): string {
  const way = proxyOf(proxy, where);
  const { hostname, port, protocol } = new URL(target);
  const authority = `${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`;
  const folder = mkdtempSync(join(tmpdir(), 'kube-api-conformance-relay-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'relay.sock');
  let said = '';
  const server = createServer((client) => {
    tunnel(client, way, authority, (why) => {
      if (why !== said) process.stderr.write(`the proxy ${way.protocol}//${way.host}: ${why}\n`);
      said = why;
    });
  });
  server.listen(file).unref();
  return file;
}

function proxyOf(text: string, where: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new UsageError(`${where}: ${text} is not a URL; write it as http://host:port`);
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  throw new UsageError(`${where}: ${url.protocol}// proxies are not supported; give one of http or https`);
}

/** Connects a client to the target through the proxy. The client's bytes wait meanwhile. */
function tunnel(client: Socket, proxy: URL, authority: string, complain: (why: string) => void): void {
  const isPlain = proxy.protocol === 'http:';
  const address = addressOf(proxy);
  const way = isPlain ? connectPlain(address) : connectTls({ ...address, ...named(address.host) });
  const fail = (why: string): void => {
    complain(why);
    way.destroy();
    client.destroy();
  };
  const timer = setTimeout(() => fail('opens no tunnel'), timeout);
  client.on('error', () => way.destroy()).on('close', () => way.destroy());
  way.on('error', ({ message }) => fail(message)).on('close', () => client.destroy());
  way.once(isPlain ? 'connect' : 'secureConnect', () => {
    const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`, ...authorizationOf(proxy), '', ''];
    way.write(lines.join('\r\n'));
  });
  let head = Buffer.alloc(0);
  const read = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) {
      if (head.length > longestHead) fail('its answer has no end');
      return;
    }
    clearTimeout(timer);
    way.off('data', read);
    const status = head.toString('latin1', 0, head.indexOf('\r\n'));
    if (!/^HTTP\/1\.[01] 2\d\d/.test(status)) {
      fail(`answers ${status.replace(/^HTTP\/1\.[01] /, '')}`);
      return;
    }
    way.pause();
    if (head.length > end + 4) way.unshift(head.subarray(end + 4));
    way.pipe(client);
    client.pipe(way);
  };
  way.on('data', read);
  way.once('close', () => clearTimeout(timer));
}

function authorizationOf({ username, password }: URL): string[] {
  if (username === '') return [];
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return [`Proxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}`];
}
