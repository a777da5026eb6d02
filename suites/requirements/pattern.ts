// Patterns: the one language in which `--grep`, deviations and capabilities name cases, subjects and capabilities.
// docs/running.md, "Name cases", describes the language.
import type { Deviation } from './target.js';

/**
 * Reports whether the text contains the pattern. `*` is any text, `^` at the start of the pattern and `$` at its end
 * are the start and the end of the text, and a backslash removes the special meaning of the next character.
 */
export function matches(pattern: string, text: string): boolean {
  return expressionOf(pattern).test(text);
}

/** Reports whether the pattern matches the whole text, as if it had `^` and `$` around it. */
export function matchesWhole(pattern: string, text: string): boolean {
  return pattern === text || (special.test(pattern) && expressionOf(pattern, true).test(text));
}

/** Returns a pattern that matches only this text. */
export function quoted(text: string): string {
  return text.replace(/[\\*^$]/g, '\\$&');
}

/**
 * Returns a function that reports whether an id contains the pattern of `--grep`. A pattern that occurs literally in
 * some id, such as `$retainKeys`, matches only literally, as before `--grep` accepted patterns. `ids` returns the ids
 * to search.
 */
export function idsWith(grep: string, ids: () => readonly string[]): (id: string) => boolean {
  const isText = special.test(grep) && ids().some((id) => id.includes(grep));
  const expression = expressionOf(isText ? quoted(grep) : grep);
  return (id) => expression.test(id);
}

export function covers(deviation: Deviation, requirement: string, subject: string): boolean {
  if (!requirementsOf(deviation).includes(requirement)) return false;
  const subjects = subjectsOf(deviation);
  return subjects.length === 0 || subjects.some((pattern) => matches(pattern, subject));
}

/** Returns the ids of the requirements that a deviation breaks. */
export function requirementsOf({ requirement }: Pick<Deviation, 'requirement'>): readonly string[] {
  return typeof requirement === 'string' ? [requirement] : requirement;
}

/** Returns the patterns of the subjects that a deviation covers; empty if it covers all. */
export function subjectsOf({ subject }: Pick<Deviation, 'subject'>): readonly string[] {
  if (subject === undefined) return [];
  return typeof subject === 'string' ? [subject] : subject;
}

const special = /[\\*^$>]/;

const expressions = new Map<string, RegExp>();

function expressionOf(pattern: string, whole = false): RegExp {
  const key = whole ? `whole ${pattern}` : `part ${pattern}`;
  const expression = expressions.get(key) ?? compiled(pattern, whole);
  expressions.set(key, expression);
  return expression;
}

function compiled(pattern: string, whole: boolean): RegExp {
  const parts = pattern.match(/\\?./gsu) ?? [];
  const source = parts.map((part, index) => {
    if (part === '*') return '.*';
    if (part === '^' && index === 0) return '^';
    if (part === '$' && index === parts.length - 1) return '$';
    // No keyboard has the separator of ids.
    if (part === '>') return '[>›]';
    return literal(part.length > 1 && part.startsWith('\\') ? part.slice(1) : part);
  });
  return new RegExp(whole ? `^${source.join('')}$` : source.join(''), 'su');
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
