// What stands behind the pipeline: a storage, the registry on it, the controllers, and a handler for every verb.
import type { Verb } from '../matrix/api/index.js';
import { startControllers } from './controllers/index.js';
import { reportError } from './errors.js';
import { OptionError } from './optionError.js';
import { Registry } from './registry/registry.js';
import type { Handler } from './request.js';
import { MemoryStorage } from './storage/memory.js';
import type { Storage } from './storage/storage.js';
import { createHandlers } from './verbs/index.js';

export interface Cluster {
  readonly handlers: Readonly<Record<Verb, Handler>>;
  stop(): Promise<void>;
}

/**
 * Starts a cluster with the namespaces that every server has: an empty one in memory, or the one that a data directory
 * holds. Throws OptionError for a directory that cannot be used.
 */
export async function startCluster(dataDir?: string): Promise<Cluster> {
  const storage = dataDir === undefined ? new MemoryStorage() : await openDirectory(dataDir);
  const registry = new Registry(storage);
  const controllers = await startControllers(registry, reportError);
  return {
    handlers: createHandlers({ registry }),
    async stop() {
      await controllers.stop();
      await storage.close();
    },
  };
}

async function openDirectory(directory: string): Promise<Storage> {
  const [{ DurableStorage }, { DataDirectoryError, openLmdb }] = await Promise.all([
    import('./storage/durable.js'),
    import('./storage/lmdb.js'),
  ]);
  try {
    return await DurableStorage.open(await openLmdb(directory));
  } catch (error) {
    throw error instanceof DataDirectoryError ? new OptionError(`--data-dir: ${error.message}`) : error;
  }
}
