import { describe, expect, it } from 'vitest';
import { matches, quoted } from './pattern.js';

describe('a pattern of subjects', () => {
  it.each([
    ['pods', 'GET /pods/{name}', true],
    ['pods', 'GET /services', false],
    ['^GET /pods', 'GET /pods/{name}', true],
    ['^pods', 'GET /pods', false],
    ['/pods$', 'GET /pods', true],
    ['/pods$', 'GET /pods/{name}', false],
    ['^GET *, staticToken$', 'GET /pods, staticToken', true],
    ['^GET *, staticToken$', 'PUT /pods, staticToken', false],
    ['^GET *, staticToken$', 'GET /pods, staticToken, more', false],
    ['GET*{name}', 'GET /a\nb/{name}', true],
    ['a.c', 'abc', false],
    ['(a|b)+[c]', 'GET (a|b)+[c]', true],
    ['\\*/\\*', 'list, */*', true],
    ['\\*/\\*', 'list, a/b', false],
    ['^\\^a\\$$', '^a$', true],
    ['a^b$c', 'a^b$c', true],
    ['\\\\', 'a\\b', true],
    ['', 'anything', true],
  ] as const)('%j on %j: %j', (pattern, subject, expected) => {
    expect(matches(pattern, subject)).toBe(expected);
  });

  it.each(['POST /api/v1/{name}', '*/*', '^$', 'a\\b', '😀'])('means just a text that is quoted: %j', (text) => {
    expect(matches(`^${quoted(text)}$`, text)).toBe(true);
    expect(matches(`^${quoted(text)}$`, `${text}.`)).toBe(false);
  });
});
