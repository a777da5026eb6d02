import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';
import { lessInlining } from './cli/v8.js';
import { hasPackages, withoutPackages } from './tools/clients/packages.js';

/**
 * The files that begin first, by what their paths contain: those that take longest, since what starts last ends alone on
 * its worker. Those that mostly wait are between those that compute, so that no core is idle.
 */
const first = [
  'suites/testing/kinds',
  'tools/clients/controller',
  'suites/testing/faults/firstQuarter',
  'reports/page/page',
  'cli/run/output',
  'cli/published/playwright',
  'suites/testing/faults/secondHalf',
  'suites/testing/safety/',
  'cli/published/packed',
  'suites/testing/faults/everyKind',
  'cli/run/shards',
  'cli/run/secrets',
  'suites/testing/faults/secondQuarter',
  'reference-server/storages/etcd/faults',
  'cli/published/',
  'reference-server/costs',
  'reference-server/later/costs',
  'suites/testing/interruption',
  'suites/testing/resilience/cleanup',
  'reference-server/storages/crash',
  'suites/testing/resilience/lateControllers',
  'suites/testing/commandLine',
  'suites/testing/resilience/busyControllers',
  'cli/run/deviations',
  'suites/testing/resilience/resilience',
  'cli/run/everyKind',
  'suites/testing/resilience/refusals',
  'cli/run/workers',
  'cli/run/kubeApiserver',
  'cli/serve/kubectl',
  'suites/testing/resilience/',
  'suites/testing/',
  'cli/',
  'reports/page/',
  'reference-server/storages/',
];

/**
 * The files whose tests start whole runs, installations, or servers that crash or are broken, one after the other, or
 * programs of others: each takes longer than all unit tests of a folder. `npm test` leaves them out, and
 * `npm run test:long` runs them alone.
 */
const long = [
  'cli/{assets,fixtures,published,reporting,serve}/**/*.test.ts',
  'cli/{completion,exitCodes,nodeAgent,nodeAgentKubeApiserver,serveNodes,warnings}.test.ts',
  'cli/run/{choice,deviations,everyKind,failed,kubeApiserver,output,ownRole,presentServer}.test.ts',
  'cli/run/{progress,secrets,shards,watching,withoutPlaywright,workers}.test.ts',
  'node-agent/streaming/kubectl.test.ts',
  'reference-server/codecs/{protobuf,yaml}.test.ts',
  'reference-server/costs.test.ts',
  'reference-server/later/{costs,features,servers}.test.ts',
  'reference-server/storages/**/*.test.ts',
  'reports/page/page.test.ts',
  'suites/testing/{faults,resilience,safety}/**/*.test.ts',
  'suites/testing/{commandLine,costs,interruption,kinds,node,wall}.test.ts',
  'test-certs/*.test.ts',
  'tools/clients/{controller,python}.test.ts',
  'tools/testing/regularExpressions.test.ts',
];

/**
 * The files whose programs compile or wait for minutes, or start slowly, many times, or are those of others:
 * `npm run test:soak` alone runs them.
 */
const dear = [
  'cli/published/otherNodes.test.ts',
  'cli/run/allure.test.ts',
  'cli/run/full.test.ts',
  'cli/serve/kubectlReplicas.test.ts',
  'cli/serve/kubectlSession.test.ts',
  'suites/testing/resilience/stoppedControllers.test.ts',
  'tools/clients/ansible.test.ts',
  'tools/clients/operator.test.ts',
  'tools/new.test.ts',
];

/** The files of which `npm run test:soak` runs more: larger sizes, each example, each program of others. */
const soak = [
  ...dear,
  'cli/published/docs.test.ts',
  'cli/published/examples.test.ts',
  'cli/published/packed.test.ts',
  'cli/published/playwright.test.ts',
  'cli/run/everyKind.test.ts',
  'cli/run/ownRole.test.ts',
  'cli/run/progress.test.ts',
  'cli/run/shards.test.ts',
  'cli/run/watching.test.ts',
  'cli/serve/control.test.ts',
  'reference-server/costs.test.ts',
  'reference-server/later/costs.test.ts',
  'reference-server/edge/tlsFloods.test.ts',
  'reference-server/later/grammar.test.ts',
  'reference-server/later/manyWatches.test.ts',
  'reference-server/later/slowLists.test.ts',
  'reference-server/storages/crash.test.ts',
  'reference-server/storages/kills.test.ts',
  'reports/page/page.test.ts',
  'suites/testing/costs.test.ts',
  'suites/testing/faults/everyKind.test.ts',
  'suites/testing/faults/firstQuarter.test.ts',
  'suites/testing/faults/secondHalf.test.ts',
  'suites/testing/faults/secondQuarter.test.ts',
  'suites/testing/kinds.test.ts',
  'suites/testing/safety/safety.test.ts',
  'tools/clients/controller.test.ts',
];

