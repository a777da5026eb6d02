// Many small runs against a server with random responses: each must end in bounded time with a true verdict.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomOf } from '../../suites/objects/random.js';
import { type ChapterName, chapters, choose } from '../../suites/requirements/index.js';
import { loadChapters } from '../../suites/run/chapterFiles.js';
import { main, type Running, startReferenceServer } from '../../suites/testing/referenceServer.js';
import { fuzzRun } from '../../suites/testing/resilience/fuzzRun.js';
import { startFuzzServer } from '../../suites/testing/resilience/fuzzServer.js';
import { median } from './figures.js';

/** The number of runs, and the seed of the first. */
export interface FuzzFlags {
  readonly runs: string;
  readonly seed: string;
  /** Runs without the command line and its workers, which is much faster. */
  readonly inProcess?: boolean;
}

/** Seconds after which a run counts as hanging. */
const limits = { inProcess: 180, command: 600 } as const;
/** The approximate number of cases of one run by the command line. */
const cases = 30;
const shares = [0.02, 0.05, 0.15, 0.4, 1];

const chapterNames = (Object.keys(chapters) as ChapterName[]).filter((name) => choose({ chapters: [name] }).length > 0);

/** One run: its end, and the faults of the harness that it shows. */
interface Row {
  readonly text: string;
  readonly seconds: number;
  /** The end: `exit 1`, or in process `over` or `given up`. */
  readonly end?: string;
  readonly fault?: string;
}

/** Does the runs one after another, prints a line for each, and returns the number of wrong ones. */
export async function fuzz({ runs, seed, inProcess }: FuzzFlags): Promise<number> {
  const good = await startReferenceServer();
  const rows: Row[] = [];
  const broken: string[] = [];
  if (inProcess) await loadChapters();
  process.on('unhandledRejection', (reason) => broken.push(String(reason instanceof Error ? reason.stack : reason)));
  process.on('uncaughtException', (error) => broken.push(String(error.stack)));
  for (let count = 0; count < Number(runs); count += 1) {
    const one = Number(seed) + count;
    const row = await (inProcess ? here(good, one) : byCommand(good, one));
    const fault = row.fault ?? broken.splice(0).join('; ');
    rows.push(fault === '' ? row : { ...row, fault });
    process.stdout.write(
      `${one}  ${row.seconds.toFixed(1)} s  ${row.text}${fault === '' ? '' : `  WRONG: ${fault}`}\n`,
    );
  }
  await good.stop();
  const seconds = rows.map((row) => row.seconds);
  const wrong = rows.filter(({ fault }) => fault !== undefined).length;
  const ends = new Map<string, number>();
  for (const { end = 'wrong' } of rows) ends.set(end, (ends.get(end) ?? 0) + 1);
  const ended = [...ends].sort().map(([end, count]) => `${end}: ${count}`);
  process.stdout.write(`${inProcess ? 'in process' : 'by the command line'}: ${ended.join(', ')}\n`);
  process.stdout.write(
    `${rows.length} runs, ${wrong} wrong; the median took ${median(seconds).toFixed(1)} s, the longest ${Math.max(...seconds).toFixed(1)} s\n`,
  );
  return wrong;
}

async function here(good: Running, seed: number): Promise<Row> {
  const started = Date.now();
  const seconds = () => (Date.now() - started) / 1000;
  let timer: NodeJS.Timeout | undefined;
  const hanging = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not over after ${limits.inProcess} s`)), limits.inProcess * 1000);
  });
  try {
    const { share, requests, bad, verdicts, stop } = await Promise.race([fuzzRun(good, seed), hanging]);
    const text = `share ${share}  ${bad} of ${requests} bad  ${JSON.stringify(verdicts)}  ${stop ?? ''}`;
    return { text, seconds: seconds(), end: stop === undefined ? 'over' : 'given up' };
  } catch (error) {
    return { text: '', seconds: seconds(), fault: error instanceof Error ? String(error.stack) : String(error) };
  } finally {
    clearTimeout(timer);
  }
}

async function byCommand(good: Running, seed: number): Promise<Row> {
  const random = randomOf(seed);
  const share = random.of(shares);
  const chapter: ChapterName = random.of(chapterNames);
  const of = Math.max(1, Math.ceil(choose({ chapters: [chapter] }).length / cases));
  const server = await startFuzzServer({ good, seed, share });
  const output = mkdtempSync(join(tmpdir(), 'fuzz-'));
  const options = ['--url', server.url, '--token', good.token, '--output', output, '--timeout', '1'];
  const choice = ['--recovery-timeout', '1', '--chapter', chapter, '--shard', `${1 + random.below(of)}/${of}`];
  const started = Date.now();
  const flags = [...options, ...choice, ...(seed % 2 === 0 ? ['--disposable'] : [])];
  const child = spawn(process.execPath, [main, 'run', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  let hangs = false;
  const timer = setTimeout(() => {
    hangs = true;
    child.kill('SIGKILL');
  }, limits.command * 1000);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  const seconds = (Date.now() - started) / 1000;
  const { requests, bad } = server.counts();
  await server.close();
  const report = join(output, 'index.html');
  const isReported = existsSync(report) && readFileSync(report, 'utf8').length > 1_000;
  rmSync(output, { recursive: true, force: true });
  const line = said
    .trim()
    .split('\n')
    .find((each) => /^(conformant|partial|not conformant|incomplete)/.test(each));
  const fault = hangs
    ? `not over after ${limits.command} s`
    : code === null || code > 2
      ? `exit ${code}: ${said.slice(-500)}`
      : /^\s+at .*\(?(file:|node:)|[Uu]nhandled/m.test(said)
        ? `it crashed: ${said.slice(-800)}`
        : code !== 2 && !isReported
          ? 'no report'
          : code === 0 && share === 1
            ? 'conformant where every answer was bad'
            : undefined;
  const badOnes = Object.values(bad).reduce((sum, number) => sum + number, 0);
  const text = `${chapter}  share ${share}  ${badOnes} of ${requests} bad  exit ${code}  ${line ?? said.trim().split('\n').at(-1)}`;
  return { text, seconds, ...(fault === undefined ? { end: `exit ${code}` } : { fault }) };
}
