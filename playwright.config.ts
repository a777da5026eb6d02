// Playwright runs the compiled suite. The command line gives it its target; see cli/run.ts.
import { defineConfig } from '@playwright/test';

const compiled = import.meta.url.endsWith('.js');

export default defineConfig({
  testDir: compiled ? './suites' : './dist/suites',
  testMatch: '*.spec.js',
  outputDir: process.env.KUBE_API_CONFORMANCE_OUTPUT ?? './test-results',
  workers: Number(process.env.KUBE_API_CONFORMANCE_WORKERS ?? 2),
  fullyParallel: false,
  projects: [
    { name: 'together', grepInvert: /@alone/, teardown: 'alone' },
    { name: 'alone', grep: /@alone/, workers: 1 },
  ],
  retries: 0,
  // a slow server may take long for a resource; each of its cells has an end of its own
  timeout: 0,
  reporter: [[compiled ? './suites/support/reporter.js' : './dist/suites/support/reporter.js']],
});
