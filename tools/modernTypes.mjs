#!/usr/bin/env node
// Writes matrix/api/modern/data/ from the OpenAPI v3 documents of a kube-apiserver and the Go types of the same age.
// The OpenAPI says which fields the server has and which are required; the Go types add what OpenAPI cannot say: the
// protobuf numbers, whether a zero differs from an absent value, and what JSON inlines.
//
//   tools/modernTypes.mjs DOCUMENTS SOURCES
//     DOCUMENTS   a folder with the answers of /openapi/v3/…, such as apis_apps_v1.json
//     SOURCES     a folder with checkouts of k8s.io/api, k8s.io/apimachinery and k8s.io/kube-aggregator, by their last names
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The group versions, by their folders below k8s.io/api or below the one that they are in. */
const groupVersions = {
  'core/v1': 'v1',
  'admissionregistration/v1': 'admissionregistration.k8s.io/v1',
  'apiregistration/v1': 'apiregistration.k8s.io/v1',
  'apps/v1': 'apps/v1',
  'authentication/v1': 'authentication.k8s.io/v1',
  'authorization/v1': 'authorization.k8s.io/v1',
  'autoscaling/v1': 'autoscaling/v1',
  'autoscaling/v2': 'autoscaling/v2',
  'batch/v1': 'batch/v1',
  'certificates/v1': 'certificates.k8s.io/v1',
  'coordination/v1': 'coordination.k8s.io/v1',
  'discovery/v1': 'discovery.k8s.io/v1',
  'events/v1': 'events.k8s.io/v1',
  'flowcontrol/v1': 'flowcontrol.apiserver.k8s.io/v1',
  'networking/v1': 'networking.k8s.io/v1',
  'node/v1': 'node.k8s.io/v1',
  'policy/v1': 'policy/v1',
  'rbac/v1': 'rbac.authorization.k8s.io/v1',
  'resource/v1': 'resource.k8s.io/v1',
  'scheduling/v1': 'scheduling.k8s.io/v1',
  'storage/v1': 'storage.k8s.io/v1',
};
const elsewhere = { 'apiregistration/v1': 'kube-aggregator/pkg/apis' };

const meta = 'meta/v1';

/**
 * The group that present servers no longer have. Its objects are stored under its name, so its types grow too: to the
 * fields of the last Go types, none of which is required.
 */
const removed = 'extensions/v1beta1';
const removedKinds = ['DaemonSet', 'Deployment', 'Ingress', 'NetworkPolicy', 'ReplicaSet'];

/** Go types that are scalars of the field table. */
const scalars = {
  string: 'string',
  bool: 'boolean',
  int32: 'int32',
  int64: 'int64',
  '[]byte': 'bytes',
  'meta/v1.Time': 'time',
  'meta/v1.MicroTime': 'microTime',
  'meta/v1.FieldsV1': 'raw',
  'resource.Quantity': 'quantity',
  'intstr.IntOrString': 'intOrString',
  'runtime.RawExtension': 'raw',
};

const [documents, sources] = process.argv.slice(2);
if (sources === undefined) {
  process.stderr.write('usage: tools/modernTypes.mjs DOCUMENTS SOURCES (the first lines of the script explain them)\n');
  process.exit(2);
}

/** The definitions of all documents by folder and name: `apps/v1.Deployment`. */
const definitions = new Map();
for (const file of readdirSync(documents).filter((name) => name.endsWith('.json'))) {
  const { components } = JSON.parse(readFileSync(join(documents, file), 'utf8'));
  for (const [name, definition] of Object.entries(components?.schemas ?? {})) {
    const [, api, other] =
      /^io\.k8s\.(?:api\.(.+)|(?:apimachinery|kube-aggregator)\.pkg\.apis\.(.+))\.\w+$/.exec(name) ?? [];
    const folder = (api ?? other)?.replace('.', '/');
    if (folder !== undefined) definitions.set(`${folder}.${name.slice(name.lastIndexOf('.') + 1)}`, definition);
  }
}

/** The Go types by folder and name: a struct has fields, any other type has the type that it names. */
const goTypes = new Map();
readGo(meta, join(sources, 'apimachinery/pkg/apis/meta/v1/types.go'));
for (const folder of [...Object.keys(groupVersions), removed]) {
  readGo(folder, join(sources, elsewhere[folder] ?? 'api', folder, 'types.go'));
}

function readGo(folder, file) {
  const text = readFileSync(file, 'utf8').replace(/^\s*\/\/.*$/gm, '');
  const imports = new Map();
  for (const [, alias, path] of text.matchAll(/^\s*(?:import )?(\w+)?\s*"(k8s\.io\/[^"]+)"$/gm)) {
    const [, version] = /\/(?:api|apis)\/(\w+\/v\w+)$/.exec(path) ?? [];
    imports.set(alias ?? path.slice(path.lastIndexOf('/') + 1), version ?? path.slice(path.lastIndexOf('/') + 1));
  }
  const absolute = (type) =>
    type.replace(/(?:(\w+)\.)?\b([A-Z]\w*)/g, (_, alias, name) => `${alias ? imports.get(alias) : folder}.${name}`);
  for (const [, name, body] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
    const fields = [...body.matchAll(/^\s*(?:(\w+)\s+)?(\S+)\s+`(.*)`$/gm)].map(([, , type, tags]) => {
      const tag = (key) => new RegExp(`\\b${key}:"([^"]*)"`).exec(tags)?.[1] ?? '';
      return {
        name: tag('json').split(',')[0],
        isShown: !/,omit(empty|zero)/.test(tag('json')),
        mayBeAbsent: type.startsWith('*') || tag('json').endsWith(',omitzero'),
        type: absolute(type),
        proto: tag('protobuf').split(','),
        mergeKey: tag('patchMergeKey'),
        strategy: tag('patchStrategy'),
      };
    });
    goTypes.set(`${folder}.${name}`, { fields });
  }
  for (const [, name, type] of text.matchAll(/^type (\w+) (?!struct|interface)(\S+)$/gm)) {
    goTypes.set(`${folder}.${name}`, { same: absolute(type) });
  }
}

