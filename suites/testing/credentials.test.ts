// Every credential of the suite is sent by a case, and every case sends a credential of the suite.
import { describe, expect, it } from 'vitest';
import { isChecked, requirements, type Subject, subjectSets } from '../requirements/index.js';
import { credentials } from '../run/credentials/index.js';
import type { Source } from '../run/credentials/source.js';

const inOwnChapters = ['serviceAccountToken', 'webhookTokenReview'];
const tables = Object.entries<Source>(credentials).filter(([mechanism]) => !inOwnChapters.includes(mechanism));

/** Subject sets with names of their own: their credentials take more than one request. */
const worded = [
  'goodBesideBad',
  'schemeSpellings',
  'twoHeaders',
  'malformedPasswords',
  'identityServiceOutages',
  'resumedSessions',
];

const sets = requirements.flatMap(({ chapter, row }) =>
  isChecked(row) && ['authentication', 'certificates'].includes(chapter) ? [row.subjects] : [],
);
const shownIn = (set: (typeof sets)[number]): Subject[] =>
  (subjectSets[set] as readonly Subject[]).filter(({ mechanism, variant }) => mechanism && variant);

describe('the credentials', () => {
  it.each(tables)('of %s are all used', (mechanism, { good, bad }) => {
    const shown = new Set(sets.flatMap(shownIn).map((subject) => `${subject.mechanism} ${subject.variant}`));
    const known = [...Object.keys(good), ...Object.keys(bad)].filter((name) => name !== 'admin');
    expect(known.filter((name) => !shown.has(`${mechanism} ${name}`))).toEqual([]);
  });

  it.each(sets.filter((set) => !worded.includes(set)))('of the cases of %s are all known', (set) => {
    const unknown = shownIn(set).filter(({ mechanism, variant = '' }) => {
      const { good, bad }: Source = credentials[mechanism as keyof typeof credentials];
      return !(variant in good || variant in bad);
    });
    expect(unknown).toEqual([]);
  });
});