/** Which tests to run: `short`, `long`, `soak`, or all of them when absent. */
const part = process.env.TESTS;

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = first.findIndex((part) => moduleId.includes(`/${part}`));
      return place === -1 ? first.length : place;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

/** Shows the dearest files, by their CPU time. The workers share the machine, so that the walls add up to more than the run. */
const dearest: Reporter = {
  onTestRunEnd(files) {
    if (!process.env.CI) return;
    const rows = files.map((file) => ({
      cpu: file.meta().cpu ?? 0,
      wall: file.diagnostic().duration / 1000,
      name: relative(import.meta.dirname, file.moduleId),
    }));
    const total = (of: 'cpu' | 'wall'): string => rows.reduce((sum, row) => sum + row[of], 0).toFixed(0);
    process.stdout.write(`${rows.length} files: CPU ${total('cpu')} s, walls ${total('wall')} s; the dearest:\n`);
    for (const { cpu, wall, name } of rows.sort((one, other) => other.cpu - one.cpu).slice(0, 20))
      process.stdout.write(`${cpu.toFixed(1).padStart(7)} s CPU ${wall.toFixed(0).padStart(5)} s  ${name}\n`);
  },
};

/**
 * Milliseconds that a test, a hook of a file, or twice a poll may take: the one deadline of all tests. It is for what
 * hangs, and holds on a machine with a load of 40 too. Long tests start whole runs.
 */
const deadline = part === 'short' ? 420_000 : part === 'soak' ? 3_600_000 : 600_000;

const workers = part === 'long' ? 7 : part === 'soak' ? 3 : 4;

/**
 * Gives the tests the compiled modules in place of the sources. Node itself loads those, and the gate takes a fifteenth
 * less CPU time. The scripts of package.json compile before they start the tests.
 */
const compiled: Plugin = {
  name: 'compiled',
  enforce: 'pre',
  resolveId(name, importer) {
    if (importer === undefined || !/^\.{1,2}\/.*\.js$/.test(name)) return;
    const file = join(import.meta.dirname, 'dist', relative(import.meta.dirname, resolve(dirname(importer), name)));
    return existsSync(file) ? file : undefined;
  },
};

/** `--changed` finds the tests of a source by their imports, and a command without a script may not have compiled. */
const takesSources = part === undefined || process.argv.includes('--changed');

/**
 * The files of the chapters are imported by their names. For `--changed`, what runs their cases in a test, or reads their
 * faults, depends on each of them; the command line would take all of its tests along.
 */
const chaptersByName: Plugin = {
  name: 'chapters by name',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('/testing/') && /\b(loadChapters|loadRounds|importFaults)\b/.test(code)
      ? `${code}\nimport.meta.glob(['/suites/*/*.spec.ts', '/suites/*/faults.ts']);\n`
      : undefined,
};

declare module 'vitest' {
  interface ProvidedContext {
    /** For waits outside a test's own `expect.poll`. */
    readonly deadline: number;
  }
}

if (!hasPackages) process.stderr.write(`tools/clients: ${withoutPackages}\n`);

export default defineConfig({
  plugins: [takesSources ? chaptersByName : compiled],
  test: {
    server: { deps: { external: [/\/dist\/.*\.js$/] } },
    include: part === 'long' ? long : part === 'soak' ? soak : ['**/*.test.ts'],
    exclude: [
      ...['**/node_modules/**', 'dist/**', 'examples/**', 'report/**'],
      ...(hasPackages ? [] : ['tools/clients/**']),
      ...(part === 'short' ? [...long, ...dear] : part === 'long' ? dear : []),
    ],
    globalSetup: './tools/testing/shared.ts',
    setupFiles: [
      './tools/testing/processes.ts',
      './tools/testing/cpu.ts',
      './tools/testing/seed.ts',
      './tools/testing/frozen.ts',
      './tools/testing/bytes.ts',
    ],
    testTimeout: deadline,
    hookTimeout: deadline,
    expect: { poll: { timeout: deadline / 2 } },
    provide: { deadline },
    // Commands annotate a job of GitHub Actions: not the one that runs the tests.
    env: { GITHUB_ACTIONS: '' },
    reporters: ['default', dearest],
    sequence: { sequencer: InOrder },
    // To load the modules takes as long as most tests, so the files that a worker runs share them.
    isolate: false,
    // The long tests, and the next run, need not compile them again.
    experimental: { fsModuleCache: true },
    // More than two cores can run, since most tests wait, and the long ones most: for a process that they start, a
    // server or a controller.
    maxWorkers: workers,
    // Most code of a test runs once: what is compiled less costs a tenth less CPU time.
    execArgv: [lessInlining, '--single-threaded-gc'],
    maxConcurrency: 6,
  },
});
