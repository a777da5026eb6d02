// A session of kubectl: its commands, and what each must show.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = import.meta.dirname;

export interface Command {
  readonly line: string;
  readonly fails: boolean;
  readonly shows: readonly string[];
  /** The first minor version of kubectl 1 that has the command. */
  readonly from: number;
  /** The name of the file that is the standard input. */
  readonly input?: string;
}

/** Reads the commands of the session; `session.txt` explains its form. Throws for a line that it does not allow. */
export async function readSession(): Promise<readonly Command[]> {
  const commands: { line: string; fails: boolean; shows: string[]; from: number; input?: string }[] = [];
  for (const text of (await readFile(join(folder, 'session.txt'), 'utf8')).split('\n')) {
    if (text.trim() === '' || text.startsWith('#')) continue;
    if (!text.startsWith(' ')) {
      commands.push({ line: text, fails: false, shows: [], from: 0 });
      continue;
    }
    const last = commands.at(-1);
    const [word = '', ...rest] = text.trim().split(' ');
    const value = rest.join(' ');
    if (last === undefined) throw new Error(`session.txt begins with: ${text}`);
    if (word === 'fails') last.fails = true;
    else if (word === '>') last.shows.push(value);
    else if (word === 'from') last.from = Number(value.split('.')[1]);
    else if (word === '<') last.input = value;
    else throw new Error(`session.txt: what is this line: ${text}`);
  }
  return commands;
}

/** Splits a command into its words: single quotes keep spaces. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'([^']*)'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}

/** The result of a command: what was wrong with it, if anything. */
interface Outcome {
  readonly line: string;
  /** How often the command was run. */
  readonly attempts: number;
  readonly fault?: string;
}

interface SessionOptions {
  /** Milliseconds that a command may take. */
  readonly timeout: number;
  /**
   * Reports whether the output of a failed command says that it lost its connection: then it is entered again. A `get`
   * or `describe` that does not show yet what it must is entered again too, because the controllers may just have lost
   * their server.
   */
  readonly isCut?: (output: string) => boolean;
}

/** What kubectl says where an earlier attempt has done what a command does, and lost its connection. */
const saysDone = /AlreadyExists|NotFound|already (exists|has)|not found|unchanged|no change|rejected our request/;

/** Milliseconds until a command that waits for controllers is entered again. */
const pause = 500;

/** Runs the commands one after the other, with a home directory of their own. `kubeconfig` is the path of a file. */
export async function runSession(
  kubectl: string,
  kubeconfig: string,
  commands: readonly Command[],
  { timeout, isCut }: SessionOptions,
): Promise<readonly Outcome[]> {
  const home = await mkdtemp(join(tmpdir(), 'kubectl-'));
  // `edit` opens an editor, which changes nothing here. No command lives so long that it need collect garbage.
  const own = { HOME: home, KUBECONFIG: kubeconfig, EDITOR: 'true', KUBECTL_EXTERNAL_DIFF: 'diff -u', GOGC: 'off' };
  const env = { ...process.env, ...own };
  const outcomes: Outcome[] = [];
  try {
    for (const command of commands) {
      const args = wordsOf(command.line).map((word) => word.replace('FILES', folder));
      const input = command.input === undefined ? '' : await readFile(join(folder, command.input));
      const waits = isCut !== undefined && /^(?:get|describe) /.test(command.line);
      const until = Date.now() + timeout;
      for (let attempts = 1; ; attempts += 1) {
        const { code, output } = await run(kubectl, args, { env, timeout }, input);
        const isDone = !waits && attempts > 1 && saysDone.test(output);
        const fault = isDone ? undefined : faultOf(command, code, output);
        if (fault !== undefined && isCut?.(output)) continue;
        if (fault !== undefined && waits && Date.now() < until) {
          await new Promise((resolve) => setTimeout(resolve, pause));
          continue;
        }
        outcomes.push({ line: command.line, attempts, ...(fault !== undefined && { fault }) });
        break;
      }
    }
    return outcomes;
  } finally {
    await rm(home, { recursive: true });
  }
}

function faultOf({ fails, shows }: Command, code: number, output: string): string | undefined {
  if (fails !== (code !== 0)) return `ended with ${code}: ${output.trim().slice(0, 500)}`;
  const missing = shows.find((text) => !output.includes(text));
  return missing === undefined ? undefined : `does not show ${missing}: ${output.trim().slice(0, 500)}`;
}

function run(
  file: string,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly timeout: number },
  input: string | Uint8Array,
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    const child = execFile(file, args, { ...options, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, output: stdout + stderr });
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
