// Every row of the table of features is well-formed, and at least one case needs it.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allCases } from '../../suites/requirements/cases.js';
import { featuresOf } from '../../suites/requirements/needs.js';
import { isChecked } from '../../suites/requirements/types.js';
import { featureNames, featureOf } from './features.js';

describe('the features', () => {
  it.each(featureNames.map((name) => [name, featureOf(name)] as const))('%s', (name, feature) => {
    const { kind, text, probe, link, since, until, gatedSince, listing } = feature;
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(text).toMatch(/^[A-Z].*[^.]\.$/);
    expect(probe).not.toMatch(/\.$/);
    expect(link).toMatch(/^https:\/\/kubernetes\.io\//);
    expect({ since: since !== undefined, until: until !== undefined }).toEqual({
      since: kind === 'young',
      until: kind === 'gone',
    });
    if (gatedSince !== undefined) expect(listing).toBeDefined();
  });

  it('stand in the document about them, each in a row of its own', () => {
    const page = readFileSync(new URL('../../docs/features.md', import.meta.url), 'utf8');
    const cells = page
      .split('\n')
      .flatMap((line) => (line.startsWith('| [`') ? [line.split(/ *\| */).slice(1, -1)] : []));
    const expected = featureNames.map((name) => {
      const { kind, link, text, since, until, probe } = featureOf(name);
      const when = since === undefined ? (until === undefined ? `a ${kind}` : `until ${until}`) : `since ${since}`;
      return [`[\`${name}\`](${link})`, text, when, probe];
    });
    expect(cells).toEqual(expected);
  });

  it('are each needed by a case', () => {
    const needed = new Set(
      allCases().flatMap(({ requirement: { row }, subject }) => (isChecked(row) ? featuresOf(subject, row) : [])),
    );
    expect(featureNames.filter((name) => !needed.has(name))).toEqual([]);
  });

  it.each([
    ['the mechanism', { mechanism: 'staticPassword' as const }, {}, ['static-password']],
    ['the requirement', {}, { feature: 'limit' as const }, ['limit']],
    [
      'both',
      { feature: 'dry-run' as const },
      { feature: ['limit', 'export'] as const },
      ['limit', 'export', 'dry-run'],
    ],
    ['neither', {}, {}, []],
  ])('are needed by %s', (_, subject, row, names) => {
    expect(featuresOf(subject, row)).toEqual(names);
  });

  it('are needed by every operation of the legacy proxy', () => {
    const operations = new Set(allCases().flatMap(({ subject }) => subject.operation ?? []));
    const wrong = [...operations].filter(
      (operation) => operation.path.startsWith('/api/v1/proxy/') !== featuresOf({ operation }).includes('legacy-proxy'),
    );
    expect(wrong).toEqual([]);
  });
});
