// Costs of many definitions: they are served one by one, with what other parts look up between two of them.

import type { Resource } from '../../../../matrix/api/index.js';
import { expandOperations } from '../../../../matrix/api/operations.js';
import { joined } from '../../../codecs/codec.js';
import { createCodecs } from '../../../codecs/index.js';
import { json } from '../../../codecs/json.js';
import { createDiscovery } from '../../../discovery/discovery.js';
import { nothingDisabled } from '../../../features/features.js';
import { completeOptions } from '../../../options.js';
import { Evaluators } from '../../../quota/evaluators.js';
import type { ApiRequest } from '../../../request.js';
import type { KubeObject } from '../../../schema/object.js';
import { asStatusError } from '../../../statusError.js';
import { Surface } from '../../../surface.js';
import type { Work } from '../../../testing/costs/growth.js';
import { doAll } from '../../../turns.js';
import { ServedResources } from '../../../versions/servedResources.js';
import { definitionSpecOf } from '../../customresources/definition.js';
import { GroupNames, withAcceptedNames } from '../../customresources/names.js';
import { GroupVersions, versionsOf } from '../../customresources/rows.js';
import { documentV2, documentV3, pathsV3 } from '../../openapi/documents.js';
import { documentSource, setSchema } from '../../openapi/source.js';

/** The definitions of an input: one for this many bytes. */
const each = 512;

/** Where the definitions are. */
const places = { 'in one group': () => 'example.com', 'in a group each': (index: number) => `g${index}.example.com` };

function definition(index: number, group: string): KubeObject {
  const names = { plural: `k${index}s`, singular: `k${index}`, kind: `K${index}`, listKind: `K${index}List` };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
  return {
    metadata: { name: `k${index}s.${group}`, uid: `u${index}` },
    spec: { group, scope: 'Namespaced', names, versions: [version] },
  };
}

const definitionsOf = (bytes: number, groupOf: (index: number) => string): readonly KubeObject[] =>
  Array.from({ length: Math.max(1, bytes / each) }, (_, index) => definition(index, groupOf(index)));

function resourcesOf(definitions: readonly KubeObject[]): readonly Resource[] {
  const groupVersions = new GroupVersions();
  return definitions.flatMap((one) => {
    const spec = definitionSpecOf(one);
    const versions = versionsOf(spec, spec.names, groupVersions.of);
    for (const { resource, schema } of versions) setSchema(resource, schema);
    return versions.map(({ resource }) => resource);
  });
}

/** Accepts the names of definitions one after the other, and removes them again. */
function nameAll(definitions: readonly KubeObject[]): number {
  const names = new GroupNames([]);
  for (const one of definitions) {
    names.set(one);
    names.set(withAcceptedNames(one, names.beside(one.metadata.name ?? '', definitionSpecOf(one).group), new Date(0)));
  }
  for (const one of definitions) names.delete(one);
  return 0;
}

/** Serves resources one after the other, as a server with its collector and its quotas does, and ends their service. */
async function serveAll(resources: readonly Resource[]): Promise<number> {
  const served = new ServedResources();
  const surface = new Surface(await completeOptions({}), served);
  const evaluators = new Evaluators(served);
  for (const resource of resources) {
    served.change([], [resource]);
    const { groupVersion, plural, kind } = resource;
    evaluators.of(`${groupVersion.group}/${plural}`);
    served.find(`${groupVersion.group}/${plural}`);
    served.ofKind(`${groupVersion.group}/v1`, kind);
    if (surface.resolve('GET', `${groupVersion.prefix}/${plural}`) === undefined) throw new Error('not served');
    missing(surface, `${groupVersion.prefix}/${plural}x`);
    missing(surface, `/apis/x${groupVersion.group}/v1/${plural}`);
  }
  for (const resource of resources) served.change([resource], []);
  return 0;
}

/** Asks for a path without an operation, as a client does that waits for a definition. */
function missing(surface: Surface, pathname: string): void {
  try {
    surface.missing(pathname);
  } catch (error) {
    if (asStatusError(error).code !== 404) throw error;
  }
}

/** Reads all pages of discovery. Returns their length. */
function discoverAll(resources: readonly Resource[]): number {
  const discovery = createDiscovery(resources);
  let length = 0;
  const prefixes = new Set(resources.map(({ groupVersion }) => groupVersion.prefix));
  for (const path of [...discovery.operations.map(({ path }) => path), ...prefixes]) {
    const answer = discovery.handler({ operation: { path }, raw: { socket: {} } } as ApiRequest);
    if ('body' in answer) length += joined(answer.body.encode(json, false)).length;
  }
  return length;
}

/** Writes all documents. Returns their length. */
function documentAll(resources: readonly Resource[]): number {
  const operations = expandOperations(resources);
  const served = { operations, codecs: createCodecs('kubernetes'), lacks: nothingDisabled, kubeVersion: '1.36' };
  const source = documentSource(served);
  let length = JSON.stringify(doAll(documentV2(source))).length;
  for (const path of pathsV3(source)) length += JSON.stringify(doAll(documentV3(source, path))).length;
  return length;
}

const works: Readonly<Record<string, (definitions: readonly KubeObject[]) => () => number | Promise<number>>> = {
  names: (definitions) => () => nameAll(definitions),
  resources(definitions) {
    const resources = resourcesOf(definitions);
    return () => serveAll(resources);
  },
  discovery(definitions) {
    const resources = resourcesOf(definitions);
    return () => discoverAll(resources);
  },
  documents(definitions) {
    const resources = resourcesOf(definitions);
    return () => documentAll(resources);
  },
};

/** What many definitions cost, in one group and in many. */
export const definitionWorks: readonly Work[] = Object.entries(works).flatMap(([name, prepare]) =>
  Object.entries(places).map(
    ([place, groupOf]): Work => ({
      name: `definitions ${place}: ${name}`,
      prepare: (bytes) => prepare(definitionsOf(bytes, groupOf)),
    }),
  ),
);
