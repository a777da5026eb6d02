// No run hangs or breaks, whatever a server sends: a few seeds here, and many in `npm run bench -- fuzz`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomOf } from '../../objects/random.js';
import { loadChapters } from '../../run/chapterFiles.js';
import { type Running, startReferenceServer } from '../referenceServer.js';
import { changeAnswer } from './fuzzAnswers.js';
import { fuzzRun } from './fuzzRun.js';

let good: Running;
beforeAll(async () => {
  await loadChapters();
  good = await startReferenceServer();
});
afterAll(() => good.stop());

describe('a server with random responses', () => {
  it.each([2, 5, 9, 12, 23])('gets a verdict for every case, seed %i', async (seed) => {
    const { verdicts, requests } = await fuzzRun(good, seed, 10);
    expect(Object.keys(verdicts).length).toBeGreaterThan(0);
    expect(requests).toBeGreaterThan(0);
  });
});

it('a seed gives the same choices each time', () => {
  const body = Buffer.from('{"kind":"Pod","metadata":{"name":"a","labels":{"b":"c"}}}');
  const answers = () =>
    Array.from({ length: 20 }, (_, seed) => changeAnswer(200, body, randomOf(seed)).body.toString());
  expect(answers()).toEqual(answers());
  expect(new Set(answers()).size).toBeGreaterThan(10);
});
