// The shell: walks the syntax tree and runs programs.
import { posix } from 'node:path';
import { Failure, type Process, type Program, type World, yieldToOthers } from '../program.js';
import { run } from '../run.js';
import { BrokenPipe, type Input, type Output, pipe } from '../streams.js';
import { builtins, Exit, LoopControl } from './builtins.js';
import { expandAll, expandText, type Scope } from './expand.js';
import type { Command, Compound, List, Pipeline, Redirect, Simple } from './syntax.js';

interface Streams {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** The most that a variable holds, and that `$(…)` keeps of a command's output. */
const maxOutput = 1_048_576;

/** One shell: its variables, its directory, the status of what ran last. Programs are looked up by `find`. */
export class Shell implements Scope {
  readonly world: World;
  status = 0;
  exitOnError = false;
  positional: readonly string[];
  /** What `trap` has it do when the size of its terminal changes. */
  onResize: List | undefined;
  directory: string;
  readonly #process: Process;
  readonly #find: (name: string) => Program | undefined;
  readonly #environment: Map<string, string>;
  readonly #variables: Map<string, string>;
  /** Above 0 inside a condition, whose failure ends nothing. */
  #conditions = 0;
  #resizes: number;

  constructor(process: Process, find: (name: string) => Program | undefined, from?: Shell) {
    this.world = process.world;
    this.directory = from?.directory ?? process.directory;
    this.positional = from?.positional ?? [];
    this.exitOnError = from?.exitOnError ?? false;
    this.status = from?.status ?? 0;
    this.#process = process;
    this.#resizes = process.screen?.changes ?? 0;
    this.#find = find;
    this.#environment = new Map(from === undefined ? process.environment : from.#environment);
    this.#variables = new Map(from === undefined ? [] : from.#variables);
  }

  get files() {
    return this.world.files;
  }

  variable(name: string): string {
    if (name === '?') return String(this.status);
    if (name === '#') return String(this.positional.length);
    if (name === '$') return '1';
    if (name === '0') return this.#process.argv[0] ?? 'sh';
    if (name === '@' || name === '*') return this.positional.join(' ');
    if (/^\d+$/.test(name)) return this.positional[Number(name) - 1] ?? '';
    return this.#variables.get(name) ?? this.#environment.get(name) ?? '';
  }

  /** Throws Failure for a value that is too long to keep. */
  assign(name: string, value: string): void {
    if (value.length > maxOutput) throw new Failure(`${name}: the value is too long`);
    (this.#environment.has(name) ? this.#environment : this.#variables).set(name, value);
  }

  export(name: string, value = this.variable(name)): void {
    this.#variables.delete(name);
    this.#environment.set(name, value);
  }

  unset(name: string): void {
    this.#variables.delete(name);
    this.#environment.delete(name);
  }

  async outputOf(list: List): Promise<string> {
    const { input, output, end } = pipe();
    const running = this.#subshell({ ...this.#process, stdout: output }, list).finally(end);
    const parts: Buffer[] = [];
    let length = 0;
    for await (const chunk of input) {
      length += chunk.length;
      if (length > maxOutput) break;
      parts.push(chunk);
    }
    input.close();
    this.status = await running;
    return Buffer.concat(parts).toString().replace(/\n+$/, '');
  }

  /** Runs a script; its exit code. Rejects with what the program must end by. */
  async run(list: List, streams: Streams = this.#process): Promise<number> {
    for (const [index, { after, pipeline }] of list.entries()) {
      if (after === '&&' && this.status !== 0) continue;
      if (after === '||' && this.status === 0) continue;
      this.status = await this.#pipeline(pipeline, streams);
      await this.#heedResize(streams);
      const judged = pipeline.negated || this.#conditions > 0 || (list[index + 1]?.after ?? ';') !== ';';
      if (this.status !== 0 && this.exitOnError && !judged) throw new Exit(this.status);
    }
    return this.status;
  }

  /** Between two commands, as shells do it; the status stays that of the command before. */
  async #heedResize(streams: Streams): Promise<void> {
    const { changes = 0 } = this.#process.screen ?? {};
    if (changes === this.#resizes) return;
    this.#resizes = changes;
    if (this.onResize === undefined) return;
    const { status } = this;
    await this.run(this.onResize, streams);
    this.status = status;
  }

  async #pipeline({ negated, commands }: Pipeline, streams: Streams): Promise<number> {
    this.#process.signal.throwIfAborted();
    const [only] = commands;
    const status =
      commands.length === 1 && only !== undefined
        ? await this.#command(only, streams)
        : await this.#piped(commands, streams);
    return negated ? Number(status === 0) : status;
  }

