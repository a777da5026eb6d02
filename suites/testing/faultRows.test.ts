// The rows of the faults: what the runs against broken servers rely on.
import { describe, expect, it } from 'vitest';
import { type Level, requirements } from '../requirements/index.js';
import { isChecked } from '../requirements/types.js';
import { faults, faultsOfFound } from './faults/index.js';

const levels = new Map<string, Level>(requirements.map(({ id, row }) => [id, row.level]));

describe('the faults', () => {
  it('that say what the verdict is have the requirements for it', () => {
    const wrong = faults.filter(
      ({ conformant, fails }) =>
        conformant !== undefined && conformant === fails.some((id) => levels.get(id) === 'required'),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('make every checked requirement fail once', () => {
    const caught = new Set([...faults, ...faultsOfFound].flatMap(({ fails }) => fails));
    const never = requirements.filter(({ row, id }) => isChecked(row) && !caught.has(id)).map(({ id }) => id);
    expect(never, 'No fault makes these requirements fail: add one to suites/<chapter>/faults.ts.').toEqual([]);
  });
});
