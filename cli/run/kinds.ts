// The kinds that only the target knows: finds them before the first case, and makes a valid object of each.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LineCounter, parseAllDocuments } from 'yaml';
import { whyNot } from '../../matrix/api/fileFailure.js';
import { type FoundKind, resources } from '../../matrix/api/index.js';
import {
  type Client,
  type DeclaredKind,
  findKinds,
  hasNamespaces,
  Sandbox,
  type UserSample,
  unusedOf,
  withSamples,
} from '../../suites/index.js';
import { isNamed, type NotSupported } from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';
import { readTextFile } from '../files.js';
import { yamlOffset } from '../yamlErrors.js';
import { asksForKinds, type RunOptions } from './options.js';

/** Returns the kinds that the options ask for, as the target declares them; undefined if they ask for none. */
export async function declaredKinds(client: Client, options: RunOptions): Promise<DeclaredKind[] | undefined> {
  if (!asksForKinds(options)) return undefined;
  const { everyKind, kinds: named = [], readOnly } = options;
  const found = await findKinds({
    client,
    named,
    ...(!everyKind && { only: named }),
    ...(readOnly && { readOnly: 'the run is read-only' }),
  });
  const absent = named.filter((name) => !isThere(name, found));
  if (absent.length > 0) throw new UsageError(`--kinds: the server has no kind ${absent.join(', ')}`);
  return found;
}

/** Reports whether a pattern names a kind that was found, or one of the interface. */
const isThere = (name: string, found: readonly DeclaredKind[]): boolean =>
  [...rowsOf(found), ...resources.map(({ plural, groupVersion: { group } }) => ({ plural, group }))].some((kind) =>
    isNamed(kind, [name]),
  );

/** Returns the rows of kinds before their samples are made. */
export const rowsOf = (kinds: readonly DeclaredKind[]): FoundKind[] => kinds.map(({ row }) => row);

interface Making {
  readonly client: Client;
  readonly runId: string;
  readonly options: RunOptions;
  readonly notSupported: readonly NotSupported[];
}

/** Makes a valid object of each kind. Throws UsageError if the user gives a sample of a kind that is not there. */
export async function sampledKinds(
  { client, runId, options, notSupported }: Making,
  kinds: readonly DeclaredKind[],
): Promise<FoundKind[]> {
  const given = options.samples === undefined ? [] : readSamples(options.samples);
  const [unused] = unusedOf(given, kinds);
  if (unused !== undefined)
    throw new UsageError(`--samples: ${unused.file}: the run has no kind ${unused.kind} of ${unused.apiVersion}`);
  return await withSamples(kinds, new Sandbox(client, runId, 'samples', hasNamespaces(notSupported)), given);
}

/** Reads the objects in the YAML files of a directory. Throws UsageError that names the file. */
function readSamples(directory: string): UserSample[] {
  let names: string[];
  try {
    names = readdirSync(directory).filter((name) => /\.(ya?ml|json)$/.test(name));
  } catch (error) {
    throw new UsageError(`--samples: cannot read ${directory}: ${whyNot(error)}`);
  }
  if (names.length === 0) throw new UsageError(`--samples: ${directory} has no YAML files`);
  return names.sort().flatMap((name) => samplesIn(join(directory, name)));
}

function samplesIn(file: string): UserSample[] {
  const text = readTextFile(file, '--samples');
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter, prettyErrors: false }).map((document) => {
    const [wrong] = document.errors;
    if (wrong === undefined) return document.toJS() as unknown;
    const { line } = lineCounter.linePos(yamlOffset(wrong, text));
    throw new UsageError(`--samples: ${file}:${line}: not YAML: ${wrong.message}`);
  });
  return documents
    .filter((document) => document !== null && document !== undefined)
    .map((document): UserSample => {
      const { apiVersion, kind, metadata: _, ...fields } = document as Record<string, unknown>;
      if (typeof apiVersion !== 'string' || typeof kind !== 'string')
        throw new UsageError(`--samples: ${file}: an object has no apiVersion or no kind`);
      return { file, apiVersion, kind, fields: JSON.parse(JSON.stringify(fields)) as UserSample['fields'] };
    });
}
