import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { judge, writeReports } from './index.js';
import { sampleEvidence } from './testing/sample.js';

it('writes page and JUnit into a directory that it makes', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'report-'));
  try {
    const evidence = sampleEvidence({ run: null, end: null });
    const directory = join(parent, 'a', 'b');
    const paths = await writeReports(judge(evidence), evidence, directory);
    expect(paths).toEqual({ html: join(directory, 'index.html'), junit: join(directory, 'junit.xml') });
    expect(await readFile(paths.html, 'utf8')).toContain('could not run: the evidence has no header');
    expect(await readFile(paths.junit, 'utf8')).toContain('could not run: the evidence has no header');
  } finally {
    await rm(parent, { recursive: true });
  }
});
