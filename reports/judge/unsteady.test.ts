// Server errors here and there are said to be random; those of an operation, a kind or an input are not.
import { expect, it } from 'vitest';
import {
  daemonsets,
  deployments,
  ingresses,
  jobs,
  judgeSample,
  pods,
  replicasets,
  result,
  sampleCase,
  services,
} from '../testing/sample.js';

const kinds = [pods, services, jobs, ingresses, deployments, daemonsets, replicasets];
const variants = ['a', 'b', 'c'];
const flaky = 'expected 200, got 500 "flaky"';
const all = variants.flatMap((variant) =>
  kinds.map(({ requirement, subject }) => sampleCase(requirement, `${subject.id}, ${variant}`, { variant })),
);

/** The note of a run in which some cases, by their place in kinds x variants, get a server error. */
function noteWith(hasError: (kind: number, variant: number) => boolean, message = flaky) {
  const results = all.map((one, index) => {
    const isBad = hasError(index % kinds.length, Math.floor(index / kinds.length));
    return isBad ? result(one, 'failed', { message }) : result(one, 'passed');
  });
  return judgeSample({ expected: all, results }).notes;
}

it('a target that fails here and there may fail at random', () => {
  const notes = noteWith((kind, variant) => kind % 3 === variant);
  expect(notes).toEqual([expect.stringMatching(/^server errors in 7 cases of 7 kinds, .* at random; --failed/)]);
});

it.each<readonly [string, (kind: number, variant: number) => boolean, string]>([
  ['one input fails on each kind', (_, variant) => variant === 1, flaky],
  ['a few kinds fail', (kind) => kind < 3, flaky],
  ['most kinds fail', (kind) => kind < 6, flaky],
  ['the values are wrong, without a server error', (kind, variant) => kind % 3 === variant, 'expected 1, got 2'],
  ['nothing fails', () => false, flaky],
])('nothing is said where %s', (_, hasError, message) => {
  expect(noteWith(hasError, message)).toEqual([]);
});
