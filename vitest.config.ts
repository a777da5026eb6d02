import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['node_modules/**', 'dist/**', 'report/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    maxConcurrency: 2,
  },
});
