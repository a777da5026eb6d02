// The documents as OpenAPI: their shape, their references, and the fields of their definitions as older servers had them.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../matrix/api/index.js';
import { hasPackages, packageFile, withoutPackages } from '../../../tools/clients/packages.js';
import { createCodecs } from '../../codecs/index.js';
import { disabledBy, nothingDisabled } from '../../features/features.js';
import { doAll } from '../../turns.js';
import { shapeV2, shapeV3 } from '../testing/openApiShapes.js';
import { typeDescriptions } from './descriptions.js';
import { documentV2, documentV3, pathsV3 } from './documents.js';
import { documentSource } from './source.js';

const codecs = createCodecs('kubernetes');
const source = documentSource({ operations, codecs, lacks: nothingDisabled, kubeVersion: '1.5' });

interface Schema {
  readonly [field: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly 'x-kubernetes-action'?: string;
  readonly 'x-kubernetes-group-version-kind'?: unknown;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly definitions: Readonly<Record<string, Schema>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const v2 = doAll(documentV2(source)) as unknown as Document;
const v3 = new Map(pathsV3(source).map((path) => [path, doAll(documentV3(source, path)) as unknown as Document]));
const schema = (name: string) => v2.definitions[name];

/** All values of `$ref` in a document. */
function references(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, inner] of Object.entries(value)) {
    if (name === '$ref' && typeof inner === 'string') found.add(inner);
    else references(inner, found);
  }
  return found;
}

const idsOf = ({ paths }: Document): string[] =>
  Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ operationId }) => operationId ?? []));

