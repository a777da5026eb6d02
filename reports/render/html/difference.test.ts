import { describe, expect, it } from 'vitest';
import { exchange } from '../../testing/sample.js';
import { differenceOf, marksOf, namedExchange } from './difference.js';

const path = '/api/v1/namespaces/ns/pods';

describe('expected and actual values in a message', () => {
  it.each([
    [`POST ${path}: expected 200, got 201 "made"`, { what: `POST ${path}`, expected: '200', got: '201 "made"' }],
    [
      `POST ${path}: the object: spec.replicas is 2, not 3`,
      { what: `POST ${path}: the object`, path: 'spec.replicas', expected: '3', got: '2' },
    ],
    [
      `POST ${path}: reason of the Status: expected one of ["Conflict"], got "Gone"`,
      { what: `POST ${path}: reason of the Status`, path: 'reason', expected: 'one of ["Conflict"]', got: '"Gone"' },
    ],
    ['the body: (body) is absent, not an object', { what: 'the body', expected: 'an object', got: 'absent' }],
  ])('%s', (message, difference) => {
    expect(differenceOf(message)).toEqual(difference);
  });

  it.each(['nothing changed', 'no answer within 10000 ms', ''])('is plain: %s', (message) => {
    expect(differenceOf(message)).toBeUndefined();
  });
});

describe('the part of an exchange in a message', () => {
  const read = exchange('x2', { request: { method: 'GET', url: `https://127.0.0.1:6443${path}/a`, headers: [] } });
  const made = exchange('x1');

  it('is the last exchange with its method and path', () => {
    expect(namedExchange(`POST ${path}: expected 200, got 201`, [made, exchange('x3'), read])?.id).toBe('x3');
    expect(namedExchange('the object was lost', [made, read])?.id).toBe('x2');
    expect(namedExchange('nothing was sent', [])).toBeUndefined();
  });

  it('is the status, the headers, the path or the value', () => {
    expect(marksOf(`POST ${path}: expected 200, got 201`, made).status).toBe(true);
    expect(marksOf(`POST ${path}: expected 200, got 500`, made).status).toBe(false);
    expect([...marksOf('the media type: expected "a/b", got "c/d"', made).headers]).toEqual(['content-type']);
    expect(marksOf('POST: metadata.uid is absent, not "u"', made).path).toBe('metadata.uid');
    expect(marksOf('the name: expected "a", got "other"', made).value).toBe('other');
  });
});
