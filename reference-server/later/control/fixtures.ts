// Fixtures: the objects of files and values, stored as they are given.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { whyNot } from '../../../matrix/api/fileFailure.js';
import { apiVersionOf, type Resource } from '../../../matrix/api/index.js';
import { unknownName } from '../../../matrix/api/nearest.js';
import { json } from '../../codecs/json.js';
import { yaml } from '../../codecs/yaml.js';
import { jsonText, parseJson } from '../../exactJson.js';
import { oneOf, requireFields } from '../../fieldChecks.js';
import { OptionError } from '../../optionValues.js';
import type { Loadable } from '../../registry/load.js';
import type { Registry } from '../../registry/registry.js';
import { decodeAndCheck, expectedOf } from '../../schema/body.js';
import type { FieldCheck } from '../../schema/fieldValidation.js';
import { isRecord, type KubeObject, type ObjectMeta } from '../../schema/object.js';
import { StatusError } from '../../statusError.js';
import type { Storage } from '../../storage/storage.js';
import { doInTurns } from '../../turns.js';
import { keyOf, storageResource } from '../../versions/addresses.js';
import { toVersion } from '../../versions/views.js';
import { ownersFirst } from './ownersFirst.js';
import type { FileUrl, LoadOptions, TestObject } from './surface.js';

/** An object, with where it comes from, for errors. */
interface Given {
  readonly from: string;
  readonly object: unknown;
}

interface Ready extends Given {
  readonly kind: string;
  readonly resource: Resource;
  readonly loadable: Loadable;
}

type Owners = NonNullable<ObjectMeta['ownerReferences']>;

/** The server that objects are loaded into. */
interface LoadingServer {
  /** What the server serves now. */
  readonly served: { readonly resources: readonly Resource[] };
  readonly registry: Pick<Registry, 'of'>;
  readonly storage: Pick<Storage, 'get' | 'delete' | 'guaranteedUpdate'>;
  /** Resolves when the controllers have nothing to do. */
  settled(): Promise<void>;
}

interface Loading extends LoadingServer {
  /** Whether unknown fields are refused. */
  readonly isStrict: boolean;
}

const namespaces = 'namespaces';
const strict: FieldCheck = { isStrict: true, warn: () => undefined };

/**
 * Loads objects into the stores. All are checked before the first one is stored. Definitions of custom resources are
 * loaded first, since the other objects may be their custom resources. Throws an OptionError that names the object
 * which cannot be read or is invalid.
 */
export async function loadObjects(
  objects: string | FileUrl | TestObject | readonly TestObject[],
  options: LoadOptions,
  server: LoadingServer,
): Promise<readonly TestObject[]> {
  const loading = { ...server, isStrict: isStrict(options) };
  const given = isPath(objects) ? await filesAt(pathOf(objects)) : flattened('objects', plain(objects));
  const definitions = given.filter(isDefinition);
  if (definitions.length === 0) return loadAll(given, loading);
  const stored = new Map<Given, TestObject>();
  const load = async (some: readonly Given[]): Promise<void> => {
    const results = await loadAll(some, loading);
    for (const [index, each] of some.entries()) stored.set(each, results[index] as TestObject);
  };
  const undo = await undoOf(definitions, loading);
  try {
    await load(definitions);
    await untilServed([...stored.values()], loading);
    await load(given.filter((each) => !isDefinition(each)));
  } catch (error) {
    await undo();
    await loading.settled();
    throw error;
  }
  return given.map((each) => stored.get(each) as TestObject);
}

/** Returns what puts the definitions back that are there now, and removes the others: nothing is stored if one is invalid. */
async function undoOf(definitions: readonly Given[], { storage, served }: Loading): Promise<() => Promise<void>> {
  const row = served.resources.find(({ kind }) => kind === definitionKind);
  const names = definitions.map(({ object }) => String((object as TestObject).metadata?.name ?? ''));
  if (row === undefined) return async () => {};
  const keys = names.map((name) => keyOf(storageResource(row), undefined, name));
  const before = await Promise.all(keys.map((key) => storage.get(key)));
  return async () => {
    for (const [index, key] of keys.entries()) {
      const value = before[index]?.value;
      const now = await storage.get(key);
      if (now === undefined || now.revision === before[index]?.revision) continue;
      if (value === undefined) await storage.delete(key);
      else await storage.guaranteedUpdate(key, () => ({ put: value }));
    }
  };
}

/** The longest time until a definition is served, in milliseconds: a machine may be busy. */
const longestWait = 10_000;

