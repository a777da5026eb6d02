// The shell: executes the syntax tree of a script and runs its programs.
import { posix } from 'node:path';
import { type Process, type Program, run, yieldToOthers } from '../../kernel/process.js';
import { BrokenPipe, type Input, type Output, pipe } from '../../kernel/streams.js';
import { builtins, Exit, LoopControl } from './builtins.js';
import { type Expansion, expandText, expandWords } from './expand.js';
import { maxValue, ShellState } from './state.js';
import type { Command, Compound, List, Pipeline, Redirect, Simple } from './syntax.js';

interface Streams {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** A shell that runs scripts, which change its state. `find` looks up the programs in scripts. */
export class Shell implements Expansion {
  readonly state: ShellState;
  readonly #process: Process;
  readonly #find: (name: string) => Program | undefined;
  /** The nesting of conditions in evaluation: a failed condition does not end the shell. */
  #conditions = 0;
  #resizes: number;

  constructor(process: Process, find: (name: string) => Program | undefined, parent?: ShellState) {
    this.state = new ShellState(process, parent);
    this.#process = process;
    this.#resizes = process.tty?.changes ?? 0;
    this.#find = find;
  }

  /** Returns the output of a command substitution. */
  async outputOf(list: List): Promise<string> {
    const { input, output, end } = pipe();
    const running = this.#subshell({ ...this.#process, stdout: output }, list).finally(end);
    const parts: Buffer[] = [];
    let length = 0;
    for await (const chunk of input) {
      length += chunk.length;
      if (length > maxValue) break;
      parts.push(chunk);
    }
    input.close();
    this.state.status = await running;
    return Buffer.concat(parts).toString().replace(/\n+$/, '');
  }

  /** Runs a script. Resolves with its exit status. Rejects with Exit, LoopControl, BrokenPipe, or the reason of the signal. */
  async run(list: List, streams: Streams = this.#process): Promise<number> {
    for (const [index, { after, pipeline }] of list.entries()) {
      if (after === '&&' && this.state.status !== 0) continue;
      if (after === '||' && this.state.status === 0) continue;
      this.state.status = await this.#pipeline(pipeline, streams);
      await this.#runResizeTrap(streams);
      const tested = pipeline.negated || this.#conditions > 0 || (list[index + 1]?.after ?? ';') !== ';';
      if (this.state.status !== 0 && this.state.exitOnError && !tested) throw new Exit(this.state.status);
    }
    return this.state.status;
  }

  /** Runs the trap of SIGWINCH between two commands. Keeps the status of the last command. */
  async #runResizeTrap(streams: Streams): Promise<void> {
    const { changes = 0 } = this.#process.tty ?? {};
    if (changes === this.#resizes) return;
    this.#resizes = changes;
    if (this.state.onResize === undefined) return;
    const { status } = this.state;
    await this.run(this.state.onResize, streams);
    this.state.status = status;
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
      const input = stdin;
      if (next !== undefined) stdin = next.input;
      const list: List = [{ after: ';', pipeline: { negated: false, commands: [command] } }];
      return this.#subshell(process, list).finally(() => {
        next?.end();
        if (index > 0) input.close();
      });
    });
    return (await Promise.all(running)).at(-1) ?? 0;
  }

  /** Runs a script in a copy of this shell, so that the state of this shell does not change. */
  async #subshell(process: Process, list: List): Promise<number> {
    const shell = new Shell(process, this.#find, this.state);
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
      return await this.#report(error, streams);
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
          if (await this.#succeeds(condition, streams)) return this.run(body, streams);
        }
        this.state.status = 0;
        return command.otherwise === undefined ? 0 : this.run(command.otherwise, streams);
      }
      case 'while': {
        let status = 0;
        while ((await this.#succeeds(command.condition, streams)) !== command.until) {
          if (!(await this.#turn(command.body, streams))) return 0;
          status = this.state.status;
        }
        return status;
      }
      case 'for': {
        for (const value of await expandWords(command.words, this)) {
          this.state.assign(command.name, value);
          if (!(await this.#turn(command.body, streams))) return 0;
        }
        return this.state.status;
      }
    }
  }

  async #succeeds(condition: List, streams: Streams): Promise<boolean> {
    this.#conditions++;
    try {
      return (await this.run(condition, streams)) === 0;
    } finally {
      this.#conditions--;
    }
  }

  /** Runs one turn of a loop. Returns false if the loop ends. */
  async #turn(body: List, streams: Streams): Promise<boolean> {
    await yieldToOthers(this.#process.signal);
    try {
      await this.run(body, streams);
    } catch (error) {
      if (!(error instanceof LoopControl)) throw error;
      return error.command === 'continue';
    }
    return true;
  }

  async #simple({ assignments, words }: Simple, streams: Streams): Promise<number> {
    try {
      this.state.status = words.length === 0 ? 0 : this.state.status;
      const [name, ...args] = await expandWords(words, this);
      const values: [string, string][] = [];
      for (const assignment of assignments) values.push([assignment.name, await expandText(assignment.value, this)]);
      if (name === undefined) {
        for (const [variable, value] of values) this.state.assign(variable, value);
        return this.state.status;
      }
      if (name === 'exec' && args.length > 0) throw new Exit(await this.#program(args, values, streams));
      const builtin = builtins.get(name);
      if (builtin === undefined) return await this.#program([name, ...args], values, streams);
      for (const [variable, value] of values) this.state.assign(variable, value);
      return await builtin(this.state, args, streams.stdin);
    } catch (error) {
      return await this.#report(error, streams);
    }
  }

  async #program(argv: readonly string[], values: readonly [string, string][], streams: Streams): Promise<number> {
    const [name = ''] = argv;
    const program = this.#find(name);
    if (program === undefined) {
      await streams.stderr.write(Buffer.from(`sh: ${name}: not found\n`));
      return 127;
    }
    const environment = new Map([...this.state.environment, ...values]);
    const { directory } = this.state;
    return await run(program, { ...this.#process, ...streams, argv, environment, directory });
  }

  /** Writes the error of a command to stderr and returns its exit code. Rethrows an error that ends the shell. */
  async #report(error: unknown, { stderr }: Streams): Promise<number> {
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
      const path = posix.resolve(this.state.directory, text);
      if (mode === 'duplicate') {
        const source = text === '1' ? result.stdout : text === '2' ? result.stderr : undefined;
        if (source !== undefined && descriptor !== 0) result = { ...result, [names[descriptor]]: source };
      } else if (mode === 'read') result = { ...result, stdin: this.state.container.files.input(path) };
      else if (descriptor !== 0) {
        const special = { '/dev/stdout': result.stdout, '/dev/stderr': result.stderr }[path];
        result = { ...result, [names[descriptor]]: special ?? this.state.container.files.open(path, mode) };
      }
    }
    return result;
  }
}
