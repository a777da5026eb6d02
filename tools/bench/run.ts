// A run of the suite on the bundled server: wall and CPU time by process and phase, beside the same requests alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLineOf, processesBelow } from '../../cli/running.js';
import { main } from '../../suites/testing/referenceServer.js';
import { cpuMicroseconds } from './figures.js';
import { type ChosenFlags, chosenOf } from './options.js';
import { replay } from './replay.js';

/** Milliseconds between two looks at the processes. The time of a process after the last look is lost. */
const pause = 100;

/** The start ends with the first evidence, the cases end with the last worker. */
const phases = ['start', 'cases', 'end'] as const;
type Phase = (typeof phases)[number];

/** The processes of a run by a part of their command line; other processes are the command line itself. */
const kinds = [
  ['worker', 'workerProcess.js'],
  ['server', 'main.js serve'],
] as const;

type Seconds = Record<Phase, number>;
const none = (): Seconds => ({ start: 0, cases: 0, end: 0 });

/** Runs the suite and replays its requests; returns the figures as text. */
export async function measureRun(flags: ChosenFlags): Promise<string> {
  const output = mkdtempSync(join(tmpdir(), 'bench-run-'));
  try {
    const words = [main, 'run', '--target', 'reference-server', '--output', output, ...chosenOf(flags)];
    const child = spawn(process.execPath, words, { stdio: 'ignore' });
    const exit = once(child, 'exit');
    const costs = new Costs(child.pid as number, join(output, 'evidence'));
    const timer = setInterval(() => costs.look(), pause);
    await exit;
    clearInterval(timer);
    // A run keeps a sample of its requests: another one keeps all of them.
    await once(spawn(process.execPath, [...words, '--evidence', 'all'], { stdio: 'ignore' }), 'exit');
    return `${costs.table()}\n${await replay(join(output, 'evidence.jsonl.gz'))}`;
  } finally {
    rmSync(output, { recursive: true });
  }
}

/** The costs of a tree of processes, looked at from time to time. */
class Costs {
  readonly #wall = none();
  readonly #cpu = new Map<string, Seconds>();
  /** The CPU seconds of a process at the last look. */
  readonly #known = new Map<number, number>();
  #phase: Phase = 'start';
  #looked = performance.now();

  constructor(
    readonly root: number,
    readonly evidence: string,
  ) {}

  look(): void {
    const now = performance.now();
    this.#wall[this.#phase] += (now - this.#looked) / 1000;
    this.#looked = now;
    const processes = treeOf(this.root);
    for (const { pid, kind, seconds } of processes) {
      const row = this.#cpu.get(kind) ?? none();
      row[this.#phase] += seconds - (this.#known.get(pid) ?? 0);
      this.#known.set(pid, seconds);
      this.#cpu.set(kind, row);
    }
    if (this.#phase === 'start' && this.#hasEvidence()) this.#phase = 'cases';
    if (this.#phase === 'cases' && !processes.some(({ kind }) => kind === 'worker')) this.#phase = 'end';
  }

  table(): string {
    const line = (name: string, seconds: Seconds): string => {
      const figures = [...phases.map((phase) => seconds[phase]), sumOf(seconds)];
      return `${name.padEnd(14)}${figures.map((figure) => figure.toFixed(1).padStart(8)).join('')}\n`;
    };
    const all = none();
    for (const row of this.#cpu.values()) for (const phase of phases) all[phase] += row[phase];
    const rows = [...this.#cpu].map(([kind, row]) => line(kind, row)).join('');
    const head = `${'seconds'.padEnd(14)}${[...phases, 'all'].map((name) => name.padStart(8)).join('')}\n`;
    return `${head}${line('wall', this.#wall)}${line('CPU', all)}${rows}`;
  }

  #hasEvidence(): boolean {
    if (!existsSync(this.evidence)) return false;
    const files = readdirSync(this.evidence).filter((name) => name.startsWith('worker'));
    return files.some((name) => statSync(join(this.evidence, name)).size > 0);
  }
}

const sumOf = (seconds: Seconds): number => phases.reduce((sum, phase) => sum + seconds[phase], 0);

/** Returns the running processes of a tree with their CPU seconds so far. */
function treeOf(root: number) {
  return [root, ...processesBelow(root)].flatMap((pid) => {
    const command = commandLineOf(pid) ?? '';
    if (command === '') return [];
    const kind = kinds.find(([, part]) => command.includes(part))?.[0] ?? 'command line';
    try {
      return [{ pid, kind, seconds: cpuMicroseconds([pid]) / 1e6 }];
    } catch {
      return [];
    }
  });
}
