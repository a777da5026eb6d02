// The storage that the options choose: memory, a data directory, or an etcd that other servers use too.
import { parseDuration } from './authentication/duration.js';
import { OptionError } from './optionError.js';
import type { CompleteOptions } from './options.js';
import {
  exportedKey,
  keptSigningKey,
  makeSigningKey,
  parseSigningKey,
  readSigningKey,
  type SigningKey,
} from './serviceaccounts/signingKey.js';
import type { EtcdOptions } from './storage/etcd/endpoints.js';
import { alone, type Leadership } from './storage/leadership.js';
import { MemoryStorage } from './storage/memory.js';
import { type Storage, StorageAway } from './storage/storage.js';

export type StorageOptions = EtcdOptions & Pick<CompleteOptions, 'dataDir' | 'serviceAccountKeyFile'>;

/** An open storage, and what depends on whether other servers use it too. */
export interface OpenStorage {
  readonly storage: Storage;
  readonly leadership: Leadership;
  readonly isShared: boolean;
  /** Returns the key that signs the tokens of service accounts. */
  signingKey(): Promise<SigningKey>;
}

/** Opens the storage. Throws OptionError if it cannot be used. */
export async function openStorage(options: StorageOptions): Promise<OpenStorage> {
  const { dataDir, etcdServers, serviceAccountKeyFile } = options;
  if (dataDir !== undefined && etcdServers !== undefined)
    throw new OptionError('--data-dir and --etcd-servers contradict each other: give only one of them');
  if (etcdServers === undefined) requireNone(options);
  const opened =
    etcdServers !== undefined
      ? await onEtcd({ ...options, etcdServers })
      : dataDir !== undefined
        ? await inDirectory(dataDir)
        : { ...ofOneServer(new MemoryStorage()), signingKey: async () => makeSigningKey() };
  if (serviceAccountKeyFile === undefined) return opened;
  return { ...opened, signingKey: () => readSigningKey(serviceAccountKeyFile) };
}

const ofOneServer = (storage: Storage) => ({ storage, leadership: alone, isShared: false });

const others = {
  etcdPrefix: '--etcd-prefix',
  etcdCafile: '--etcd-cafile',
  etcdCertfile: '--etcd-certfile',
  etcdKeyfile: '--etcd-keyfile',
  etcdCompactionInterval: '--etcd-compaction-interval',
} as const;

function requireNone(options: EtcdOptions): void {
  for (const [name, flag] of Object.entries(others)) {
    if (options[name as keyof typeof others] !== undefined)
      throw new OptionError(`${flag} requires --etcd-servers, which is missing`);
  }
}

async function inDirectory(directory: string): Promise<OpenStorage> {
  const [{ DurableStorage }, { DataDirectoryError }, { openLmdb }] = await Promise.all([
    import('./storage/durable.js'),
    import('./storage/dataDirectory.js'),
    import('./storage/lmdb.js'),
  ]);
  try {
    const storage = await DurableStorage.open(await openLmdb(directory));
    return { ...ofOneServer(storage), signingKey: () => keptSigningKey(directory) };
  } catch (error) {
    throw error instanceof DataDirectoryError ? new OptionError(`--data-dir: ${error.message}`) : error;
  }
}

async function onEtcd(options: EtcdOptions & { readonly etcdServers: string }): Promise<OpenStorage> {
  const [{ readEndpoints }, { EtcdStorage }] = await Promise.all([
    import('./storage/etcd/endpoints.js'),
    import('./storage/etcd/etcd.js'),
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
      await storage.shared('keys/service-accounts', () => exportedKey(makeSigningKey())),
      `--etcd-servers: the key of service accounts in etcd`,
    );
  return { storage, leadership: storage.leadership, isShared: true, signingKey };
}
