import { expect, it } from 'vitest';
import { startServer } from '../server.js';
import { ask } from '../testing/standIn.js';
import { latency } from './latency.js';

it('is before every response', async () => {
  await using server = await startServer({ latency: 300 });
  const started = performance.now();
  expect((await ask(server, '/api/v1')).status).toBe(200);
  expect(performance.now() - started).toBeGreaterThanOrEqual(299);
});

it.each([-1, 10_001, 0.5])('refuses %d', (milliseconds) => {
  expect(() => latency(milliseconds)).toThrow(
    `--latency: ${milliseconds} is no number of milliseconds from 0 to 10000`,
  );
});
