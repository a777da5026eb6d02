import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['node_modules/**', 'dist/**', 'report/**'],
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
    // A shared machine may stall for seconds in the middle of a test of processes; what fails twice has failed.
    retry: process.env.CI ? 1 : 0,
    maxWorkers: 2,
    maxConcurrency: 2,
  },
});
