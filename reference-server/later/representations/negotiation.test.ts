// Tests which representation an Accept header chooses.
import { describe, expect, it } from 'vitest';
import { createCodecs } from '../../codecs/index.js';
import { Negotiation } from '../../edge/negotiation.js';
import type { Representation, ResponseKind } from '../../request.js';
import { Tables } from './columns/index.js';
import { createRepresentations } from './form.js';

const representationOf = createRepresentations(new Tables());
const negotiation = new Negotiation(createCodecs('kubernetes'), representationOf);
const negotiate = (accept: string | undefined, kind: ResponseKind) => negotiation.choose(accept, kind);
const negotiateLeniently = (accept: string | undefined) => negotiation.chooseLeniently(accept);

const protobuf = 'application/vnd.kubernetes.protobuf';
const table = 'as=Table;v=v1;g=meta.k8s.io';
const partial = 'as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const partialList = 'as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const kubectl =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';

/** Returns the kind and the version of a representation. */
function nameOf(representation: Representation | undefined): string {
  for (const as of ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']) {
    for (const version of ['v1', 'v1beta1']) {
      if (representation !== undefined && representation === representationOf(as, 'meta.k8s.io', version))
        return `${as} ${version}`;
    }
  }
  return 'none ';
}

describe('a representation', () => {
  /** The representation, its version and the media type. */
  const chosen = (accept: string, kind: ResponseKind): string => {
    const { codec, representation } = negotiate(accept, kind);
    return `${nameOf(representation)} ${codec.mediaType.replace('application/', '')}`;
  };

  it.each<[accept: string, kind: ResponseKind, expected: string]>([
    [kubectl, 'resource', 'Table v1 json'],
    [kubectl, 'watch', 'Table v1 json'],
    [kubectl, 'action', 'none  json'],
    [kubectl, 'object', 'none  json'],
    [`application/json;as=Table;v=v1beta1;g=meta.k8s.io`, 'resource', 'Table v1beta1 json'],
    [`application/yaml;${table}`, 'resource', 'Table v1 yaml'],
    [`*/*;${table}`, 'resource', 'Table v1 json'],
    [`application/*;${table}`, 'resource', 'Table v1 json'],
    [`${protobuf};${table},application/json;${table}`, 'resource', 'Table v1 json'],
    [`${protobuf};${table},application/json`, 'resource', 'none  json'],
    [
      `${protobuf};${partialList},application/json;${partialList},application/json`,
      'resource',
      'PartialObjectMetadataList v1 vnd.kubernetes.protobuf',
    ],
    [`${protobuf};${partial}`, 'watch', 'PartialObjectMetadata v1 vnd.kubernetes.protobuf'],
    [`application/yaml;${partial},application/json;${partial}`, 'watch', 'PartialObjectMetadata v1 json'],
    [`application/json;${partial}`, 'action', 'PartialObjectMetadata v1 json'],
    [`application/json,application/json;${table}`, 'resource', 'none  json'],
    [`application/json;q=0.5,application/json;${table};q=0.9`, 'resource', 'Table v1 json'],
    [`application/json;${table};q=0.5,application/json;q=0.9`, 'resource', 'none  json'],
    [`*/*,application/json;${table}`, 'resource', 'Table v1 json'],
    [`text/html,application/json;${table}`, 'resource', 'Table v1 json'],
    [`application/json;${table};q=0,application/yaml`, 'resource', 'none  yaml'],
    [`application/json;${table};stream=watch`, 'watch', 'Table v1 json'],
    ['application/json;AS=Table;V=v1;G=meta.k8s.io', 'resource', 'Table v1 json'],
    [`application/json;${table};stream=other,application/json`, 'watch', 'none  json'],
    ['application/json;as=Other;v=v1;g=meta.k8s.io,application/yaml', 'resource', 'none  yaml'],
    ['application/json;as=Table;v=v2;g=meta.k8s.io,application/yaml', 'resource', 'none  yaml'],
  ])('%s of a %s', (accept, kind, expected) => expect(chosen(accept, kind)).toBe(expected));

  it.each<[accept: string, kind: ResponseKind]>([
    ['application/json;as=Other;v=v1;g=meta.k8s.io', 'resource'],
    ['application/json;as=table;v=v1;g=meta.k8s.io', 'resource'],
    ['application/json;as=Table;v=v2;g=meta.k8s.io', 'resource'],
    ['application/json;as=Table;v=v1;g=example.com', 'resource'],
    ['application/json;as=Table;v=v1', 'resource'],
    ['application/json;as=Table;g=meta.k8s.io', 'resource'],
    [`application/json;${table};q=0`, 'resource'],
    [`${protobuf};${table}`, 'resource'],
    [`application/json;${table}`, 'action'],
    [`application/json;${table}`, 'object'],
    [`application/yaml;${table}`, 'watch'],
  ])('%s of a %s is not acceptable', (accept, kind) => {
    expect(() => negotiate(accept, kind)).toThrow(expect.objectContaining({ code: 406 }));
  });

  it('does not apply to errors, which have its media type', () => {
    const { codec, representation } = negotiateLeniently(`application/yaml;${table}`);
    expect([codec.mediaType, representation]).toEqual(['application/yaml', undefined]);
  });
});
