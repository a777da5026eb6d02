// The ids of requirements are locked, because target files, baselines and badges of users contain them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requirements } from './index.js';

const file = join(import.meta.dirname, 'ids.txt');
const locked = readFileSync(file, 'utf8').trimEnd().split('\n');
const ids = requirements.map(({ id }) => id);

it('every published id still exists', () => {
  const removed = locked.filter((id) => !ids.includes(id));
  expect(
    removed,
    'These requirements are gone, and target files that name them as deviations fail from now on. If that is wanted, ' +
      'run `npm run new ids`, and name them in CHANGELOG.md, with what replaces them.',
  ).toEqual([]);
});

it('every id is in the list', () => {
  const added = ids.filter((id) => !locked.includes(id));
  expect(added, 'These requirements are new: run `npm run new ids`. An id stays what it is from then on.').toEqual([]);
});

it('the list is sorted, without duplicates', () => {
  expect(locked).toEqual([...new Set(locked)].sort());
});