describe('shape', () => {
  it('is that of OpenAPI 2', () => {
    const validate = new Ajv({ allErrors: true }).compile(shapeV2);
    validate(v2);
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each([...v3])('is that of OpenAPI 3 for %s', (_path, document) => {
    const validate = new Ajv({ allErrors: true }).compile(shapeV3);
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
  });

  it('has a document for each group version, each group, and the pages above', () => {
    expect([...v3.keys()]).toEqual([
      'api',
      'api/v1',
      'apis',
      'apis/authentication.k8s.io',
      'apis/authentication.k8s.io/v1',
      'apis/authentication.k8s.io/v1beta1',
      'apis/autoscaling',
      'apis/autoscaling/v1',
      'apis/batch',
      'apis/batch/v1',
      'apis/extensions',
      'apis/extensions/v1beta1',
      'version',
    ]);
  });

  it('has every operation once', () => {
    const served = operations.filter(({ resource }) => resource !== undefined).length;
    const ids = idsOf(v2);
    expect(new Set(ids).size).toBe(ids.length);
    // The pages of discovery are the others: one for each document of OpenAPI 3.
    expect(ids).toHaveLength(served + v3.size);
    expect([...v3.values()].flatMap(idsOf).sort()).toEqual(ids.sort());
  });
});

describe('references', () => {
  it('all have a definition, and all definitions are needed', () => {
    const needed = [...references(v2)].map((name) => name.replace('#/definitions/', ''));
    expect(needed.sort()).toEqual(Object.keys(v2.definitions).sort());
    for (const document of v3.values()) {
      const names = [...references(document)].map((name) => name.replace('#/components/schemas/', ''));
      expect(names.sort()).toEqual(Object.keys(document.components.schemas).sort());
    }
  });

  it('have no other field beside them in OpenAPI 3', () => {
    const strategy =
      v3.get('apis/extensions/v1beta1')?.components.schemas['io.k8s.api.extensions.v1beta1.DeploymentSpec']?.properties
        ?.strategy;
    expect(strategy).toEqual({
      allOf: [{ $ref: '#/components/schemas/io.k8s.api.extensions.v1beta1.DeploymentStrategy' }],
      'x-kubernetes-patch-strategy': 'retainKeys',
    });
  });
});

describe('definitions', () => {
  it('have the names, kinds and fields of real servers', () => {
    expect(schema('io.k8s.api.core.v1.Pod')).toEqual({
      type: 'object',
      properties: {
        apiVersion: { type: 'string', description: expect.stringContaining('APIVersion defines') },
        kind: { type: 'string', description: expect.any(String) },
        metadata: {
          $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
          description: expect.stringContaining("Standard object's metadata"),
        },
        spec: { $ref: '#/definitions/io.k8s.api.core.v1.PodSpec' },
        status: { $ref: '#/definitions/io.k8s.api.core.v1.PodStatus' },
      },
      'x-kubernetes-group-version-kind': [{ group: '', kind: 'Pod', version: 'v1' }],
    });
    expect(schema('io.k8s.api.core.v1.PodList')).toMatchObject({
      required: ['items'],
      'x-kubernetes-group-version-kind': [{ group: '', kind: 'PodList', version: 'v1' }],
    });
    expect(schema('io.k8s.api.core.v1.ServiceSpec')?.properties?.ports).toEqual({
      type: 'array',
      items: { $ref: '#/definitions/io.k8s.api.core.v1.ServicePort' },
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-patch-merge-key': 'port',
      'x-kubernetes-patch-strategy': 'merge',
    });
  });

  it('name the type of a field that JSON writes in two ways', () => {
    const [intOrString, quantity] = ['util.intstr.IntOrString', 'api.resource.Quantity'].map(
      (name) => `io.k8s.apimachinery.pkg.${name}`,
    );
    expect([schema(intOrString ?? ''), schema(quantity ?? '')]).toEqual([
      { type: 'string', format: 'int-or-string' },
      { type: 'string' },
    ]);
    const schemas = v3.get('api/v1')?.components.schemas ?? {};
    expect([schemas[intOrString ?? ''], schemas[quantity ?? '']]).toEqual([
      { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
      { oneOf: [{ type: 'string' }, { type: 'number' }] },
    ]);
  });

  it.each(Object.keys(typeDescriptions))('describe %s and each of its fields', (name) => {
    for (const schemas of [v2.definitions, v3.get('api/v1')?.components.schemas ?? {}]) {
      const { description, properties = {} } = schemas[`io.k8s.apimachinery.pkg.apis.meta.v1.${name}`] ?? {};
      expect(description).toBe(typeDescriptions[name]?.type);
      const described = Object.entries(properties).map(([field, property]) => [field, property.description]);
      // Those of the earlier interface are described too.
      expect(typeDescriptions[name]?.fields).toMatchObject(Object.fromEntries(described));
    }
  });

  it('describe the metadata of kinds, lists and templates', () => {
    const schemas = v3.get('api/v1')?.components.schemas ?? {};
    const said = (name: string) => schemas[`io.k8s.api.core.v1.${name}`]?.properties?.metadata;
    const meta = (name: string) => [{ $ref: `#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.${name}` }];
    const description = expect.stringContaining("Standard object's metadata");
    expect(said('Pod')).toEqual({ allOf: meta('ObjectMeta'), description });
    expect(said('PodTemplateSpec')).toEqual({ allOf: meta('ObjectMeta'), description });
    expect(said('PodList')).toEqual({ allOf: meta('ListMeta'), description: expect.stringContaining('Standard list') });
    // These fields of other types mean something else.
    const { apiVersion, kind } = schemas['io.k8s.api.core.v1.ObjectReference']?.properties ?? {};
    expect([apiVersion, kind]).toEqual([{ type: 'string' }, { type: 'string' }]);
  });

  it('know the kinds of all group versions', () => {
    expect(
      schema('io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions')?.['x-kubernetes-group-version-kind'],
    ).toContainEqual({
      group: 'batch',
      kind: 'DeleteOptions',
      version: 'v1',
    });
  });
});

describe('operations', () => {
  const at = (path: string, method: string) => v2.paths[path]?.[method];
  const pods = '/api/v1/namespaces/{namespace}/pods';

  it('have the ids and actions of real servers', () => {
    const rows = [
      ['/api/', 'get', 'getCoreAPIVersions', undefined],
      ['/apis/batch/v1/', 'get', 'getBatchV1APIResources', undefined],
      ['/version/', 'get', 'getCodeVersion', undefined],
      ['/api/v1/pods', 'get', 'listCoreV1PodForAllNamespaces', 'list'],
      [pods, 'post', 'createCoreV1NamespacedPod', 'post'],
      [pods, 'delete', 'deleteCoreV1CollectionNamespacedPod', 'deletecollection'],
      [`${pods}/{name}/status`, 'put', 'replaceCoreV1NamespacedPodStatus', 'put'],
      [`${pods}/{name}/proxy/{path}`, 'get', 'connectCoreV1GetNamespacedPodProxyWithPath', 'connect'],
      ['/api/v1/watch/namespaces/{namespace}/pods/{name}', 'get', 'watchCoreV1NamespacedPod', 'watch'],
      ['/api/v1/watch/pods', 'get', 'watchCoreV1PodListForAllNamespaces', 'watchlist'],
      ['/api/v1/nodes', 'get', 'listCoreV1Node', 'list'],
    ] as const;
    for (const [path, method, id, action] of rows) {
      expect([at(path, method)?.operationId, at(path, method)?.['x-kubernetes-action']]).toEqual([id, action]);
    }
  });

  it('show what kubectl looks for: the kind of a patch, and the parameters of a write', () => {
    const patch = at(`${pods}/{name}`, 'patch');
    expect(patch?.['x-kubernetes-group-version-kind']).toEqual({ group: '', kind: 'Pod', version: 'v1' });
    const names = patch?.parameters?.map(({ name }) => name);
    expect(names).toEqual(['body', 'dryRun', 'fieldManager', 'fieldValidation', 'pretty']);
  });

  it.each([
    ['1.24', false],
    ['1.25', true],
  ])('declare the validation of fields on servers that validate by themselves: %s', (kubeVersion, isDeclared) => {
    const [some] = operations.filter(({ resource }) => resource?.kind === 'Pod');
    const modern = operations.map((each) =>
      each === some ? { ...each, resource: { ...each.resource, modern: true } } : each,
    );
    const source = documentSource({
      ...{ operations: modern as typeof operations, codecs: createCodecs('kubernetes', () => false) },
      ...{ lacks: () => false, kubeVersion },
    });
    expect(JSON.stringify(doAll(documentV2(source))).includes('fieldValidation')).toBe(isDeclared);
  });

  it('lack the parameters and fields of missing features', () => {
    const lacks = disabledBy(['dry-run', 'limit', 'export', 'propagation-policy', 'field-validation', 'protobuf']);
    const text = JSON.stringify(
      doAll(
        documentV2(
          documentSource({ operations, codecs: createCodecs('kubernetes', lacks), lacks, kubeVersion: '1.5' }),
        ),
      ),
    );
    for (const word of ['dryRun', 'limit"', 'export', 'exact', 'propagationPolicy', 'fieldValidation', 'protobuf'])
      expect(text).not.toContain(word);
    expect(text).toContain('resourceVersionMatch');
  });
});

const published = hasPackages ? readPublished() : {};

function readPublished(): Readonly<Record<string, Schema>> {
  const file = gunzipSync(readFileSync(packageFile('kubernetes-client/lib/specs/swagger-1.10.json.gz')));
  return (JSON.parse(file.toString()) as Document).definitions;
}

/** Types that are one definition in 1.10, and two since. */
const splitLater = /\.(?:PersistentVolumeSpec\.(?:cinder|glusterfs)|Lifecycle\.(?:postStart|preStop))$/;
/** Fields that 1.10 no longer has or does not yet have, and types that it describes in another way. */
const differs = [
  'ListMeta.remainingItemCount',
  'DeleteOptions.dryRun',
  'ServiceSpec.deprecatedPublicIPs',
  'IntOrString',
  'Quantity',
  'RawExtension',
];

describe.skipIf(!hasPackages)(
  `fields, against the OpenAPI of 1.10${hasPackages ? '' : ` (${withoutPackages})`}`,
  () => {
    it('are the same, except for what changed between the versions', () => {
      const compared = Object.entries(v2.definitions).filter(([name]) => published[name] !== undefined);
      expect(compared.length).toBeGreaterThan(150);
      const found: string[] = [];
      for (const [name, { properties = {} }] of compared) {
        for (const [field, own] of Object.entries(properties)) {
          const path = `${name}.${field}`;
          if (splitLater.test(path) || differs.some((known) => path.endsWith(known))) continue;
          const theirs = published[name]?.properties?.[field];
          // The field came later.
          if (theirs === undefined) continue;
          for (const part of ['type', 'format', '$ref', 'items', 'additionalProperties']) {
            if (JSON.stringify(own[part]) !== JSON.stringify(theirs[part])) found.push(`${path}: ${part}`);
          }
        }
      }
      expect(found).toEqual([]);
    });

    it('have the same kinds', () => {
      const kinds = 'x-kubernetes-group-version-kind';
      for (const [name, own] of Object.entries(v2.definitions)) {
        const theirs = published[name]?.[kinds];
        if (theirs === undefined || /DeleteOptions|WatchEvent|Status$|NodeConfigSource$/.test(name)) continue;
        expect([name, own[kinds]]).toEqual([name, theirs]);
      }
    });
  },
);
