// What servers say about definitions that they take: formats in schemas that check nothing.
import type { KubeObject } from '../../schema/object.js';
import { definitionSpecOf } from './definition.js';
import { formatOf } from './formats.js';
import { nodesBelow } from './structuralSchema.js';

/** The minor version since which servers say so. */
const sinceFormats = 35;

function warningsIn(definition: KubeObject): ReadonlySet<string> {
  const found = new Set<string>();
  const nodes = definitionSpecOf(definition).versions.flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const { format } = node;
    if (format && formatOf(node) === undefined) found.add(`unrecognized format ${JSON.stringify(format)}`);
    for (const [, below] of nodesBelow(node)) nodes.push(below);
  }
  return found;
}

/** Returns what a server of a minor version says about a definition, except what it said before of the same one. */
export function definitionWarnings(minor: number, definition: KubeObject, before?: KubeObject): readonly string[] {
  if (minor < sinceFormats) return [];
  const said = before === undefined ? new Set() : warningsIn(before);
  return [...warningsIn(definition)].filter((warning) => !said.has(warning));
}
