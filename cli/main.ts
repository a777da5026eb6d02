#!/usr/bin/env -S node --max-semi-space-size=4
// The command line's first file: looks whether this Node.js is new enough, then loads the rest. It imports and writes
// nothing that an old one does not know.
// The server's young objects die at once: with more room for them it takes 20 MB more, and is no faster.
// biome-ignore lint/style/useNodejsImportProtocol: an old Node.js knows no `node:`
import { readFileSync } from 'fs';

interface Package {
  readonly engines: { readonly node: string };
}

const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
const range = (JSON.parse(text) as Package).engines.node;

/** Whether a version is at or above another: `22.12.0`, `20.19.1`. */
function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [version.split('.').map(Number), least.split('.').map(Number)];
  const differs = [0, 1, 2].find((place) => a[place] !== b[place]);
  return differs === undefined || Number(a[differs]) > Number(b[differs]);
}

/** Whether a version is in a range of `^` and `>=`, with `||` between them. */
function isIn(version: string): boolean {
  return range.split('||').some((part) => {
    const least = part.trim().replace(/^(\^|>=)/, '');
    return isAtLeast(version, least) && (part.trim()[0] !== '^' || version.split('.')[0] === least.split('.')[0]);
  });
}

const { node } = process.versions;
if (isIn(node)) import('./program.js');
else {
  process.stderr.write(`kube-api-conformance requires Node.js ${range}; this is ${node}\n`);
  process.exitCode = 2;
}
