import { describe, expect, it } from 'vitest';
import type { Capability } from '../../matrix/subjects/features.js';
import { allCases } from './cases.js';
import { choose, chosenBy } from './choice.js';
import { absenceFor } from './needs.js';
import { matches, matchesWhole, quoted } from './pattern.js';

describe('a pattern', () => {
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

  it.each([
    ['operation:GET /api/v1/proxy/*', 'operation:GET /api/v1/proxy/nodes/{name}', true],
    ['operation:GET /api/v1/pods', 'operation:GET /api/v1/pods', true],
    ['operation:GET /api/v1/pods', 'operation:GET /api/v1/pods/{name}', false],
    ['^group:*s$', 'group:extensions', true],
    ['a.c', 'abc', false],
  ] as const)('%j is the whole of %j: %j', (pattern, text, expected) => {
    expect(matchesWhole(pattern, text)).toBe(expected);
  });
});

describe('the cases that a pattern names', () => {
  const all = allCases();
  const ids = all.map(({ id }) => id);

  it.each([
    [
      'replace.stale › PUT /api/v1/nodes/{name}',
      (id: string) => id.includes('replace.stale › PUT /api/v1/nodes/{name}'),
    ],
    // a text that occurs in an id keeps its literal meaning
    ['*/*', (id: string) => id.includes('*/*')],
    [', */*', (id: string) => id.includes(', */*')],
    ['$retainKeys', (id: string) => id.includes('$retainKeys')],
    ['*', (id: string) => id.includes('*')],
    // all other texts are patterns
    ['^list.kind *pods$', (id: string) => id.startsWith('list.kind ') && id.endsWith('pods')],
    ['^watch.* › GET /api/v1/nodes', (id: string) => /^watch\..* › GET \/api\/v1\/nodes/.test(id)],
    ['replace.stale > PUT /api/v1/nodes/*', (id: string) => id.includes('replace.stale › PUT /api/v1/nodes/')],
  ])('--grep %j', (grep, expected) => {
    const wanted = ids.filter(expected);
    expect(wanted).not.toEqual([]);
    expect(choose({ grep }).map(({ id }) => id)).toEqual(wanted);
    expect(ids.filter(chosenBy({ grep }))).toEqual(wanted);
  });

  it.each<[Capability, (subject: (typeof all)[number]['subject']) => boolean]>([
    // What is about the server as a whole uses objects and paths of the core group.
    [
      'group:core',
      ({ operation, within }) => (operation === undefined ? within === undefined : operation.groupVersion.group === ''),
    ],
    ['resource:core/nodes', ({ resource, operation }) => operation !== undefined && resource === 'core/nodes'],
    ['operation:GET /api/v1/nodes', ({ operation }) => operation?.id === 'GET /api/v1/nodes'],
    ['operation:GET /api/v1/proxy/*', ({ operation }) => operation?.id.startsWith('GET /api/v1/proxy/') === true],
    ['mediaType:protobuf', ({ mediaType }) => mediaType === 'protobuf'],
    ['mechanism:staticPassword', ({ mechanism }) => mechanism === 'staticPassword'],
    ['nodes:running', ({ node }) => node !== undefined],
    ['nodes:observed', ({ node }) => node === 'observed'],
  ])('the absence of %s', (capability, expected) => {
    const absences = [{ capability, reason: '' }];
    const lacking = all.filter(({ subject }) => absenceFor(absences, subject) !== undefined);
    expect(lacking.map(({ id }) => id)).toEqual(all.filter(({ subject }) => expected(subject)).map(({ id }) => id));
  });

  it.each([
    ['group:autoscaling', /^versions\..*horizontalpodautoscalers.*created in/],
    ['group:batch', /^versions\..*jobs.*created in/],
  ] as const)('the absence of %s takes the cases of two versions with it', (capability, needing) => {
    const cases = all.filter(({ id }) => needing.test(id));
    expect(cases.length).toBeGreaterThan(5);
    for (const { id, subject } of cases)
      expect([id, absenceFor([{ capability, reason: '' }], subject)?.capability]).toEqual([id, capability]);
  });
});
