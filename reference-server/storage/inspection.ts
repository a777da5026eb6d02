// Looks at a store in another process before this one opens it: lmdb maps the file, and damage in it ends the process.
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Tests run these sources; the program is there compiled only. */
const folder = import.meta.filename.endsWith('.ts')
  ? resolve(import.meta.dirname, '../../dist/reference-server/storage')
  : import.meta.dirname;

const patienceMillis = 120_000;
const patienceMillisPerMegabyte = 200;

/** What is wrong with the store in a directory; undefined where all of it can be read. */
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
