// The kinds that a run walks beside those of the interface: discovered, declared, judged for safety, with samples.
import { apiVersionOf, type FoundKind, nameOfKind, resources } from '../../../matrix/api/index.js';
import type { Client } from '../../client/client.js';
import { isNamed } from '../../requirements/index.js';
import type { Sandbox } from '../sandbox.js';
import { type DeclaredKind, declaredKind } from './declaredKind.js';
import { type DiscoveredKind, discoverKinds } from './discovered.js';
import { readDocuments } from './documents.js';
import { sideEffectOf } from './safety.js';
import { sampleFor, type UserSample } from './samples.js';

export interface KindSearch {
  readonly client: Client;
  /** Patterns of the kinds to walk; all when absent. */
  readonly only?: readonly string[];
  /** The names that the user gave: a kind with one of them may be written, whatever its objects do. */
  readonly named: readonly string[];
  /** Why nothing may be written at all; absent if objects may be made. */
  readonly readOnly?: string;
}

/** The number of kinds whose samples are made at the same time. */
const atOnce = 8;

/** Returns the kinds of a target that the table lacks, as the target declares them. Sends only GETs. */
export async function findKinds(search: KindSearch): Promise<DeclaredKind[]> {
  const { client, only } = search;
  const lacking = (await discoverKinds(client)).filter((kind) => !isInTable(kind) && kind.verbs.length > 0);
  const wanted = only === undefined ? lacking : lacking.filter((kind) => isNamed(kind, only));
  const documents = await readDocuments(client, versionsOf(wanted));
  client.takeExchanges();
  return wanted.map((kind) => {
    const { row, located } = declaredKind(kind, documents);
    const readOnly = whyReadOnly(row, search);
    return { row: readOnly === undefined ? row : { ...row, readOnly }, ...(located && { located }) };
  });
}

/** Makes a valid object of each kind that may be written, and returns the rows with what that showed. */
export async function withSamples(
  kinds: readonly DeclaredKind[],
  sandbox: Sandbox,
  given: readonly UserSample[],
): Promise<FoundKind[]> {
  const rows: FoundKind[] = [];
  for (let start = 0; start < kinds.length; start += atOnce) {
    const some = kinds.slice(start, start + atOnce);
    rows.push(...(await Promise.all(some.map((one) => completed(one, sandbox, given)))));
    sandbox.client.takeExchanges();
  }
  return rows;
}

export function unusedOf(given: readonly UserSample[], kinds: readonly DeclaredKind[]): UserSample[] {
  return given.filter((sample) => !kinds.some(({ row }) => isOf(sample, row)));
}

/** The names of the table's rows: a resource in one version. */
const rows = new Set(resources.map(({ groupVersion, plural }) => `${apiVersionOf(groupVersion)} ${plural}`));

const isInTable = ({ group, version, plural }: DiscoveredKind): boolean =>
  rows.has(`${apiVersionOf({ group, version })} ${plural}`);

const versionsOf = (kinds: readonly DiscoveredKind[]) => [
  ...new Map(kinds.map(({ group, version }) => [`${group}/${version}`, { group, version }])).values(),
];

const isOf = ({ apiVersion, kind }: UserSample, of: Pick<FoundKind, 'group' | 'version' | 'kind'>): boolean =>
  kind === of.kind && apiVersion === apiVersionOf(of);

async function completed(
  { row, located }: DeclaredKind,
  sandbox: Sandbox,
  given: readonly UserSample[],
): Promise<FoundKind> {
  if (row.readOnly !== undefined) return row;
  const own = given.find((sample) => isOf(sample, row));
  const traits = await sampleFor(sandbox, row, located, own);
  if (traits.immutable === undefined) return { ...row, ...traits };
  return { ...row, ...traits, verbs: row.verbs.filter((verb) => verb !== 'replace' && verb !== 'patch') };
}

/** Returns why the run only reads a kind; undefined if it may write objects of the kind. */
function whyReadOnly(row: FoundKind, { client, named, readOnly }: KindSearch): string | undefined {
  const isTransient = row.verbs.length === 1 && row.verbs[0] === 'create';
  const isStored = (['create', 'read', 'list', 'delete'] as const).every((verb) => row.verbs.includes(verb));
  const name = nameOfKind(row);
  const isExplicit = named.some((pattern) => !pattern.includes('*') && isNamed(row, [pattern]));
  const effect = sideEffectOf(row);
  if (readOnly !== undefined) return readOnly;
  if (!isStored && !isTransient) return 'it is not a kind whose objects can be created, read, listed and deleted';
  if (isTransient || isExplicit) return undefined;
  if (effect !== undefined) return `its objects ${effect}; name it with --kinds ${name} to write some`;
  if (row.namespaced || client.target.disposable) return undefined;
  return `it is cluster-scoped, and the target is not disposable; name it with --kinds ${name} to write some`;
}
