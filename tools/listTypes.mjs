#!/usr/bin/env node
// Writes matrix/api/modern/listTypeData.ts from the OpenAPI v3 documents of a kube-apiserver: which lists and maps have
// one owner or many, where the merge keys of the field table do not say it.
//
//   tools/listTypes.mjs DOCUMENTS
//     DOCUMENTS   a folder with the answers of /openapi/v3/…, such as apis_apps_v1.json
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [documents] = process.argv.slice(2);
if (documents === undefined) {
  process.stderr.write('usage: tools/listTypes.mjs DOCUMENTS (the first lines of the script explain it)\n');
  process.exit(2);
}

/** The definitions of all documents by the name of their type, as in data/: types of core and meta have no prefix. */
const definitions = new Map();
const names = new Map();
for (const file of readdirSync(documents).filter((name) => name.endsWith('.json'))) {
  const { components } = JSON.parse(readFileSync(join(documents, file), 'utf8'));
  for (const [full, definition] of Object.entries(components?.schemas ?? {})) {
    const [, api, meta, type] =
      /^io\.k8s\.(?:(?:api|kube-aggregator\.pkg\.apis)\.(.+)|apimachinery\.pkg\.apis\.(meta\.v1))\.(\w+)$/.exec(full) ??
      [];
    if (type === undefined) continue;
    const name = meta !== undefined || api === 'core.v1' ? type : `${api}.${type}`;
    definitions.set(name, definition);
    names.set(full, name);
  }
}

const extension = (schema, name) => schema[`x-kubernetes-${name}`];

/** Returns the name of the type that a schema refers to. */
function referred(schema) {
  const reference = schema?.$ref ?? schema?.allOf?.[0]?.$ref ?? '';
  return names.get(reference.slice(reference.lastIndexOf('/') + 1));
}

/** The keys of a list with the values of absent ones: `containerPort protocol=TCP`. */
function keysOf(list) {
  const item = definitions.get(referred(list.items));
  return [...extension(list, 'list-map-keys')]
    .sort()
    .map((key) => {
      const fallback = item?.properties?.[key]?.default;
      return fallback ? `${key}=${fallback}` : key;
    })
    .join(' ');
}

/** What the merge keys of the table say about a list. */
function byMergeKey(list) {
  const strategy = extension(list, 'patch-strategy') ?? '';
  if (!strategy.includes('merge')) return 'atomic';
  return extension(list, 'patch-merge-key') ?? 'set';
}

function listTypeOf(list) {
  const type = extension(list, 'list-type');
  if (type === undefined) return byMergeKey(list);
  return type === 'map' ? keysOf(list) : type;
}

const atomicTypes = [];
const lists = [];
for (const [name, definition] of [...definitions].sort(([one], [other]) => (one < other ? -1 : 1))) {
  if (extension(definition, 'map-type') === 'atomic') atomicTypes.push(name);
  for (const [field, schema] of Object.entries(definition.properties ?? {})) {
    const mapType = extension(schema, 'map-type');
    if (mapType !== undefined) lists.push([`${name}.${field}`, mapType]);
    if (schema.type !== 'array') continue;
    const listType = listTypeOf(schema);
    if (listType !== byMergeKey(schema)) lists.push([`${name}.${field}`, listType]);
  }
}

/** The objects that every object of a kind has, also one without fields: Go has no absent struct. */
const present = new Map();
const waiting = [...definitions].filter(([, { properties }]) => properties?.kind !== undefined).map(([name]) => name);
while (waiting.length > 0) {
  const name = waiting.shift();
  if (present.has(name)) continue;
  const isStruct = ([, schema]) => JSON.stringify(schema.default) === '{}' && referred(schema) !== undefined;
  const structs = Object.entries(definitions.get(name)?.properties ?? {}).filter(isStruct);
  present.set(
    name,
    structs
      .map(([field]) => field)
      .filter((field) => field !== 'metadata' || definitions.get(name).properties.kind === undefined),
  );
  waiting.push(...structs.map(([, schema]) => referred(schema)));
}

const groups = [
  'admissionregistration|apiregistration|apps|authentication|authorization|autoscaling|batch|certificates|coordination|discovery|events',
  'flowcontrol|networking|node|policy|rbac|resource|scheduling|storage',
].join('|');
const served = new RegExp(`^(?:(?:${groups})\\.v[12]\\.)?\\w+$`);
const isServed = (name) => served.test(name);
const rows = lists.filter(([path]) => isServed(path.slice(0, path.lastIndexOf('.'))));
writeFileSync(
  new URL('../matrix/api/modern/listTypeData.ts', import.meta.url),
  `// Written by tools/listTypes.mjs: the types with one owner for each value, and the fields whose lists and maps have other
// owners than their merge keys or types say: one (\`atomic\`), one for each field (\`granular\`), one for each value
// (\`set\`), or one for each item with these keys.
export const atomicTypes: readonly string[] = [
${atomicTypes
  .filter(isServed)
  .map((name) => `  '${name}',\n`)
  .join('')}];

export const listTypes: Readonly<Record<string, string>> = {
${rows.map(([path, type]) => `  '${path}': '${type}',\n`).join('')}};

/** The fields with objects that every object has, by type. */
export const presentFields: Readonly<Record<string, string>> = {
${[...present]
  .filter(([name, fields]) => isServed(name) && fields.length > 0)
  .map(([name, fields]) => `  '${name}': '${fields.join(' ')}',\n`)
  .join('')}};
`,
);
