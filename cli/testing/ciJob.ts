// Runs the jobs of a GitHub workflow on this machine: the shell steps, in a folder where npx finds the compiled command
// line unless a step installs it, and the steps that hand artifacts from job to job.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { plainEnvironment, quickNpx } from './npm.js';
import { main } from './serving.js';

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, string>>;
}

export interface Job {
  readonly env?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly number[]>> };
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly jobs: Readonly<Record<string, Job>>;
}

export const readWorkflow = (file: string): Workflow => load(readFileSync(file, 'utf8')) as Workflow;

/** How a job ended: the exit code of its first step that failed, and what its steps wrote. */
export interface JobEnd {
  readonly code: number;
  readonly output: string;
}

export interface JobRun {
  /** The working directory of the job. */
  readonly folder: string;
  /** The directory with a folder for each artifact of the workflow. */
  readonly artifacts: string;
  readonly matrix?: Readonly<Record<string, number>>;
  /** Names of steps to leave out. */
  readonly without: readonly string[];
  /** Changes the text of a shell step. */
  readonly change?: (script: string) => string;
  /** Whether a step installs the package, and npx of npm starts it. */
  readonly installs?: true;
}

/** Makes a folder in which the command line is installed. */
export function installIn(folder: string): string {
  const programs = join(folder, 'node_modules/.bin');
  mkdirSync(programs, { recursive: true });
  const script = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
  writeFileSync(join(programs, 'kube-api-conformance'), script, { mode: 0o755 });
  return programs;
}

/** Runs a job to its end, and stops what its steps left running. */
export async function runJob(
  job: Job,
  { folder, artifacts, matrix = {}, without, change, installs }: JobRun,
): Promise<JobEnd> {
  const quick = installs ? {} : { PATH: quickNpx(installIn(folder)) };
  const filled = (text: string): string =>
    text.replace(/\$\{\{ matrix\.(\w+) \}\}/g, (_, name: string) => String(matrix[name]));
  const environment = {
    ...Object.fromEntries(Object.entries(job.env ?? {}).map(([name, value]) => [name, filled(value)])),
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: join(folder, 'step-summary.md'),
    ...quick,
  };
  const ends: (() => Promise<void>)[] = [];
  let end: JobEnd = { code: 0, output: '' };
  try {
    for (const step of job.steps) {
      if (end.code !== 0 && !step.if?.includes('always()')) continue;
      if (step.name !== undefined && without.includes(step.name)) continue;
      if (step.run === undefined) handOver(step, folder, artifacts, filled);
      else {
        // A minute is short on a busy machine.
        const script = (change?.(step.run) ?? step.run).replaceAll('timeout 60 ', 'timeout 600 ');
        const ran = await shell(script, folder, environment);
        ends.push(ran.end);
        end = { code: end.code || ran.code, output: end.output + ran.output };
      }
    }
  } finally {
    await Promise.all(ends.map((each) => each()));
  }
  return end;
}

/** Does what the actions for artifacts do; other actions need a runner of GitHub. */
function handOver(
  { uses = '', with: inputs = {} }: Step,
  folder: string,
  artifacts: string,
  filled: (text: string) => string,
) {
  const { name = '', path = '', pattern = '' } = inputs;
  if (uses.startsWith('actions/upload-artifact@')) {
    const from = join(folder, path);
    if (existsSync(from)) cpSync(from, join(artifacts, filled(name)), { recursive: true });
  } else if (uses.startsWith('actions/download-artifact@')) {
    const [start = '', rest] = pattern.split('*');
    if (rest !== '') throw new Error(`${pattern}: only a star at the end is understood here`);
    for (const artifact of readdirSync(artifacts).filter((each) => each.startsWith(start))) {
      cpSync(join(artifacts, artifact), join(folder, path, artifact), { recursive: true });
    }
  }
}

/**
 * The shell of a step, with its script and a mark, which it writes behind the output of the script, with the exit code. It
 * leads the process group of what the script leaves running, and waits until its stdin ends: the system gives the number
 * of the group to no other process while its leader is there.
 */
const leader = [
  'bash -eo pipefail -c "$1" </dev/null; code=$?',
  'printf "\\n%s %s\\n" "$2" "$code"; printf "\\n%s\\n" "$2" >&2',
  'read -r _',
].join('\n');

/** Runs a script as a step of GitHub does. `end` ends what it leaves running. */
async function shell(script: string, cwd: string, more: NodeJS.ProcessEnv) {
  const mark = randomUUID();
  const child = spawn('sh', ['-c', leader, 'sh', script, mark], {
    cwd,
    env: { ...plainEnvironment(), ...more },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const marked = new RegExp(`\\n${mark}(?: (\\d+))?\\n`, 'g');
  const code = await new Promise<number>((resolve, reject) => {
    const look = (chunk: Buffer): void => {
      output += chunk;
      const [one, other] = [...output.matchAll(marked)];
      if (one !== undefined && other !== undefined) resolve(Number(one[1] ?? other[1]));
    };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
    child.once('error', reject).once('exit', (exit) => resolve(exit ?? 1));
  });
  const end = async (): Promise<void> => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid, 'SIGTERM');
    await once(child, 'exit');
  };
  return { code, output: output.replace(marked, ''), end };
}
