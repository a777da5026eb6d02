// Chooses between the bundle and the compiled modules. The syntax and the imports of this file work on old versions of
// Node.js too.
// biome-ignore lint/style/useNodejsImportProtocol: an old Node.js knows no `node:`
import { readdirSync, statSync } from 'fs';

const dist = new URL('../', import.meta.url);
const timeOf = (file: string): number => statSync(new URL(file, dist)).mtimeMs;

/**
 * Returns the folder, relative to `dist`, of the bundle; undefined if there is none, or if modules were compiled after
 * it. `tsc` notes each of its runs in files that are not published, so only then are the modules looked at.
 */
export function bundleFolder(): string | undefined {
  try {
    const bundled = timeOf('bundle/program.js');
    const isNewer = (file: string): boolean => timeOf(file) > bundled;
    const ran = readdirSync(dist).some((file) => /\.tsbuildinfo$/.test(file) && isNewer(file));
    if (!ran) return 'bundle';
    const modules = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => /\.js$/.test(file));
    return modules.some((file) => !/^bundle[/\\]/.test(file) && isNewer(file)) ? undefined : 'bundle';
  } catch {
    return undefined;
  }
}
