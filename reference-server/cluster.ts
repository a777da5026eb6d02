// What stands behind the pipeline: a storage, the registry on it, and the controllers.
import { type RunningControllers, startControllers } from './controllers/index.js';
import { reportError } from './errors.js';
import { OptionError } from './optionError.js';
import type { CompleteOptions } from './options.js';
import { Registry } from './registry/registry.js';
import { keptSigningKey, makeSigningKey, readSigningKey, type SigningKey } from './serviceaccounts/signingKey.js';
import { TokenIssuer } from './serviceaccounts/tokenIssuer.js';
import { MemoryStorage } from './storage/memory.js';
import type { Storage } from './storage/storage.js';

export interface Cluster {
  readonly registry: Registry;
  stop(): Promise<void>;
}

type ClusterOptions = Pick<CompleteOptions, 'dataDir' | 'serviceAccountKeyFile' | 'tls' | 'lacks'>;

/**
 * Starts a cluster with the namespaces that every server has: an empty one in memory, or the one that a data directory
 * holds. Throws OptionError for a directory or a key that cannot be used.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, tls, lacks } = options;
  const storage = dataDir === undefined ? new MemoryStorage() : await openDirectory(dataDir);
  let registry: Registry;
  let controllers: RunningControllers;
  try {
    registry = new Registry(storage, new TokenIssuer(await signingKey(options), tls.ca), undefined, lacks);
    controllers = await startControllers(registry, reportError);
  } catch (error) {
    await storage.close();
    throw error;
  }
  return {
    registry,
    async stop() {
      await controllers.stop();
      await storage.close();
    },
  };
}

function signingKey({ serviceAccountKeyFile, dataDir }: ClusterOptions): SigningKey | Promise<SigningKey> {
  if (serviceAccountKeyFile !== undefined) return readSigningKey(serviceAccountKeyFile);
  return dataDir === undefined ? makeSigningKey() : keptSigningKey(dataDir);
}

async function openDirectory(directory: string): Promise<Storage> {
  const [{ DurableStorage }, { DataDirectoryError }, { openLmdb }] = await Promise.all([
    import('./storage/durable.js'),
    import('./storage/dataDirectory.js'),
    import('./storage/lmdb.js'),
  ]);
  try {
    return await DurableStorage.open(await openLmdb(directory));
  } catch (error) {
    throw error instanceof DataDirectoryError ? new OptionError(`--data-dir: ${error.message}`) : error;
  }
}