/** Resolves when the versions of definitions are served, but for those whose names are not accepted. */
async function untilServed(definitions: readonly TestObject[], loading: Loading): Promise<void> {
  const end = performance.now() + longestWait;
  for (const { metadata, spec } of definitions) {
    const wanted = spec.versions.filter(({ served }: TestObject) => served).map(({ name }: TestObject) => name);
    const isServed = (version: string): boolean =>
      loading.served.resources.some(
        ({ plural, groupVersion: { group, version: own } }) =>
          plural === spec.names.plural && group === spec.group && own === version,
      );
    await loading.settled();
    while (!wanted.every(isServed) && !(await isRefused(metadata.name, loading)) && performance.now() < end)
      await pause(5);
  }
}

/** Reports whether the names of a definition are those of another one. */
async function isRefused(name: string, { served, registry }: Loading): Promise<boolean> {
  const row = served.resources.find(({ kind }) => kind === definitionKind);
  const entry = row && (await registry.of(row).find({ namespace: undefined, name }));
  const { conditions = [] } = (entry?.value.status ?? {}) as { conditions?: readonly TestObject[] };
  return entry === undefined || conditions.some(({ type, status }) => type === 'NamesAccepted' && status === 'False');
}

const loadChecks = { fieldValidation: oneOf('value', ['Strict', 'Ignore']) };

function isStrict(options: LoadOptions): boolean {
  requireFields('load', options, loadChecks);
  return options.fieldValidation !== 'Ignore';
}

const isPath = (objects: unknown): objects is string | URL => typeof objects === 'string' || objects instanceof URL;

