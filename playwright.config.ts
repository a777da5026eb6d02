// Playwright runs the compiled suite: `npx playwright test` by itself, or as the command line has prepared the run.
import { setFlagsFromString } from 'node:v8';
import { defineConfig, type ReporterDescription } from '@playwright/test';
import { bundleFolder } from './cli/bundled.js';

const compiled = import.meta.url.endsWith('.js') ? '.' : './dist';
const bundle = compiled === '.' ? bundleFolder() : undefined;
/** Returns a compiled module, from the bundle if it is there. */
const part = (folder: string, name: string): string =>
  bundle === undefined ? `${compiled}/${folder}/${name}.js` : `./${bundle}/${name}.js`;

// The runner and each worker collect their garbage earlier: it costs no time, and a run needs 200 MB less.
setFlagsFromString('--heap-growing-percent=40');

const { KUBE_API_CONFORMANCE_RUN: run, KUBE_API_CONFORMANCE_ALLURE: allure } = process.env;
// By itself, Playwright runs the sources where they are, so that a user names the files that are read. Workers, which know
// of the run, read this file too.
const suites = bundle === undefined ? `${compiled}/suites` : `./${bundle}`;
process.env.KUBE_API_CONFORMANCE_SUITES ??= run === undefined && compiled !== '.' ? './suites' : suites;
// From here on, chapters register tests. Elsewhere they do not.
await import(bundle === undefined ? `${process.env.KUBE_API_CONFORMANCE_SUITES}/run/tests.js` : part('', 'tests'));

const reporters: ReporterDescription[] = [
  [run === undefined ? 'list' : part('suites/run', 'reporter')],
  ...(allure ? [['allure-playwright', { resultsDir: allure, detail: false }] as const] : []),
];

export default defineConfig({
  testDir: process.env.KUBE_API_CONFORMANCE_SUITES,
  testMatch: '**/*.spec.{js,ts}',
  globalSetup: [
    // The command line prepares its runs itself.
    ...(run === undefined ? [part('cli/run', 'globalSetup')] : []),
    part('suites/run', 'turns'),
  ],
  workers: 2,
  // The groups of a chapter may run in several workers.
  fullyParallel: true,
  // Tests with subjects that affect all workers come last. Such a subject waits for those that are under way.
  projects: [
    { name: 'together', grepInvert: /@alone/ },
    { name: 'alone', grep: /@alone/, workers: 1 },
  ],
  retries: 0,
  // a slow server may take long for a resource; each of the cases has a limit of its own
  timeout: 0,
  reporter: reporters,
});
