// Runs the compiled suite in child processes: its own workers, or Playwright for Allure.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Outages, type Run, readStop, runVariable, Workers, writeChoice, writeRun } from '../../suites/index.js';
import type { Outage } from '../../suites/requirements/index.js';
import { bundleFolder } from '../bundled.js';
import { UsageError } from '../errors.js';
import { packageRoot } from '../files.js';
import { workerOptions } from '../v8.js';
import type { Interruption } from './interruption.js';
import type { ChosenCases, RunOptions } from './options.js';

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

/** Returns the program of Playwright. Throws UsageError if it was not installed: only results for Allure need it. */
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
    throw new UsageError(`--allure needs the package ${name}, which was not installed: npm install ${name}@${version}`);
  }
}

/** The most cases that one process runs by itself: more processes take longer to start. */
const few = 400;

/** Reports whether one process runs the cases. Allure needs Playwright. */
export const isSmall = ({ cases }: ChosenCases, { allure }: Pick<RunOptions, 'allure'>): boolean =>
  cases.length <= few && allure === undefined;

/** The processes that run the cases. They load the tests at once, and run them when the settings are complete. */
type Runner = Pick<Workers, 'run' | 'kill'>;

function startWorkers(
  chapters: readonly string[],
  isOnly: boolean,
  { workers }: Pick<RunOptions, 'workers'>,
  settings: string,
): Runner {
  const folder = bundleFolder() ?? 'suites/run';
  return new Workers({
    ...{
      program: fileURLToPath(new URL(`../../${folder}/workerProcess.js`, import.meta.url)),
      chapters,
      isOnly,
      settings,
    },
    count: isOnly ? 1 : Number(workers),
    execArgv: workerOptions,
    cwd: packageRoot,
    env: environmentOf(settings),
  });
}

function startPlaywright(
  chapters: readonly string[],
  { workers, allure = '' }: Pick<RunOptions, 'workers' | 'allure'>,
  settings: string,
): Runner {
  const config = fileURLToPath(new URL('../../playwright.config.js', import.meta.url));
  const files = chapters.map((chapter) => `[/\\\\]${chapter}\\.spec\\.js$`);
  const outputs = ['--output', join(dirname(settings), 'output')];
  const words = [playwrightCli(), 'test', '--config', config, '--workers', workers, ...outputs, ...files];
  const child = spawn(process.execPath, [...workerOptions, ...words], {
    cwd: packageRoot,
    // The closed pipe tells Playwright that this process is gone. Its own process group: this process passes Ctrl-C on.
    stdio: ['pipe', 'inherit', 'inherit'],
    detached: true,
    env: {
      ...environmentOf(settings),
      // Playwright's hooks compile TypeScript. The suite is compiled, and is loaded faster without these hooks.
      PW_DISABLE_TS_ESM: '1',
      KUBE_API_CONFORMANCE_ALLURE: resolve(allure),
    },
  });
  // A runner that ended is noticed by its exit.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<number | NodeJS.Signals | null>((done, reject) => {
    child.once('error', reject).once('exit', (exit, signal) => done(exit ?? signal));
  });
  ended.catch(() => undefined);
  return {
    run: () => {
      child.stdin.write('prepared\n');
      return ended;
    },
    kill: (signal) => void child.kill(signal),
  };
}

const environmentOf = (settings: string): NodeJS.ProcessEnv => ({
  ...process.env,
  [runVariable]: settings,
  // From Node.js 22.1 on: all processes keep their compiled code, as this one does.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache'),
});

/** Starts the runner, which loads the tests of the chosen cases: the target can be prepared meanwhile. */
export function startSuite(chosen: ChosenCases, options: Pick<RunOptions, 'workers' | 'allure'>): StartedSuite {
  const { folder, file, stopFile } = newSettings();
  writeChoice(file, chosen.choice, chosen.kinds);
  const chapters = [...new Set(chosen.cases.map(({ requirement }) => requirement.chapter))];
  const runner =
    options.allure === undefined
      ? startWorkers(chapters, isSmall(chosen, options), options, file)
      : startPlaywright(chapters, options, file);
  const run = async (run: Run, interruption: Interruption): Promise<SuiteEnd> => {
    if (interruption.reason !== undefined) return { aborted: interruption.reason, outages: [] };
    writeRun(file, { ...run, stopFile });
    let late: NodeJS.Timeout | undefined;
    const ended = runner.run(run);
    const ignore = interruption.listen(() => {
      runner.kill('SIGINT');
      late = setTimeout(() => runner.kill('SIGKILL'), timeout);
    });
    const endHurry = interruption.listen(() => runner.kill('SIGKILL'), 'second');
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
    runner.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  return { run, close };
}
