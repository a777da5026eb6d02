// The storages that outlive the server: a data directory, or an etcd that other servers use too.

import type { OpenStorage } from '../openStorage.js';
import { OptionError, parseDuration } from '../optionValues.js';
import { exportedKey, keptSigningKey, makeSigningKey, parseSigningKey } from '../serviceaccounts/signingKey.js';
import { alone, StorageAway } from '../storage/storage.js';
import type { EtcdOptions, StorageOptions } from './options.js';

const flags: Readonly<Record<keyof StorageOptions, string>> = {
  dataDir: '--data-dir',
  etcdServers: '--etcd-servers',
  etcdPrefix: '--etcd-prefix',
  etcdCafile: '--etcd-cafile',
  etcdCertfile: '--etcd-certfile',
  etcdKeyfile: '--etcd-keyfile',
  etcdCompactionInterval: '--etcd-compaction-interval',
};

/**
 * Returns what opens the storage that the options choose, for the options of a server; nothing if they choose none.
 * Opening throws an OptionError if the options contradict each other, or the storage cannot be used.
 */
export function storageOf(options: StorageOptions): { readonly openStorage?: () => Promise<OpenStorage> } {
  const given = (Object.keys(flags) as (keyof StorageOptions)[]).filter((name) => options[name] !== undefined);
  return given.length === 0 ? {} : { openStorage: () => open(options, given) };
}

async function open(options: StorageOptions, given: readonly (keyof StorageOptions)[]): Promise<OpenStorage> {
  const { dataDir, etcdServers } = options;
  if (dataDir !== undefined && etcdServers !== undefined)
    throw new OptionError('--data-dir and --etcd-servers contradict each other: give only one of them');
  if (etcdServers !== undefined) return onEtcd({ ...options, etcdServers });
  const missing = given.find((name) => name !== 'dataDir');
  if (missing !== undefined) throw new OptionError(`${flags[missing]} requires --etcd-servers, which is missing`);
  return inDirectory(dataDir ?? '');
}

async function inDirectory(directory: string): Promise<OpenStorage> {
  const [{ DurableStorage }, { DataDirectoryError }, { openLmdb }] = await Promise.all([
    import('./lmdb/durable.js'),
    import('./lmdb/dataDirectory.js'),
    import('./lmdb/lmdb.js'),
  ]);
  try {
    const storage = await DurableStorage.open(await openLmdb(directory));
    return { storage, leadership: alone, isShared: false, signingKey: () => keptSigningKey(directory) };
  } catch (error) {
    throw error instanceof DataDirectoryError ? new OptionError(`--data-dir: ${error.message}`) : error;
  }
}

async function onEtcd(options: EtcdOptions & { readonly etcdServers: string }): Promise<OpenStorage> {
  const [{ readEndpoints }, { EtcdStorage }] = await Promise.all([
    import('./etcd/endpoints.js'),
    import('./etcd/etcd.js'),
  ]);
  const endpoints = await readEndpoints(options);
  const { etcdCompactionInterval: interval = '5m' } = options;
  const limits = { compactionInterval: parseDuration('--etcd-compaction-interval', interval) };
  const storage = await EtcdStorage.open(endpoints, limits).catch((error: unknown) => {
    if (!(error instanceof StorageAway)) throw error;
    throw new OptionError(`--etcd-servers: no etcd responds at ${options.etcdServers}: start it, or correct the URL`);
  });
  // Whoever reads etcd reads the tokens of service accounts too, so the key is no more secret than they are.
  const signingKey = async () =>
    parseSigningKey(
      await storage.shared('keys/service-accounts', async () => exportedKey(await makeSigningKey())),
      `--etcd-servers: the key of service accounts in etcd`,
    );
  return { storage, leadership: storage.leadership, isShared: true, signingKey };
}
