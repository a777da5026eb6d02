// Finds the shortest patterns that match exactly some of the subjects, and that a reader would have written.
import { mechanisms, resources } from '../../matrix/api/index.js';
import { matches, quoted } from '../../suites/requirements/index.js';

/**
 * Returns patterns that together match every wanted subject and no other: as few as a greedy search finds, and the
 * shortest of equally good ones. Returns one `undefined` if all subjects are wanted.
 */
export function patternsFor(wanted: readonly string[], all: readonly string[]): (string | undefined)[] {
  const inside = new Set(wanted);
  const others = all.filter((subject) => !inside.has(subject));
  if (others.length === 0) return [undefined];
  const patterns: string[] = [];
  const tooWide = new Set<string>();
  let left = [...wanted];
  for (let [next] = left; next !== undefined; [next] = left) {
    const found = best(next, left, { others, tooWide });
    patterns.push(found);
    left = left.filter((subject) => !matches(found, subject));
  }
  return patterns;
}

interface Others {
  readonly others: readonly string[];
  /** The patterns that match a subject that is not wanted. */
  readonly tooWide: Set<string>;
}

/** Returns the pattern of a subject that matches most of the remaining subjects and no other subject. */
function best(subject: string, left: readonly string[], { others, tooWide }: Others): string {
  const whole = `^${quoted(subject)}$`;
  let found = { pattern: whole, covered: 1 };
  for (const candidate of candidates(subject)) {
    const pattern = candidate.pattern();
    if (tooWide.has(pattern)) continue;
    if (others.some(candidate.fits)) {
      tooWide.add(pattern);
      continue;
    }
    const covered = left.filter(candidate.fits).length;
    const better = covered > found.covered || (covered === found.covered && pattern.length < found.pattern.length);
    if (better) found = { pattern, covered };
  }
  return found.pattern;
}

/** A pattern that is not written yet, because comparing plain text is faster than regular expressions. */
interface Candidate {
  readonly fits: (subject: string) => boolean;
  readonly pattern: () => string;
}

/** Names that mean one thing wherever they are. */
const names = new Set([...resources.map(({ plural }) => plural), ...Object.keys(mechanisms)]);
/** The least number of letters of a part that is no name: `is`, `any` and `v1beta1` single out a subject only by chance. */
const least = 8;

const isTelling = (text: string): boolean =>
  text.replaceAll(/\W/g, '').length >= least || names.has(text.replace(/^\//, ''));

/** Returns the parts of a subject that a reader recognizes: sequences of its words, and its beginning with its end. */
function candidates(subject: string): Candidate[] {
  const cuts = [0, ...[...subject.matchAll(/(?=[ /,])|(?<=[ /])/g)].map(({ index }) => index), subject.length];
  const places = [...new Set(cuts)];
  const found: Candidate[] = [];
  for (const [at, from] of places.entries()) {
    for (const to of places.slice(at + 1)) {
      const text = subject.slice(from, to);
      if (text.trim() !== text || !isTelling(text)) continue;
      found.push({ fits: (one) => one.includes(text), pattern: () => quoted(text) });
      if (from === 0) found.push({ fits: (one) => one.startsWith(text), pattern: () => `^${quoted(text)}` });
      if (to === subject.length) found.push({ fits: (one) => one.endsWith(text), pattern: () => `${quoted(text)}$` });
    }
  }
  for (const head of places.slice(1, -1)) {
    for (const tail of places.filter((place) => place > head && place < subject.length)) {
      const [first, last] = [subject.slice(0, head), subject.slice(tail)];
      if (first.length + last.length < least) continue;
      found.push({
        fits: (one) => one.length >= first.length + last.length && one.startsWith(first) && one.endsWith(last),
        pattern: () => `^${quoted(first)}*${quoted(last)}$`,
      });
    }
  }
  return found;
}
