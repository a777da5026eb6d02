import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCodecs } from '../codecs/index.js';
import type { ResponseKind } from '../request.js';
import { hasGoodParameters, mediaTypeOf, Negotiation } from './negotiation.js';

const negotiation = new Negotiation(createCodecs('kubernetes'));
const negotiate = (accept: string | undefined, kind: ResponseKind) => negotiation.choose(accept, kind);
const negotiateLeniently = (accept: string | undefined) => negotiation.chooseLeniently(accept);

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
  ['', true],
  [';', true],
  ['; charset=utf-8', true],
  [';charset="utf-8;\\"x" ; Q = 0.5;', true],
  [';foo', false],
  [' ; foo', false],
  [';;', false],
  [';charset="utf-8', false],
  [';charset=', false],
  [';a=b c', false],
  [';a=b;A=c', false],
])('Content-Type application/json%s has good parameters: %s', (parameters, isGood) =>
  expect(hasGoodParameters(`application/json${parameters}`)).toBe(isGood),
);

it.each([
  [undefined, undefined],
  ['', undefined],
  ['application/json', 'application/json'],
  [' Application/YAML ; charset=utf-8', 'application/yaml'],
  [';charset=utf-8', ''],
])('Content-Type %s', (header, mediaType) => expect(mediaTypeOf(header)).toBe(mediaType));
