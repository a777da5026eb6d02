// Every format is written.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { judge, writeReports } from './index.js';
import { sampleEvidence } from './testing/sample.js';

it('writes every format into a new directory', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'report-'));
  try {
    const evidence = sampleEvidence({ run: null, end: null });
    const directory = join(parent, 'a', 'b');
    const paths = await writeReports(judge(evidence), evidence, directory);
    expect(paths).toEqual({
      html: join(directory, 'index.html'),
      json: join(directory, 'report.json'),
      junit: join(directory, 'junit.xml'),
      markdown: join(directory, 'summary.md'),
      badge: join(directory, 'badge.svg'),
      map: join(directory, 'map.svg'),
      badgeEndpoint: join(directory, 'badge.json'),
    });
    for (const path of Object.values(paths)) expect(await readFile(path, 'utf8')).toMatch(/could not run/);
  } finally {
    await rm(parent, { recursive: true });
  }
});
