// Tests that the package's target files name only existing requirements and subjects.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allCases, covers, requirements, requirementsOf } from '../suites/requirements/index.js';
import { resolveTarget } from './target.js';

const folder = join(import.meta.dirname, '../targets');
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
const all = allCases();
const ids = new Set(requirements.map(({ id }) => id));

describe.each(files)('%s', (file) => {
  const { deviations, dangerous = [] } = resolveTarget({ target: join(folder, file) });

  it('names requirements that exist', () => {
    expect(deviations.flatMap(requirementsOf).filter((id) => !ids.has(id))).toEqual([]);
  });

  it.each([...deviations, ...dangerous].map((row) => [`${row.requirement}, ${row.subject}`, row] as const))(
    'has a case for %s',
    (_, row) => {
      expect(all.some(({ requirement, subject }) => covers(row, requirement.id, subject.id))).toBe(true);
    },
  );
});
