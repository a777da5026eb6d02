// The `dryRun` parameter: `All`, or nothing at all.
import { invalid } from '../errors.js';
import { cut, excerpt } from '../excerpt.js';
import { Entry, type Storage, type Write, type Written } from '../storage/storage.js';
import { Causes } from './causes.js';

/** Whether a write is only tried out. A value that is not understood is refused: never ignored. */
export function dryRunOf(
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions',
  given: readonly string[],
): boolean {
  if (given.every((value) => value === 'All')) return given.length > 0;
  const causes = new Causes();
  const values = cut(given.map(excerpt).join(', '));
  causes.list.push({
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: []string{${values}}: supported values: "All"`,
    field: 'dryRun',
  });
  throw invalid({ group: 'meta.k8s.io', kind }, '', causes.list);
}

/** What a guaranteed update would have written. */
export async function tryUpdate(
  storage: Storage,
  key: string,
  update: (current: Entry | undefined) => Write,
): Promise<Written> {
  const current = await storage.get(key);
  const write = update(current);
  if (write === 'keep') return { entry: current as Entry, change: 'keep' };
  const [change, value] = 'put' in write ? (['put', write.put] as const) : (['remove', write.remove] as const);
  return { entry: new Entry(key, current?.revision ?? 0, value), change };
}
