// Chooses between the bundle and the compiled modules. The syntax and the imports of this file work on old versions of
// Node.js too.
// biome-ignore lint/style/useNodejsImportProtocol: an old Node.js knows no `node:`
import { readdirSync, statSync } from 'fs';

const dist = new URL('../', import.meta.url);
const timeOf = (file: string): number => statSync(new URL(file, dist)).mtimeMs;

/**
 * Returns the folder, relative to `dist`, of the bundle; undefined if there is none, or if modules were compiled after
 * it: `tsc` notes its runs in files that are not published.
 */
export function bundleFolder(): string | undefined {
  try {
    const bundled = timeOf('bundle/program.js');
    const compiled = readdirSync(dist).filter((file) => /\.tsbuildinfo$/.test(file));
    return compiled.every((file) => timeOf(file) <= bundled) ? 'bundle' : undefined;
  } catch {
    return undefined;
  }
}
