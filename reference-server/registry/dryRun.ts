// The `dryRun` parameter. `All` is its only valid value.
import { cut, excerpt } from '../excerpt.js';
import type { Causes } from '../schema/causes.js';
import type { KubeObject } from '../schema/object.js';
import { Entry, KeyExists, type Storage } from '../storage/storage.js';

/** Reports whether a write is a dry run. Adds a cause for an unknown value, which must not be ignored. */
export function isDryRun(fieldValues: readonly string[], causes: Causes): boolean {
  if (fieldValues.every((value) => value === 'All')) return fieldValues.length > 0;
  const values = cut(fieldValues.map(excerpt).join(', '));
  causes.list.push({
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: [${values}]: supported values: "All"`,
    field: 'dryRun',
  });
  return false;
}

/** Returns a storage for dry runs: it returns the results of writes and stores nothing. */
export function dryStorage(storage: Storage): Pick<Storage, 'create' | 'guaranteedUpdate'> {
  return {
    async create(key, value, fence) {
      fence?.check(await storage.get(fence.key));
      if (await storage.get(key)) throw new KeyExists(key);
      const { resourceVersion: _none, ...metadata } = value.metadata;
      return new Entry<KubeObject>(key, 0, { ...value, metadata });
    },
    async guaranteedUpdate(key, update) {
      const current = await storage.get(key);
      const write = update(current);
      if (write === 'keep') {
        if (current === undefined) throw new Error(`nothing to keep under ${key}`);
        return { entry: current, change: 'keep' };
      }
      const [change, value] = 'put' in write ? (['put', write.put] as const) : (['remove', write.remove] as const);
      return { entry: new Entry(key, current?.revision ?? 0, value), change };
    },
  };
}
