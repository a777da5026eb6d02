// A program that reads a whole store and tries a write, so that damage ends this process and not the server.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as lmdb from 'lmdb';
import { countOf, openDatabases } from './databases.js';

const [, , path = ''] = process.argv;
const mostBytes = 64 * 1024 * 1024;

try {
  const { objects, log, meta } = openDatabases(lmdb, path);
  for (const database of [objects, log, meta]) {
    let left = countOf(database);
    // Damaged pages can form a loop.
    for (const _ of database.getRange()) if (--left < 0) break;
    if (left !== 0) throw new Error('the number of records is not what it was');
  }
  // A search for this much room reads the whole list of free pages.
  const { size } = statSync(join(path, 'data.mdb'));
  const room = 'x'.repeat(Math.min(size, mostBytes));
  objects.transactionSync(() => {
    objects.putSync('\0', room);
    return lmdb.ABORT;
  });
  process.exit(0);
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
