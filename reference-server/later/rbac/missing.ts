// The rights that rules would grant and that a user does not have, in the words of real servers.
import { covers, type Right, type Rule, rightsOf } from './rules.js';

/** The most comparisons of a right with a rule for one write: who writes the rules chooses how many rights they have. */
const mostComparisons = 2_000_000;
/** The most missing rights that are told. */
const mostMissing = 1_000;

/** Returns the missing rights, the first of them if there are many. Undefined means that there are too many to compare. */
export function missingRights(held: readonly Rule[], wanted: readonly Rule[]): readonly Right[] | undefined {
  const missing: Right[] = [];
  let comparisons = 0;
  for (const rule of wanted) {
    if (held.some((one) => includes(one, rule))) continue;
    for (const right of rightsOf(rule)) {
      comparisons += held.length + 1;
      if (comparisons > mostComparisons) return undefined;
      if (!held.some((one) => covers(one, right))) missing.push(right);
      if (missing.length >= mostMissing) return missing;
    }
  }
  return missing;
}

/** Reports whether a rule says all that another says: a quick look before each right is compared. */
function includes(one: Rule, other: Rule): boolean {
  const all = (names: readonly string[] | undefined, wanted: readonly string[] | undefined): boolean =>
    (wanted ?? []).length === 0 ||
    names?.includes('*') === true ||
    wanted?.every((name) => names?.includes(name)) === true;
  const named = one.resourceNames ?? [];
  return (
    all(one.verbs, other.verbs) &&
    all(one.apiGroups, other.apiGroups) &&
    all(one.resources, other.resources) &&
    all(one.nonResourceURLs, other.nonResourceURLs) &&
    (named.length === 0 || ((other.resourceNames ?? []).length > 0 && all(named, other.resourceNames)))
  );
}

/** Returns a line for each resource or path of the rights, in order. */
export function linesOf(rights: readonly Right[]): readonly string[] {
  const verbs = new Map<string, string[]>();
  const lines: string[] = [];
  for (const { verb, group, resource, name, path } of rights) {
    if (path !== undefined) {
      lines.push(`{NonResourceURLs:${list(path)}, Verbs:${list(verb)}}`);
      continue;
    }
    const about = `APIGroups:${list(group)}, Resources:${list(resource)}${name === undefined ? '' : `, ResourceNames:${list(name)}`}`;
    verbs.set(about, [...(verbs.get(about) ?? []), verb]);
  }
  for (const [about, of] of verbs) lines.push(`{${about}, Verbs:${list(...of)}}`);
  return [...new Set(lines)].sort((one, other) => (one < other ? -1 : 1));
}

/** Writes a list of texts as real servers do. */
export const list = (...texts: readonly (string | undefined)[]): string =>
  `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;
