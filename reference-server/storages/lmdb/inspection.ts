// Inspects a store in another process before this process opens it: lmdb maps the file, and damage ends the process.
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Tests run the sources; the program exists only in compiled form. */
const folder = import.meta.filename.endsWith('.ts')
  ? resolve(import.meta.dirname, '../../../dist/reference-server/storages/lmdb')
  : import.meta.dirname;

const patienceMillis = 120_000;
const patienceMillisPerMegabyte = 200;

/** Returns the problem of the store in a directory, or undefined if all records can be read. */
export function problemOf(path: string): Promise<string | undefined> {
  const megabytes = statSync(join(path, 'data.mdb')).size / 1024 / 1024;
  const timeout = Math.ceil(patienceMillis + megabytes * patienceMillisPerMegabyte);
  return new Promise((answer) => {
    execFile(process.execPath, [join(folder, 'inspect.js'), path], { timeout }, (error, _, stderr) => {
      if (error === null) return answer(undefined);
      const [why = ''] = stderr.trim().split('\n');
      answer(error.signal || why === '' ? 'it cannot be read' : why);
    });
  });
}
