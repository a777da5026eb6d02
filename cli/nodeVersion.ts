// The version of Node.js that this package needs. The syntax and the imports of this file work on old versions too.
// biome-ignore lint/style/useNodejsImportProtocol: an old Node.js knows no `node:`
import { existsSync, readFileSync } from 'fs';

interface Package {
  readonly engines: { readonly node: string };
}

/** Reports whether a version is at or above another: `22.12.0`, `20.19.1`. */
function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [version.split('.').map(Number), least.split('.').map(Number)];
  const differs = [0, 1, 2].find((place) => a[place] !== b[place]);
  return differs === undefined || Number(a[differs]) > Number(b[differs]);
}

/** Reports whether a version is in a range of `^` and `>=`, separated by `||`. */
function isIn(range: string, version: string): boolean {
  return range.split('||').some((part) => {
    const least = part.trim().replace(/^(\^|>=)/, '');
    return isAtLeast(version, least) && (part.trim()[0] !== '^' || version.split('.')[0] === least.split('.')[0]);
  });
}

/** Returns what is wrong with the version of Node.js, as one sentence; undefined if this package works on it. */
export function wrongNode(): string | undefined {
  // Above this file, and above `dist` if it is compiled.
  const files = ['../package.json', '../../package.json'].map((path) => new URL(path, import.meta.url));
  const file = files.find((each) => existsSync(each));
  if (file === undefined) return undefined;
  const range = (JSON.parse(readFileSync(file, 'utf8')) as Package).engines.node;
  const { node } = process.versions;
  return isIn(range, node) ? undefined : `kube-api-conformance requires Node.js ${range}; this is ${node}`;
}
