// Tests that the package's target files name only existing subjects; a file with an unknown requirement is refused.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allCases, covers } from '../../suites/requirements/index.js';
import { packageRoot } from '../files.js';
import { readTargetFile } from './file.js';

const folder = join(packageRoot, 'targets');
const all = allCases();

describe.each(readdirSync(folder).filter((file) => file.endsWith('.yaml')))('%s', (file) => {
  const { name, deviations, dangerous } = readTargetFile(join(folder, file));

  it('has the name of its file', () => expect(`${name}.yaml`).toBe(file));

  it.each([...deviations, ...dangerous].map((row) => [`${row.requirement}, ${row.subject}`, row] as const))(
    'has a case for %s',
    (_, row) => {
      expect(all.some(({ requirement, subject }) => covers(row, requirement.id, subject.id))).toBe(true);
    },
  );
});
