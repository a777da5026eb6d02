// Runs the compiled suite in child processes: with Playwright, or few cases without it.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Outages, type Run, readStop, runVariable, writeChoice, writeRun } from '../../suites/index.js';
import type { Outage } from '../../suites/requirements/index.js';
import { bundleFolder } from '../bundled.js';
import { UsageError } from '../errors.js';
import { packageRoot } from '../files.js';
import type { Interruption } from './interruption.js';
import type { ChosenCases, RunOptions } from './options.js';

/** Larger semi-spaces cost 20 MB in each process of a run and are no faster. */
export const nodeOptions = ['--max-semi-space-size=4'];
/** The time limit for the runner to end after a request, in milliseconds. */
const timeout = 10_000;

/** How the cases of a run ended. */
export interface SuiteEnd {
  /** The reason for an early end, if there was one. */
  readonly aborted?: string;
  /** The times at which the target was gone. */
  readonly outages: readonly Outage[];
}

/** A runner that loads the tests and waits. */
export interface StartedSuite {
  /** Runs the tests. */
  run(run: Run, interruption: Interruption): Promise<SuiteEnd>;
  /** Ends the runner, and removes the settings of the run. */
  close(): void;
}

/** The files with the settings of a run, for the workers. */
interface Settings {
  /** A folder that other users cannot read, because the settings contain credentials. */
  readonly folder: string;
  /** The file named in `runVariable`. */
  readonly file: string;
  /** The file in which workers record the reason for an early end. */
  readonly stopFile: string;
}

/** Makes the folder of the settings. The caller must remove it. */
function newSettings(): Settings {
  const folder = mkdtempSync(join(tmpdir(), 'kube-api-conformance-'));
  return { folder, file: join(folder, 'run.json'), stopFile: join(folder, 'stop.json') };
}

/** Writes the settings of a run for the workers. The caller must remove the folder. */
export function writeSettings(run: Run): Settings {
  const settings = newSettings();
  writeRun(settings.file, { ...run, stopFile: settings.stopFile });
  return settings;
}

/** Returns the program of Playwright. Throws UsageError if it was not installed: the test server does not need it. */
export function playwrightCli(): string {
  const name = '@playwright/test';
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'cli.js');
  } catch {
    type Versions = Readonly<Record<string, string>>;
    const { optionalDependencies, peerDependencies } = JSON.parse(
      readFileSync(join(packageRoot, 'package.json'), 'utf8'),
    ) as { readonly optionalDependencies?: Versions; readonly peerDependencies: Versions };
    const version = optionalDependencies?.[name] ?? peerDependencies[name];
    throw new UsageError(`run needs the package ${name}, which was not installed: npm install ${name}@${version}`);
  }
}

/** The most cases that one process runs by itself: Playwright and its workers take longer to start. */
const few = 400;

/** Reports whether one process runs the cases, without Playwright. Allure needs Playwright. */
export const isSmall = ({ cases }: ChosenCases, { allure }: Pick<RunOptions, 'allure'>): boolean =>
  cases.length <= few && allure === undefined;

/** Returns the module of the runner of few cases, from the bundle if it is there. */
function fewCases(): string {
  const bundle = bundleFolder();
  return fileURLToPath(new URL(`../../${bundle ?? 'suites/run'}/fewCases.js`, import.meta.url));
}

/** Returns the program that runs the cases, and its options. `output`: the folder for what Playwright writes. */
function programOf(chosen: ChosenCases, options: Pick<RunOptions, 'workers' | 'allure'>, output: string): string[] {
  const chapters = [...new Set(chosen.cases.map(({ requirement }) => requirement.chapter))];
  const cli = playwrightCli();
  if (isSmall(chosen, options)) return [fewCases(), ...chapters];
  const config = fileURLToPath(new URL('../../playwright.config.js', import.meta.url));
  const files = chapters.map((chapter) => `[/\\\\]${chapter}\\.spec\\.js$`);
  return [cli, 'test', '--config', config, '--workers', options.workers, '--output', output, ...files];
}

/** Starts the runner, which loads the tests of the chosen cases: the target can be prepared meanwhile. */
export function startSuite(chosen: ChosenCases, options: Pick<RunOptions, 'workers' | 'allure'>): StartedSuite {
  const { allure } = options;
  const { folder, file, stopFile } = newSettings();
  const program = programOf(chosen, options, join(folder, 'output'));
  writeChoice(file, chosen.choice, chosen.kinds);
  const child = spawn(process.execPath, [...nodeOptions, ...program], {
    cwd: packageRoot,
    // The closed pipe tells Playwright that this process is gone. Its own process group: this process passes Ctrl-C on.
    stdio: ['pipe', 'inherit', 'inherit'],
    detached: true,
    env: {
      ...process.env,
      [runVariable]: file,
      // Playwright's hooks compile TypeScript. The suite is compiled, and is loaded faster without these hooks.
      PW_DISABLE_TS_ESM: '1',
      // From Node.js 22.1 on: Playwright and its workers keep their compiled code, as this process does.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache'),
      ...(allure !== undefined && { KUBE_API_CONFORMANCE_ALLURE: resolve(allure) }),
    },
  });
  // A runner that ended is noticed by its exit.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<number | NodeJS.Signals | null>((done, reject) => {
    child.once('error', reject).once('exit', (exit, signal) => done(exit ?? signal));
  });
  ended.catch(() => undefined);
  const run = async (run: Run, interruption: Interruption): Promise<SuiteEnd> => {
    if (interruption.reason !== undefined) return { aborted: interruption.reason, outages: [] };
    writeRun(file, { ...run, stopFile });
    child.stdin.write('prepared\n');
    let late: NodeJS.Timeout | undefined;
    const ignore = interruption.listen(() => {
      child.kill('SIGINT');
      late = setTimeout(() => child.kill('SIGKILL'), timeout);
    });
    const endHurry = interruption.listen(() => child.kill('SIGKILL'), 'second');
    try {
      const code = await ended;
      const reason = interruption.reason ?? readStop(stopFile)?.reason;
      const aborted = reason ?? (code === 0 || code === 1 ? undefined : `the runner ended with ${code}`);
      return { ...(aborted === undefined ? {} : { aborted }), outages: new Outages(stopFile).ended() };
    } finally {
      ignore();
      endHurry();
      clearTimeout(late);
    }
  };
  const close = (): void => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  return { run, close };
}
