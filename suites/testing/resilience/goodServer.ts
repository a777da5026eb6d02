// A server that is right, for tests that change what it says on the way.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { ChapterName } from '../../requirements/index.js';
import { type Running, startReferenceServer } from '../referenceServer.js';

/** A running server, and a folder for what runs write. */
interface GoodServer extends Running {
  readonly folder: string;
}

/** Starts a server for the tests of a file and loads the chapters. The result has its fields once the tests begin. */
export function useGoodServer(chapters: readonly ChapterName[]): GoodServer {
  const good = {} as GoodServer;
  beforeAll(async () => {
    for (const chapter of chapters) await import(`../../${chapter}.spec.ts`);
    const folder = mkdtempSync(join(tmpdir(), 'resilience-'));
    Object.assign(good, { folder, ...(await startReferenceServer()) });
  });
  afterAll(async () => {
    await good.stop();
    rmSync(good.folder, { recursive: true, force: true });
  });
  return good;
}