/** The name in the field table: types of core and meta have no prefix. */
const tableName = (id) => {
  const [folder, name] = id.split('.');
  return folder === 'core/v1' || folder === meta ? name : `${folder.replace('/', '.')}.${name}`;
};

/** The types to write, by the folder of their file. */
const written = new Map();
const waiting = [];

/** Returns the shape and the name of a Go type in the table, and makes sure that the type is written. */
function typeIn(type) {
  const plain = type.replace(/^\*/, '');
  if (Object.hasOwn(scalars, plain)) return ['', scalars[plain]];
  if (plain.startsWith('types.')) return ['', 'string'];
  const [, list, map] = /^(?:\[\](.+)|map\[[^\]]+\](.+))$/.exec(plain) ?? [];
  if (list !== undefined) return ['[]', typeIn(list)[1]];
  if (map !== undefined) return ['{}', typeIn(map)[1]];
  const known = goTypes.get(plain);
  if (known === undefined) throw new Error(`no Go type ${plain}`);
  // A named list is a message of its own, since protobuf has no map of lists; other named types are what they name.
  if (known.same !== undefined && !known.same.startsWith('[]')) return typeIn(known.same);
  if (!written.get(folderOf(plain))?.has(plain)) {
    written.set(folderOf(plain), (written.get(folderOf(plain)) ?? new Map()).set(plain, ''));
    waiting.push(plain);
  }
  return ['', tableName(plain)];
}

const folderOf = (id) => id.slice(0, id.indexOf('.'));
const isTypeMeta = ({ type }) => type === `${meta}.TypeMeta`;

/** Writes the fields of a struct that its definition has. Inlined structs have none: their fields are in the parent. */
function row(id, parent) {
  const { fields, same } = goTypes.get(id);
  if (same !== undefined) return `items 1 ${typeIn(same)[1]} bare`;
  const definition = definitions.get(id) ?? parent;
  const isThere = ({ name }) => name === '' || folderOf(id) === removed || definition?.properties?.[name] !== undefined;
  return fields
    .filter((field) => !isTypeMeta(field) && isThere(field))
    .map(({ name, isShown, mayBeAbsent, type, proto, mergeKey, strategy }) => {
      const number = proto[1];
      if (name === '') {
        typeIn(type);
        inlinedIn.set(type, definition);
        const own = proto.find((part) => part.startsWith('name='))?.slice('name='.length);
        return `${own} ${number} ${tableName(type)} inlined`;
      }
      const [shape, named] = typeIn(type);
      const isRequired = definition?.required?.includes(name) === true;
      const hasZero = mayBeAbsent
        ? ['string', 'boolean', 'int32', 'int64', 'time', 'microTime'].includes(named)
        : isShown && shape === '' && ['boolean', 'int32', 'int64'].includes(named);
      const merge = strategy === '' ? '' : ` ${strategy}${mergeKey === '' ? '' : `=${mergeKey}`}`;
      return `${name} ${number} ${shape}${named}${isRequired ? ' required' : hasZero ? ' presence' : ''}${merge}`;
    })
    .join('; ');
}

const inlinedIn = new Map();
const kinds = new Map();
for (const [folder, apiVersion] of Object.entries(groupVersions)) {
  const ids = [...goTypes.keys()].filter((id) => folderOf(id) === folder && definitions.has(id));
  const own = ids.filter((id) => goTypes.get(id).fields?.some(isTypeMeta) && !isList(id));
  kinds.set(apiVersion, own.map((id) => `${tableName(id)}${definitions.has(`${id}List`) ? '[]' : ''}`).join(' '));
  for (const id of own) typeIn(id);
}

for (const kind of removedKinds) typeIn(`${removed}.${kind}`);

function isList(id) {
  return id.endsWith('List') && definitions.get(id)?.properties?.items !== undefined;
}

while (waiting.length > 0) {
  const id = waiting.shift();
  written.get(folderOf(id)).set(id, row(id, inlinedIn.get(id)));
}

const folder = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../matrix/api/modern/data');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const head = '// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.\n';
const files = [...written].sort(([one], [other]) => (one < other ? -1 : 1));
const nameOf = (path) => path.replace(/\/v(\w+)$/, (_, version) => `V${version}`);
for (const [path, types] of files) {
  const lines = [...types].sort(([one], [other]) => (one < other ? -1 : 1));
  const text = lines.map(([id, fields]) => `  '${tableName(id)}': '${fields}',\n`).join('');
  writeFileSync(join(folder, `${nameOf(path)}.ts`), `${head}export const ${nameOf(path)} = {\n${text}} as const;\n`);
}
const imports = files.map(([path]) => `import { ${nameOf(path)} } from './${nameOf(path)}.js';\n`).join('');
const all = files.map(([path]) => `  ...${nameOf(path)},\n`).join('');
const lines = [...kinds].map(([apiVersion, names]) => `  '${apiVersion}': '${names}',\n`).join('');
writeFileSync(
  join(folder, 'index.ts'),
  `// Written by tools/modernTypes.mjs: the types of all groups, and the kinds by apiVersion; \`[]\` marks kinds with lists.
${imports}
export const types = {\n${all}} as const satisfies Readonly<Record<string, string>>;

export const kinds: Readonly<Record<string, string>> = {\n${lines}};\n`,
);
