// Stands in for etcd: it answers as a healthy one, and stores nothing, because the kube-apiserver beside it does.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { UsageError } from '../errors.js';
import { stopSignal } from '../serve/stopSignal.js';
import { flagsIn, helpOf, lastOf } from './words.js';

/** The release that the stand-in reports. */
const release = '3.5.0';
/** What the version of the stand-in says, by which the kube-apiserver beside it knows it. */
export const standIn = 'kube-api-conformance';

const flags: Readonly<Record<string, string>> = {
  'listen-client-urls': 'addresses to listen on, with commas',
  'advertise-client-urls': 'no effect',
  'listen-peer-urls': 'no effect',
  'data-dir': 'no effect: the kube-apiserver keeps the objects in memory',
  'unsafe-no-fsync': 'no effect',
};

const pages: Readonly<Record<string, string>> = {
  '/health': '{"health":"true","reason":""}',
  '/healthz': 'ok',
  '/livez': 'ok',
  '/readyz': 'ok',
  '/version': JSON.stringify({ etcdserver: release, etcdcluster: release, server: standIn }),
};

/** Runs until a signal. Throws UsageError for an address that it cannot listen on. */
export async function runEtcd(words: readonly string[]): Promise<void> {
  const given = flagsIn(words);
  if (given.has('help') || given.has('h')) return void process.stdout.write(`${helpOf('etcd', flags)}\n`);
  if (given.has('version')) return void process.stdout.write(`etcd Version: ${release}\n`);
  const unknown = [...given.keys()].filter((name) => !Object.hasOwn(flags, name));
  if (unknown.length > 0)
    process.stderr.write(`etcd: no effect here: ${unknown.map((name) => `--${name}`).join(', ')}\n`);
  const stopped = stopSignal();
  const servers: Server[] = [];
  try {
    for (const url of (lastOf(given, 'listen-client-urls') ?? 'http://localhost:2379').split(',')) {
      servers.push(await listen(url));
    }
    await stopped;
  } finally {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  }
}

async function listen(url: string): Promise<Server> {
  const { protocol, hostname, port } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '', port: '' };
  if (protocol !== 'http:') throw new UsageError(`etcd: --listen-client-urls: "${url}" is no http URL`);
  const server = createServer(({ url: path = '' }, response) => {
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    response.writeHead(page === undefined ? 404 : 200).end(page ?? 'there is no etcd here, only its health');
  });
  server.listen(Number(port || 80), hostname.replace(/[[\]]/g, ''));
  await once(server, 'listening').catch((error: Error) => {
    throw new UsageError(`etcd: --listen-client-urls: ${error.message}`);
  });
  return server;
}
