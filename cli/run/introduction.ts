// The lines before the first case of a run: the server, its missing features, and aliases of resources.
import { groupBy } from '../../matrix/api/groupBy.js';
import type { FoundKind } from '../../matrix/api/index.js';
import type { Alias, NotSupported, Target } from '../../suites/requirements/index.js';

/** The facts about a target before the first case. */
interface Known {
  readonly target: Pick<Target, 'name' | 'url'>;
  readonly serverVersion?: string | undefined;
  readonly notSupported: readonly NotSupported[];
  readonly aliases: readonly Alias[];
  /** The kinds that only the target knows. */
  readonly kinds?: readonly FoundKind[];
}

/** The most missing features in a line. */
const named = 8;

export function introduction({
  target: { name, url },
  serverVersion,
  notSupported,
  aliases,
  kinds = [],
}: Known): string[] {
  const host = url.replace(/^https?:\/\//, '');
  const what = name === host ? [] : [name];
  const server = [...what, ...(serverVersion === undefined ? [] : [serverVersion]), `at ${url}`].join(' ');
  const lacks = namesOf(notSupported);
  const rest = lacks.length - named;
  const elsewhere = [...groupBy(aliases, ({ to }) => to)].map(
    ([to, members]) => `${members.map(({ resource }) => resource).join(', ')} as ${to}`,
  );
  return [
    `server: ${server}`,
    ...(lacks.length === 0
      ? []
      : [`not supported: ${[...lacks.slice(0, named), ...(rest > 0 ? [`${rest} more`] : [])].join(', ')}`]),
    ...(elsewhere.length === 0 ? [] : [`tested under an alias, not scored: ${elsewhere.join('; ')}`]),
    ...(kinds.length === 0 ? [] : [kindsLine(kinds)]),
  ];
}

/** Returns the names of missing capabilities, the largest first: features, then groups, resources and the rest. */
function namesOf(notSupported: readonly NotSupported[]): string[] {
  const order = ['feature', 'mechanism', 'group', 'resource', 'mediaType', 'nodes', 'operation'];
  const parts = notSupported.map(({ capability }) => {
    const colon = capability.indexOf(':');
    return { kind: capability.slice(0, colon), name: capability.slice(colon + 1) };
  });
  const sorted = parts.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const text = ({ kind, name }: (typeof parts)[number]): string =>
    ['feature', 'resource', 'operation'].includes(kind) ? name : `${kind} ${name}`;
  return [...new Set(sorted.map(text))];
}

/** Returns the numbers of kinds that are walked, only read, and without a valid object. */
function kindsLine(kinds: readonly FoundKind[]): string {
  const read = kinds.filter(({ readOnly }) => readOnly !== undefined).length;
  const blocked = kinds.filter((kind) => kind.blocked !== undefined).length;
  const parts = [
    `${kinds.length - read - blocked} walked`,
    ...(read > 0 ? [`${read} only read`] : []),
    ...(blocked > 0 ? [`${blocked} without a valid object`] : []),
  ];
  return `other kinds: ${kinds.length} found, ${parts.join(', ')}`;
}
