// Stands in for kube-apiserver: the reference server with the flags of the real one, without controllers, as envtest has it.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whyNot } from '../../matrix/api/fileFailure.js';
import { makeFolder } from '../../matrix/api/makeFolder.js';
import { reportedVersion } from '../../reference-server/later/index.js';
import { makeServerCertificates } from '../../test-certs/serverCertificates.js';
import { UsageError } from '../errors.js';
import { serveFlags, startHere } from '../serve/serve.js';
import { stopSignal } from '../serve/stopSignal.js';
import { standIn } from './etcd.js';
import { type ServeWords, serveWords, translated } from './options.js';
import { flagsIn, helpOf, lastOf } from './words.js';

/** Runs until a signal. Throws UsageError for invalid flags. */
export async function runKubeApiserver(words: readonly string[]): Promise<void> {
  const given = flagsIn(words);
  const known = serveFlags();
  if (given.has('help') || given.has('h')) {
    return void process.stdout.write(`${helpOf('kube-apiserver', { ...known, ...translated })}\n`);
  }
  if (given.has('version'))
    return void process.stdout.write(`Kubernetes ${reportedVersion(lastOf(given, 'kube-version'))}\n`);
  const stopped = stopSignal();
  const read = serveWords(given, Object.keys(known));
  if (read.without.length > 0) {
    process.stderr.write(`kube-apiserver: no effect here: ${read.without.map((name) => `--${name}`).join(', ')}\n`);
  }
  const tls = read.certificates === undefined ? [] : await certificateWords(read.certificates);
  const server = await startHere([...read.words, ...tls, ...(await etcdWords(read.etcdServers))]).catch((error) => {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message.replace(/^serve: /, 'kube-apiserver: '));
  });
  try {
    process.stderr.write(`kube-apiserver: serving ${server.url}\n`);
    await stopped;
  } finally {
    await server.close();
  }
}

/** Uses the certificate in a folder; makes it if there is none. */
async function certificateWords({ directory, address }: NonNullable<ServeWords['certificates']>) {
  const [certificate, key] = [join(directory, 'apiserver.crt'), join(directory, 'apiserver.key')];
  if (!existsSync(certificate) || !existsSync(key)) {
    const { ca, server } = await makeServerCertificates(address);
    try {
      makeFolder(directory);
      writeFileSync(certificate, server.certificate + ca.certificate);
      writeFileSync(key, server.key, { mode: 0o600 });
    } catch (error) {
      throw new UsageError(`kube-apiserver: --cert-dir: ${directory}: ${whyNot(error)}`);
    }
  }
  return [`--tls-cert-file=${certificate}`, `--tls-private-key-file=${key}`];
}

/** Keeps objects in memory beside the stand-in of etcd, and in etcd beside a real one. */
async function etcdWords(urls: string | undefined): Promise<readonly string[]> {
  if (urls === undefined) throw new UsageError('kube-apiserver: --etcd-servers is missing');
  const [first = ''] = urls.split(',');
  const version = await fetch(new URL('/version', URL.canParse(first) ? first : 'http://0.0.0.0:0'))
    .then((response) => response.json() as Promise<{ readonly server?: string }>)
    .catch(() => ({ server: undefined }));
  return version.server === standIn ? [] : [`--etcd-servers=${urls}`];
}
