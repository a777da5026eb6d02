// The parts of a response that a message marks.
import { describe, expect, it } from 'vitest';
import { exchange } from '../../testing/sample.js';
import { marksOf } from './body.js';

describe('the marked part of an exchange', () => {
  const made = exchange('x1');

  it('is the status, the headers, the path or the value', () => {
    expect(marksOf(`POST /pods: expected 200, got 201`, made).status).toBe(true);
    expect(marksOf(`POST /pods: expected 200, got 500`, made).status).toBe(false);
    expect([...marksOf('the media type: expected "a/b", got "c/d"', made).headers]).toEqual(['content-type']);
    expect(marksOf('POST: metadata.uid is absent, not "u"', made).path).toBe('metadata.uid');
    expect(marksOf('the name: expected "a", got "other"', made).value).toBe('other');
  });
});