function pathOf(path: string | URL): string {
  if (path instanceof URL) {
    if (path.protocol !== 'file:') throw new OptionError(`load: ${path.href}: give a file: URL, or the objects`);
    return fileURLToPath(path);
  }
  if (path.trim() === '') throw new OptionError('load: the path is empty: give a path, or the objects');
  if (/\n|^\s*[[{]|^[\w"']+:(\s|$)/.test(path))
    throw new OptionError(
      'load: this is the text of objects, not a path: parse it and give the objects, or write a file',
    );
  return path;
}

/** Returns the value as its JSON has it: without absent fields, and with dates as text. */
function plain(value: unknown): unknown {
  try {
    return parseJson(jsonText(value) ?? 'null');
  } catch (error) {
    const [why] = (error as Error).message.split('\n');
    throw new OptionError(`load: objects: they have no JSON: ${why}`);
  }
}

const definitionKind = 'CustomResourceDefinition';
const isDefinition = ({ object }: Given): boolean => isRecord(object) && object.kind === definitionKind;

async function loadAll(given: readonly Given[], loading: Loading): Promise<readonly TestObject[]> {
  const ready: Ready[] = [];
  for (const each of given) ready.push(await readied(each, loading));
  const uids = new Map(ready.map(({ kind, loadable: { metadata } }) => [ownerId(kind, metadata), metadata.uid]));
  for (const each of ready) {
    await about(each, () => {
      adopt(each, uids);
      return each.loadable.check();
    });
  }
  const isNamespace = ({ resource }: Ready) => resource.plural === namespaces;
  const stored = new Map<Ready, KubeObject>();
  const others = ready.filter((each) => !isNamespace(each));
  for (const each of [...ready.filter(isNamespace), ...ownersFirst(others, ({ loadable }) => loadable.metadata)])
    stored.set(each, await about(each, async () => (await each.loadable.store()).value));
  return ready.map((each) => structuredClone(toVersion(each.resource, stored.get(each) as KubeObject)));
}

/** Sets the uids of owners that the object names without them. */
function adopt({ loadable }: Ready, uids: ReadonlyMap<string, string | undefined>): void {
  const { ownerReferences = [], namespace } = loadable.metadata;
  if (ownerReferences.every(({ uid }) => uid)) return;
  const owners = ownerReferences.map((owner) => {
    const { kind, name } = owner;
    const uid = owner.uid || uids.get(ownerId(kind, { name, namespace })) || uids.get(ownerId(kind, { name }));
    return uid === undefined ? owner : { ...owner, uid };
  });
  loadable.own(owners as Owners);
}

const ownerId = (kind: string, { namespace = '', name = '' }: { name?: string; namespace?: string | undefined }) =>
  `${kind}/${namespace}/${name}`;

async function readied({ from, object }: Given, { served, registry, isStrict }: Loading): Promise<Ready> {
  if (!isRecord(object)) throw new OptionError(`load: ${from}: this is not an object of the API`);
  const { apiVersion, kind, metadata } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string')
    throw new OptionError(`load: ${from}: give the object an apiVersion and a kind`);
  const { name, namespace } = isRecord(metadata) ? metadata : {};
  const what = `${from}: ${kind} ${typeof name === 'string' ? name : '(without a name)'}`;
  const resource = resourceOfKind(what, apiVersion, kind, served.resources);
  const place = resource.namespaced ? (typeof namespace === 'string' && namespace ? namespace : 'default') : undefined;
  const check = isStrict ? strict : undefined;
  const loadable = await about({ from: what }, async () =>
    registry.of(resource).load(place, await doInTurns(decodeAndCheck(expectedOf(resource), object, check, {}))),
  );
  return { from: what, object, kind, resource, loadable };
}

function resourceOfKind(what: string, apiVersion: string, kind: string, table: readonly Resource[]): Resource {
  const ofVersion = table.filter(({ groupVersion }) => apiVersionOf(groupVersion) === apiVersion);
  if (ofVersion.length === 0) {
    const known = [...new Set(table.map(({ groupVersion }) => apiVersionOf(groupVersion)))];
    throw new OptionError(`load: ${what}: ${unknownName('apiVersion', apiVersion, known)}`);
  }
  const isStored = ({ stated, unstated }: Resource) => [...stated, ...unstated].includes('read');
  const found = ofVersion.find((resource) => resource.kind === kind && isStored(resource));
  if (found !== undefined) return found;
  const kinds = ofVersion.filter(isStored).map((resource) => resource.kind);
  throw new OptionError(`load: ${what}: ${unknownName(`kind in ${apiVersion}`, kind, kinds)}`);
}

async function about<Result>({ from }: Pick<Given, 'from'>, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof StatusError) throw new OptionError(`load: ${from}: ${error.message}`);
    throw error;
  }
}

/** Returns the objects of a value: of an array, and of lists in it. */
function flattened(from: string, value: unknown): readonly Given[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => flattened(`${from}[${index}]`, each));
  if (isRecord(value) && typeof value.kind === 'string' && value.kind.endsWith('List') && Array.isArray(value.items)) {
    const named = { apiVersion: value.apiVersion, kind: value.kind.replace(/List$/, '') };
    // The items of a typed list may lack their kind.
    const whole = (item: unknown) => (named.kind === '' || !isRecord(item) ? item : { ...named, ...item });
    return value.items.flatMap((item, index) => flattened(`${from}.items[${index}]`, whole(item)));
  }
  return [{ from, object: value }];
}

async function filesAt(path: string): Promise<readonly Given[]> {
  const isFolder = await readable(path, async () => (await stat(path)).isDirectory());
  if (!isFolder) return objectsOf(path);
  const names = (await readable(path, () => readdir(path))).filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
  if (names.length === 0) throw new OptionError(`load: ${path}: the folder has no .yaml, .yml or .json file`);
  const all: Given[] = [];
  for (const name of names) all.push(...(await objectsOf(join(path, name))));
  return all;
}

async function objectsOf(path: string): Promise<readonly Given[]> {
  const bytes = await readable(path, () => readFile(path));
  if (path.endsWith('.json')) return flattened(path, await about({ from: path }, async () => json.decode(bytes)));
  return flattenedEach(await documentsIn(path, bytes.toString()));
}

/** Returns the values of the documents in a YAML text. Throws an OptionError that names the document of a mistake. */
export async function yamlObjects(from: string, text: string): Promise<readonly TestObject[]> {
  return (await documentsIn(from, text)).map(({ object }) => object as TestObject);
}

async function documentsIn(whole: string, yamlText: string): Promise<readonly Given[]> {
  const texts = yamlText.split(/^---(?=\s|$)/m);
  const all: Given[] = [];
  for (const [index, text] of texts.entries()) {
    const from = texts.length === 1 ? whole : `${whole}, document ${index + 1}`;
    if (text.replaceAll(/^\s*#.*$/gm, '').trim() === '') continue;
    all.push({ from, object: await about({ from }, async () => yaml.decode(Buffer.from(text))) });
  }
  return all;
}

const flattenedEach = (all: readonly Given[]): readonly Given[] =>
  all.flatMap(({ from, object }) => flattened(from, object));

async function readable<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw new OptionError(`load: ${path}: ${whyNot(error)}`);
  }
}
