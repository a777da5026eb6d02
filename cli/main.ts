#!/usr/bin/env -S node --max-semi-space-size=8 --no-parallel-scavenge
// The entry of the command line: checks the version of Node.js, then loads the rest. Its syntax and imports work on old
// versions too.
// The server's new objects are short-lived: larger semi-spaces cost 20 MB more, and help only a server with an etcd. One
// thread collects them: with several, a create with an etcd costs up to a fifth more CPU.
// biome-ignore lint/style/useNodejsImportProtocol: an old Node.js knows no `node:`
import { readFileSync } from 'fs';
// biome-ignore lint/style/useNodejsImportProtocol: an old Node.js knows no `node:`
import nodeModule from 'module';

interface Package {
  readonly engines: { readonly node: string };
}

/** From Node.js 22.1 on: keeps compiled code in the temporary folder, for the next start. */
interface CompileCache {
  enableCompileCache?(): void;
}

const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
const range = (JSON.parse(text) as Package).engines.node;

/** Reports whether a version is at or above another: `22.12.0`, `20.19.1`. */
function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [version.split('.').map(Number), least.split('.').map(Number)];
  const differs = [0, 1, 2].find((place) => a[place] !== b[place]);
  return differs === undefined || Number(a[differs]) > Number(b[differs]);
}

/** Reports whether a version is in a range of `^` and `>=`, separated by `||`. */
function isIn(version: string): boolean {
  return range.split('||').some((part) => {
    const least = part.trim().replace(/^(\^|>=)/, '');
    return isAtLeast(version, least) && (part.trim()[0] !== '^' || version.split('.')[0] === least.split('.')[0]);
  });
}

const { node } = process.versions;
if (isIn(node)) {
  (nodeModule as CompileCache).enableCompileCache?.();
  import('./program.js');
} else {
  process.stderr.write(`kube-api-conformance requires Node.js ${range}; this is ${node}\n`);
  process.exitCode = 2;
}
