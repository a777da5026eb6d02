import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCodecs } from '../codecs/index.js';
import { mediaTypeOf, Negotiation, type ResponseKind } from './negotiation.js';

const negotiation = new Negotiation(createCodecs('kubernetes'));
const negotiate = (accept: string | undefined, kind: ResponseKind) => negotiation.choose(accept, kind);
const negotiateLeniently = (accept: string | undefined) => negotiation.chooseLeniently(accept);

const protobuf = 'application/vnd.kubernetes.protobuf';
const table = 'as=Table;v=v1;g=meta.k8s.io';
const partial = 'as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const partialList = 'as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const kubectl =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';

describe('Accept', () => {
  it.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/*', 'json'],
    ['application/json', 'json'],
    ['application/JSON', 'json'],
    ['application/yaml', 'yaml'],
    ['application/yaml, application/json', 'yaml'],
    ['application/json;q=0.4,application/yaml;q=0.5', 'yaml'],
    ['application/yaml;q=0.4,application/json;q=0.5', 'json'],
    ['application/json;q=0, */*', 'yaml'],
    ['application/xml, */*;q=0.1', 'json'],
    ['text/html, application/yaml;q=0.1', 'yaml'],
    ['application/vnd.kubernetes.protobuf', 'vnd.kubernetes.protobuf'],
    ['application/vnd.kubernetes.protobuf, application/json', 'vnd.kubernetes.protobuf'],
    ['application/vnd.kubernetes.protobuf;q=0.5, application/yaml;q=0.9, */*;q=0.1', 'yaml'],
    ['application/vnd.kubernetes.protobuf;q=0.5, */*;q=0.1', 'vnd.kubernetes.protobuf'],
    ['application/vnd.other.protobuf, application/json', 'json'],
    ['application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io, application/json', 'json'],
    ['application/json;charset=utf-8', 'json'],
    ['application/json; foo="a,b"', 'json'],
    ['application/json;stream=watch', 'json'],
    [kubectl, 'json'],
    ['application/json;as=Table;v=v1;g=meta.k8s.io, application/yaml', 'yaml'],
    [',;q=1,/,application/yaml', 'yaml'],
  ])('%s', (accept, type) => expect(negotiate(accept, 'object').codec.mediaType).toBe(`application/${type}`));

  it.each([
    'text/html',
    'text/*',
    'application/xml',
    'application/json;q=0',
    '*/*;q=0',
    ';;;',
    'garbage',
    ',',
    'application/json;q=',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    'application/json;stream=other',
    '__proto__/constructor',
    'x'.repeat(60_000),
  ])('%s is not acceptable, or JSON, without a crash', (accept) => {
    let code = 200;
    try {
      negotiate(accept, 'object');
    } catch (error) {
      code = (error as { code: number }).code;
    }
    expect(code).toBe(accept === 'application/json;q=' ? 200 : 406);
    expect(negotiateLeniently(accept).codec.mediaType).toBe('application/json');
  });
});

describe('a representation', () => {
  /** The representation, its version and the media type. */
  const chosen = (accept: string, kind: ResponseKind): string => {
    const { codec, representation } = negotiate(accept, kind);
    const { as = 'none', apiVersion = '' } = representation ?? {};
    return `${as} ${apiVersion.replace('meta.k8s.io/', '')} ${codec.mediaType.replace('application/', '')}`;
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

it('any Accept gets a media type or 406', () => {
  const pieces = fc.constantFrom(
    'application',
    '/',
    'json',
    '*',
    ';',
    'q',
    '=',
    '0.5',
    ',',
    ' ',
    '"',
    '\\',
    'stream=watch',
    'as=',
    '\u00e9',
  );
  const headers = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 14 }).map((list) => list.join('')),
  );
  fc.assert(
    fc.property(headers, (accept) => {
      expect(negotiateLeniently(accept).codec).toBeDefined();
    }),
    { numRuns: 1000 },
  );
});

describe('Accept of a watch', () => {
  it.each([
    [undefined, false],
    ['*/*', false],
    ['application/json', false],
    ['application/json;stream=watch', true],
    ['application/json; stream=watch; q=0.5, text/html', true],
    ['application/yaml, application/json', false],
    [kubectl, false],
  ])('%s', (accept, stream) => {
    const choice = negotiate(accept, 'watch');
    expect([choice.codec.mediaType, choice.stream]).toEqual(['application/json', stream]);
  });

  it.each([
    ['application/vnd.kubernetes.protobuf', false],
    ['application/vnd.kubernetes.protobuf;stream=watch', true],
    ['application/vnd.kubernetes.protobuf;stream=watch;q=0.9, application/json;q=0.8', true],
  ])('%s', (accept, stream) => {
    const choice = negotiate(accept, 'watch');
    expect([choice.codec.mediaType, choice.stream]).toEqual(['application/vnd.kubernetes.protobuf', stream]);
  });

  it.each(['application/yaml', 'text/html', 'application/json;stream=other'])('%s is refused', (accept) => {
    expect(() => negotiate(accept, 'watch')).toThrow(
      'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
    );
  });
});

describe('Accept of a response that is not an object', () => {
  it('ignores protobuf', () => {
    const { codec } = negotiate('application/vnd.kubernetes.protobuf, application/yaml', 'kindless');
    expect(codec.mediaType).toBe('application/yaml');
    expect(() => negotiate('application/vnd.kubernetes.protobuf', 'kindless')).toThrow(
      'only the following media types are accepted: application/json, application/yaml',
    );
  });
});

it.each([
  [undefined, undefined],
  ['', undefined],
  ['application/json', 'application/json'],
  [' Application/YAML ; charset=utf-8', 'application/yaml'],
  [';charset=utf-8', ''],
])('Content-Type %s', (header, mediaType) => expect(mediaTypeOf(header)).toBe(mediaType));
