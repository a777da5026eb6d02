import { describe, expect, it } from 'vitest';
import { shapeOfSchema } from '../customresources/shape.js';
import { metadataShape, shapeOfKind } from './fieldTable.js';
import { leaf, type Shape, wholeObject } from './shape.js';

/** The shape at a path of field names; `[]` steps into the items of a list, `{}` into the entries of a map. */
function shapeAt(shape: Shape | undefined, path: string): Shape | undefined {
  return path.split('.').reduce((at: Shape | undefined, step) => {
    if (step === '[]') return at?.kind === 'list' ? at.items : undefined;
    if (at?.kind !== 'object') return undefined;
    return step === '{}' ? at.others : at.field(step);
  }, shape);
}

const keysOf = (shape: Shape | undefined) => (shape?.kind === 'list' ? (shape.keys ?? 'set') : shape?.kind);

const ports = [{ name: 'containerPort' }, { name: 'protocol', fallback: 'TCP' }];

describe('shapes of the field table', () => {
  it.each([
    ['v1', 'Pod', 'spec.containers', [{ name: 'name' }]],
    ['v1', 'Pod', 'spec.containers.[].ports', ports],
    ['v1', 'Pod', 'spec.containers.[].args', 'leaf'],
    ['v1', 'Pod', 'spec.containers.[].env.[].valueFrom.configMapKeyRef', 'leaf'],
    ['v1', 'Pod', 'spec.containers.[].resources.limits', 'object'],
    ['v1', 'Pod', 'spec.nodeSelector', 'leaf'],
    ['v1', 'Pod', 'spec.tolerations', 'leaf'],
    ['v1', 'Pod', 'spec.topologySpreadConstraints', [{ name: 'topologyKey' }, { name: 'whenUnsatisfiable' }]],
    ['v1', 'Pod', 'metadata.finalizers', 'set'],
    ['v1', 'Pod', 'metadata.labels', 'object'],
    ['v1', 'Pod', 'metadata.ownerReferences', [{ name: 'uid' }]],
    ['v1', 'Pod', 'status.conditions', [{ name: 'type' }]],
    ['v1', 'Pod', 'nothing', undefined],
    ['v1', 'Service', 'spec.ports', [{ name: 'port' }, { name: 'protocol', fallback: 'TCP' }]],
    ['v1', 'Service', 'spec.selector', 'leaf'],
    ['v1', 'PersistentVolume', 'spec.claimRef', 'object'],
    ['v1', 'Endpoints', 'subsets', 'leaf'],
    ['batch/v1', 'Job', 'status.conditions', 'leaf'],
    ['apps/v1', 'Deployment', 'spec.selector', 'leaf'],
    ['apps/v1', 'Deployment', 'spec.template.spec.containers.[].ports', ports],
    ['extensions/v1beta1', 'Deployment', 'spec.template.spec.containers.[].ports', ports],
    ['apps/v1', 'ControllerRevision', 'data', 'any'],
  ])('%s %s %s', (apiVersion, kind, path, expected) => {
    expect(keysOf(shapeAt(shapeOfKind(apiVersion, kind), path))).toEqual(expected);
  });

  it('has no shape for an unknown kind', () => expect(shapeOfKind('v1', 'None')).toBeUndefined());

  it.each([
    ['apps/v1', ['spec', 'status'], ['strategy', 'template']],
    ['extensions/v1beta1', ['spec', 'status'], ['strategy', 'template']],
  ])('%s: an empty deployment has objects', (apiVersion, fields, inSpec) => {
    const shape = shapeOfKind(apiVersion, 'Deployment');
    expect(shape?.present?.()).toEqual(fields);
    const spec = shapeAt(shape, 'spec');
    expect(spec?.kind === 'object' && spec.present?.()).toEqual(inSpec);
  });
});

describe('the shape of a whole object', () => {
  const pod = shapeOfKind('v1', 'Pod');
  const main = pod && wholeObject(pod, ['status']);
  const status = pod && wholeObject(pod, ['spec', 'metadata.labels']);

  it.each([
    ['apiVersion', 'hidden', 'hidden'],
    ['metadata.name', 'hidden', 'hidden'],
    ['metadata.resourceVersion', 'hidden', 'hidden'],
    ['metadata.managedFields', 'hidden', 'hidden'],
    ['metadata.generateName', 'leaf', 'leaf'],
    ['metadata.labels', 'object', 'hidden'],
    ['metadata.annotations', 'object', 'object'],
    ['spec', 'object', 'hidden'],
    ['status', 'hidden', 'object'],
  ])('%s', (path, inMain, inStatus) => {
    expect([shapeAt(main, path)?.kind, shapeAt(status, path)?.kind]).toEqual([inMain, inStatus]);
  });
});

describe('the shape of a structural schema', () => {
  const text = { type: 'string' };
  const item = { type: 'object', properties: { b: text, a: { type: 'string', default: 'x' } } };
  const shape = shapeOfSchema(
    {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            plain: { type: 'array', items: text },
            set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
            map: {
              type: 'array',
              items: item,
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['b', 'a'],
            },
            atomic: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text } },
            labels: { type: 'object', additionalProperties: text },
            free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            loose: { 'x-kubernetes-preserve-unknown-fields': true },
            port: { 'x-kubernetes-int-or-string': true },
            embedded: { type: 'object', 'x-kubernetes-embedded-resource': true },
            toString: { type: 'integer' },
          },
        },
      },
    },
    metadataShape(),
  );

  it.each([
    ['apiVersion', 'leaf'],
    ['metadata.labels', 'object'],
    ['spec', 'object'],
    ['spec.plain', 'leaf'],
    ['spec.set', 'set'],
    ['spec.map', [{ name: 'a', fallback: 'x' }, { name: 'b' }]],
    ['spec.map.[].b', 'leaf'],
    ['spec.atomic', 'leaf'],
    ['spec.labels.{}', 'leaf'],
    ['spec.free.{}', 'any'],
    ['spec.loose', 'any'],
    ['spec.port', 'leaf'],
    ['spec.embedded.metadata.labels', 'object'],
    ['spec.toString', 'leaf'],
    ['spec.hasOwnProperty', undefined],
    ['more', undefined],
  ])('%s', (path, expected) => expect(keysOf(shapeAt(shape, path))).toEqual(expected));

  it('is an object for a schema that says nothing', () => {
    expect(shapeAt(shapeOfSchema({}, leaf), 'kind')).toEqual({ kind: 'leaf', scalar: 'string' });
  });
});
