// The pattern in which a deviation names subjects, and the cases that it so covers.
import type { Deviation } from './target.js';

/** Whether a deviation speaks of this case. */
export function covers(deviation: Deviation, requirement: string, subject: string): boolean {
  if (!requirementsOf(deviation).includes(requirement)) return false;
  const subjects = subjectsOf(deviation);
  return subjects.length === 0 || subjects.some((pattern) => matches(pattern, subject));
}

/** The ids of the requirements that a deviation breaks. */
export function requirementsOf({ requirement }: Pick<Deviation, 'requirement'>): readonly string[] {
  return typeof requirement === 'string' ? [requirement] : requirement;
}

/** The patterns of the subjects that a deviation is about; none where it is about all. */
export function subjectsOf({ subject }: Pick<Deviation, 'subject'>): readonly string[] {
  if (subject === undefined) return [];
  return typeof subject === 'string' ? [subject] : subject;
}

/**
 * Whether a subject has the pattern in it. `*` stands for any text, `^` at its start and `$` at its end for those of
 * the subject, and a backslash takes the meaning from what follows it.
 */
export function matches(pattern: string, subject: string): boolean {
  return expressionOf(pattern).test(subject);
}

const known = new Map<string, RegExp>();

function expressionOf(pattern: string): RegExp {
  const expression = known.get(pattern) ?? compiled(pattern);
  known.set(pattern, expression);
  return expression;
}

function compiled(pattern: string): RegExp {
  const parts = pattern.match(/\\?./gsu) ?? [];
  const source = parts.map((part, index) => {
    if (part === '*') return '.*';
    if (part === '^' && index === 0) return '^';
    if (part === '$' && index === parts.length - 1) return '$';
    return literal(part.length > 1 && part.startsWith('\\') ? part.slice(1) : part);
  });
  return new RegExp(source.join(''), 'su');
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** A text as a part of a pattern that means just that text. */
export function quoted(text: string): string {
  return text.replace(/[\\*^$]/g, '\\$&');
}
