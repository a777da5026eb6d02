// The message of a failure: its difference, its exchange, and its example, decoded and without names of the run.
import { describe, expect, it } from 'vitest';
import { allHostile, exchange } from '../testing/sample.js';
import { decidingExchange, differenceOf, exampleOf, exampleText, markDifference } from './failureMessage.js';

const textOf = (message: string): string => exampleText(exampleOf('a subject', message), (text) => `<${text}>`);

it.each([
  [
    'GET /api/v1/pods?labelSelector=tier%3Da%2Cb, {"labelSelector":"tier=a,b"}: expected one two, got one two three',
    'GET /api/v1/pods?labelSelector=tier=a,b: expected one two, got one two <three>',
  ],
  [
    'GET /api/v1/namespaces/kac-ca1029-w0-main/pods/kac-ca1029-w0-12: expected 200, got 404 "pods \\"kac-ca1029-w0-12\\" not found"',
    'GET /api/v1/namespaces/kac-main/pods/kac-12: expected <200>, got <404 "pods \\"kac-12\\" not found">',
  ],
  ['PUT /x: spec.replicas is 3, not 1', 'PUT /x spec.replicas: expected <1>, got <3>'],
  [
    'POST /x: expected 200, got 201 "{\\"apiVersion\\":\\"v1\\",\\"kind\\":\\"Po… (200 characters more)',
    'POST /x: expected <200>, got <201>',
  ],
  ['POST /x: expected 200, got 201 {"kind":"Pod"}', 'POST /x: expected <200>, got <201>'],
  ['GET /x: expected a list, got {"kind":"Pod"}', 'GET /x: expected <a list>, got <{"kind":"Pod"}>'],
  ['the watch ended before the event', 'the watch ended before the event'],
  ['GET /x%0Ay%zz%ff: no answer\nat a line', 'GET /x y%zz%ff: no answer'],
])('%s', (message, text) => expect(textOf(message)).toBe(text));

it('cuts long values around the difference', () => {
  const long = 'word '.repeat(200);
  const text = textOf(`x: expected ${long}a ${long}, got ${long}b ${long}`);
  expect(text).toMatch(/^x: expected …[word ]{24}<a>[word ]{24}…, got …[word ]{24}<b>[word ]{24}…$/);
});

describe('the difference', () => {
  it.each([
    ['a b', 'a b', ['a b', '', ''], ['a b', '', '']],
    ['a b c', 'a x c', ['a ', 'b', ' c'], ['a ', 'x', ' c']],
    ['a a', 'a a a', ['a a', '', ''], ['a a ', 'a', '']],
    ['', 'a', ['', '', ''], ['', 'a', '']],
  ])('%s, %s', (expected, got, first, second) => {
    const [a, b] = markDifference(expected, got);
    expect([Object.values(a), Object.values(b)]).toEqual([first, second]);
  });
});

it('contains no control sequences for a terminal', () => {
  expect(textOf(allHostile)).not.toMatch(/\p{Cc}/u);
  expect(textOf(`x: expected ${allHostile}, got %1b%5b31m%0d`)).not.toMatch(/\p{Cc}/u);
});

describe('expected and actual values in a message', () => {
  it.each([
    [
      `POST /api/v1/pods: expected 200, got 201 "made"`,
      { what: `POST /api/v1/pods`, expected: '200', got: '201 "made"' },
    ],
    [
      `POST /api/v1/pods: the object: spec.replicas is 2, not 3`,
      { what: `POST /api/v1/pods: the object`, path: 'spec.replicas', expected: '3', got: '2' },
    ],
    [
      `POST /api/v1/pods: reason of the Status: expected one of ["Conflict"], got "Gone"`,
      {
        what: `POST /api/v1/pods: reason of the Status`,
        path: 'reason',
        expected: 'one of ["Conflict"]',
        got: '"Gone"',
      },
    ],
    ['the body: (body) is absent, not an object', { what: 'the body', expected: 'an object', got: 'absent' }],
  ])('%s', (message, difference) => {
    expect(differenceOf(message)).toEqual(difference);
  });

  it.each(['nothing changed', 'no answer within 10000 ms', ''])('is plain: %s', (message) => {
    expect(differenceOf(message)).toBeUndefined();
  });
});

const base = 'https://127.0.0.1:6443';
const asked = (id: string, method: string, path: string) =>
  exchange(id, { request: { method, url: base + path, headers: [] } });

describe('the exchange that decides a case', () => {
  const exchanges = [
    asked('a', 'POST', '/api/v1/namespaces'),
    asked('b', 'GET', '/api/v1/pods'),
    asked('c', 'GET', '/api/v1/pods/p?x=1'),
  ];

  it.each([
    ['GET /api/v1/pods: expected 200', 'b'],
    ['GET /api/v1/pods/p?x=1: expected 200', 'c'],
    ['create: POST /api/v1/namespaces answered 500', 'a'],
    ['GET /api/v1/pod: expected 200', 'c'],
    ['something else', 'c'],
  ])('for %s', (message, id) => {
    expect(decidingExchange({ message, exchanges })?.id).toBe(id);
  });

  it('is none for a case without exchanges', () => {
    expect(decidingExchange({ message: 'm', exchanges: [] })).toBeUndefined();
  });
});
