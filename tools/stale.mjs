// Removes from dist/ what was compiled from a file that is gone: Playwright would run a spec of yesterday, npm pack it.
// The bundle is made anew each time.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
for (const file of readdirSync(join(root, 'dist'), { recursive: true })) {
  const source = /^(.*?)(?:\.d)?\.[jt]s$/.exec(file)?.[1];
  if (source !== undefined && !source.startsWith('bundle/') && !existsSync(join(root, `${source}.ts`)))
    rmSync(join(root, 'dist', file));
}