  async #piped(commands: readonly Command[], streams: Streams): Promise<number> {
    let { stdin } = streams;
    const running = commands.map((command, index) => {
      const last = index === commands.length - 1;
      const next = last ? undefined : pipe();
      const process = { ...this.#process, ...streams, stdin, stdout: next?.output ?? streams.stdout };
      const mine = stdin;
      if (next !== undefined) stdin = next.input;
      const list: List = [{ after: ';', pipeline: { negated: false, commands: [command] } }];
      return this.#subshell(process, list).finally(() => {
        next?.end();
        if (index > 0) mine.close();
      });
    });
    return (await Promise.all(running)).at(-1) ?? 0;
  }

  /** Runs a script in a copy of this shell: nothing that it changes is seen here. */
  async #subshell(process: Process, list: List): Promise<number> {
    const shell = new Shell(process, this.#find, this);
    try {
      return await shell.run(list);
    } catch (error) {
      if (error instanceof Exit) return error.code;
      if (error instanceof BrokenPipe) return 141;
      throw error;
    }
  }

  async #command(command: Command, streams: Streams): Promise<number> {
    let redirected: Streams;
    try {
      redirected = await this.#redirect(command.redirects, streams);
    } catch (error) {
      return await this.#complain(error, streams);
    }
    if (command.kind === 'simple') return await this.#simple(command, redirected);
    return await this.#compound(command, redirected);
  }

  async #compound(command: Compound, streams: Streams): Promise<number> {
    switch (command.kind) {
      case 'group':
        if (command.subshell) return this.#subshell({ ...this.#process, ...streams }, command.body);
        return this.run(command.body, streams);
      case 'if': {
        for (const { condition, body } of command.branches) {
          if (await this.#holds(condition, streams)) return this.run(body, streams);
        }
        this.status = 0;
        return command.otherwise === undefined ? 0 : this.run(command.otherwise, streams);
      }
      case 'while': {
        let status = 0;
        while ((await this.#holds(command.condition, streams)) !== command.until) {
          if (!(await this.#turn(command.body, streams))) return 0;
          status = this.status;
        }
        return status;
      }
      case 'for': {
        for (const value of await expandAll(command.words, this)) {
          this.assign(command.name, value);
          if (!(await this.#turn(command.body, streams))) return 0;
        }
        return this.status;
      }
    }
  }

  async #holds(condition: List, streams: Streams): Promise<boolean> {
    this.#conditions++;
    try {
      return (await this.run(condition, streams)) === 0;
    } finally {
      this.#conditions--;
    }
  }

  /** One turn of a loop; false when the loop is left. */
  async #turn(body: List, streams: Streams): Promise<boolean> {
    await yieldToOthers(this.#process.signal);
    try {
      await this.run(body, streams);
    } catch (error) {
      if (!(error instanceof LoopControl)) throw error;
      return error.what === 'continue';
    }
    return true;
  }

  async #simple({ assignments, words }: Simple, streams: Streams): Promise<number> {
    try {
      this.status = words.length === 0 ? 0 : this.status;
      const [name, ...args] = await expandAll(words, this);
      const values: [string, string][] = [];
      for (const assignment of assignments) values.push([assignment.name, await expandText(assignment.value, this)]);
      if (name === undefined) {
        for (const [variable, value] of values) this.assign(variable, value);
        return this.status;
      }
      if (name === 'exec' && args.length > 0) throw new Exit(await this.#program(args, values, streams));
      const builtin = builtins.get(name);
      if (builtin === undefined) return await this.#program([name, ...args], values, streams);
      for (const [variable, value] of values) this.assign(variable, value);
      return await builtin(this, args, streams);
    } catch (error) {
      return await this.#complain(error, streams);
    }
  }

  async #program(argv: readonly string[], values: readonly [string, string][], streams: Streams): Promise<number> {
    const [name = ''] = argv;
    const program = this.#find(name);
    if (program === undefined) {
      await streams.stderr.write(Buffer.from(`sh: ${name}: not found\n`));
      return 127;
    }
    const environment = new Map([...this.#environment, ...values]);
    return await run(program, { ...this.#process, ...streams, argv, environment, directory: this.directory });
  }

  /** Says what went wrong with one command; what ends the shell goes on. */
  async #complain(error: unknown, { stderr }: Streams): Promise<number> {
    const ends = error instanceof Exit || error instanceof LoopControl || error instanceof BrokenPipe;
    if (ends || this.#process.signal.aborted || !(error instanceof Error)) throw error;
    await stderr.write(Buffer.from(`sh: ${error.message}\n`));
    return 'exitCode' in error ? Number(error.exitCode) : 1;
  }

  async #redirect(redirects: readonly Redirect[], streams: Streams): Promise<Streams> {
    const names = ['stdin', 'stdout', 'stderr'] as const;
    let result = streams;
    for (const { descriptor, mode, target } of redirects) {
      const text = await expandText(target, this);
      const path = posix.resolve(this.directory, text);
      if (mode === 'duplicate') {
        const source = text === '1' ? result.stdout : text === '2' ? result.stderr : undefined;
        if (source !== undefined && descriptor !== 0) result = { ...result, [names[descriptor]]: source };
      } else if (mode === 'read') result = { ...result, stdin: this.files.input(path) };
      else if (descriptor !== 0) {
        const special = { '/dev/stdout': result.stdout, '/dev/stderr': result.stderr }[path];
        result = { ...result, [names[descriptor]]: special ?? this.files.open(path, mode) };
      }
    }
    return result;
  }
}
