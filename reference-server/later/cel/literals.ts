// Mistakes in literals that would make a call fail whenever it runs: durations, moments and patterns.
import type { Checked } from './check.js';
import { parseDuration, parseTimestamp } from './functions/conversions.js';
import { patternOf } from './patterns.js';
import { childrenOf, type Issue, type Node } from './syntax.js';

/** The functions whose literals are checked: the place of the argument, and what it must be. */
const checks: ReadonlyMap<string, readonly [place: number, isValid: (text: string) => boolean]> = new Map([
  ['duration', [0, (text: string) => parseDuration(text) !== undefined] as const],
  ['timestamp', [0, (text: string) => parseTimestamp(text) !== undefined] as const],
  ['matches', [1, isPattern] as const],
]);

function isPattern(text: string): boolean {
  try {
    patternOf(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the mistakes in the literals of a tree. */
export function literalIssues(tree: Node, checked: Checked): readonly Issue[] {
  return [...ownIssues(tree, checked), ...childrenOf(tree).flatMap((child) => literalIssues(child, checked))];
}

function ownIssues(node: Node, checked: Checked): readonly Issue[] {
  const check = node.kind === 'call' ? checks.get(node.name) : undefined;
  if (node.kind !== 'call' || check === undefined) return [];
  const [place, isValid] = check;
  const literal = checked.argumentsOf(node)[place];
  if (literal?.kind !== 'literal' || typeof literal.value !== 'string' || isValid(literal.value)) return [];
  return [{ at: literal.at, message: `invalid ${node.name} argument` }];
}
