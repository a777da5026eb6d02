// The rights that rules would grant and that a user does not have, in the words of real servers.
import { coversPath, coversResource, type Rule } from './rules.js';

/** The most looks at a name for one write: who writes the rules chooses how many rights they have. */
const mostLooks = 500_000;
/** The most missing rights that are told. */
const mostMissing = 1_000;

/** A right that cannot be divided: one verb on one resource or path, or on one object. */
export interface Right {
  readonly verb: string;
  readonly group?: string;
  /** With its subresource, as in `pods/log`. */
  readonly resource?: string;
  readonly name?: string;
  readonly path?: string;
}

/** A rule with sets, so that a look at a name costs the same however many names the rule has. */
type Held = { readonly [List in keyof Required<Rule>]: ReadonlySet<string> };

/** Returns the missing rights, the first of them if there are many. Undefined means that there are too many to compare. */
export function missingRights(rules: readonly Rule[], wanted: readonly Rule[]): readonly Right[] | undefined {
  const looks = new Looks();
  const missing: Right[] = [];
  try {
    const held = rules.map((rule) => heldFrom(rule, looks));
    for (const rule of wanted) {
      if (held.some((one) => includes(one, rule, looks))) continue;
      for (const right of missingOf(rule, held, looks)) {
        missing.push(right);
        if (missing.length >= mostMissing) return missing;
      }
    }
    return missing;
  } catch (error) {
    if (error === looks.tooMany) return undefined;
    throw error;
  }
}

class Looks {
  readonly tooMany = new Error('too many rights to compare');
  #left = mostLooks;

  take(looks: number): void {
    this.#left -= looks;
    if (this.#left < 0) throw this.tooMany;
  }
}

function heldFrom(rule: Rule, looks: Looks): Held {
  const set = (names: readonly string[] = []): ReadonlySet<string> => {
    looks.take(names.length);
    return new Set(names);
  };
  return {
    verbs: set(rule.verbs),
    apiGroups: set(rule.apiGroups),
    resources: set(rule.resources),
    resourceNames: set(rule.resourceNames),
    nonResourceURLs: set(rule.nonResourceURLs),
  };
}

/** Yields each right of a rule that no rule grants. Each list leaves fewer rules to look at for the next. */
function* missingOf(rule: Rule, held: readonly Held[], looks: Looks): Iterable<Right> {
  const chosen = (of: readonly Held[], matches: (one: Held) => boolean): readonly Held[] => {
    looks.take(of.length + 1);
    return of.filter(matches);
  };
  const ofVerb = (of: readonly Held[], verb: string) => chosen(of, ({ verbs }) => hasAny(verbs, verb));
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  for (const resource of resources) {
    const ofResource = chosen(held, (one) => coversResource((name) => one.resources.has(name), resource));
    for (const group of apiGroups) {
      const ofGroup = chosen(ofResource, (one) => hasAny(one.apiGroups, group));
      for (const verb of verbs) {
        const granting = ofVerb(ofGroup, verb);
        // A right on all objects needs a rule for all objects.
        if (granting.some((one) => one.resourceNames.size === 0)) continue;
        for (const name of names) {
          if (name !== undefined && chosen(granting, (one) => one.resourceNames.has(name)).length > 0) continue;
          yield { group, resource, verb, ...(name !== undefined && { name }) };
        }
      }
    }
  }
  for (const path of nonResourceURLs) {
    for (const { nonResourceURLs: patterns } of held) looks.take(patterns.size);
    const ofPath = chosen(held, (one) => coversPath(one.nonResourceURLs, path));
    for (const verb of verbs) if (ofVerb(ofPath, verb).length === 0) yield { path, verb };
  }
}

const hasAny = (names: ReadonlySet<string>, name: string): boolean => names.has('*') || names.has(name);

/** Reports whether a rule says all that another says: a quick look before each right is compared. */
function includes(one: Held, other: Rule, looks: Looks): boolean {
  const all = (names: ReadonlySet<string>, wanted: readonly string[] = []): boolean =>
    names.has('*') ||
    wanted.every((name) => {
      looks.take(1);
      return names.has(name);
    });
  const { resourceNames: named } = one;
  const others = other.resourceNames ?? [];
  return (
    all(one.verbs, other.verbs) &&
    all(one.apiGroups, other.apiGroups) &&
    all(one.resources, other.resources) &&
    all(one.nonResourceURLs, other.nonResourceURLs) &&
    (named.size === 0 || (others.length > 0 && !named.has('*') && all(named, others)))
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
