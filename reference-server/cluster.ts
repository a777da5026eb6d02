// What stands behind the pipeline: a storage, the registry on it, the controllers, and a handler for every verb.
import type { Verb } from '../matrix/api/index.js';
import { startControllers } from './controllers/index.js';
import { reportError } from './errors.js';
import { Registry } from './registry/registry.js';
import type { Handler } from './request.js';
import { MemoryStorage } from './storage/memory.js';
import { createHandlers } from './verbs/index.js';

export interface Cluster {
  readonly handlers: Readonly<Record<Verb, Handler>>;
  stop(): Promise<void>;
}

/** Starts an empty cluster in memory, with the namespaces that every server has. */
export async function startCluster(): Promise<Cluster> {
  const storage = new MemoryStorage();
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
