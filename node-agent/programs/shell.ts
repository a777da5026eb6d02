// sh: runs the scripts that the suite, kubectl and a first look into a container need.
import { posix } from 'node:path';
import { FileError } from '../kernel/fileSystem.js';
import { type Process, type Program, ProgramError, runProgram, yieldToOthers } from '../kernel/process.js';
import { BrokenPipe, type Input, makePipe, type Output, readLine, writeText } from '../kernel/streams.js';
import { evaluate } from './arithmetic.js';
import { expandPaths, type FieldPart, mostPaths } from './globs.js';
import {
  type Command,
  type CompoundCommand,
  IncompleteScript,
  parseScript,
  type Redirect,
  type Script,
  ScriptError,
  type SimpleCommand,
  type Word,
  type WordPart,
} from './script.js';

/** The most characters of a variable, and of the output of `$(…)`. */
const maxValue = 1_048_576;

type FindProgram = (name: string) => Program | undefined;

type Streams = Pick<Process, 'stdin' | 'stdout' | 'stderr'>;

/** Makes the program `sh [-x]`, which runs the script after `-c`, or the lines of stdin. */
export const makeShell =
  (findProgram: FindProgram): Program =>
  async (process) => {
    const args = process.argv.slice(1);
    const traces = args[0] === '-x';
    const [option, script] = traces ? args.slice(1) : args;
    const shell = new Shell(process, findProgram, { traces });
    try {
      if (option === undefined) return await interact(shell, process);
      if (option !== '-c' || script === undefined) throw new ScriptError(`${option} is not supported; give -c SCRIPT`);
      return await shell.run(parseScript(script));
    } catch (error) {
      if (error instanceof Exit) return error.code;
      if (!(error instanceof ScriptError)) throw error;
      await writeText(process.stderr, `${process.argv[0]}: ${error.message}\n`);
      return 2;
    }
  };

/** Runs the lines of stdin. Reports a syntax error and drops its lines. */
async function interact(shell: Shell, { argv, stdin, stdout, stderr, tty }: Process): Promise<number> {
  let text = '';
  for (;;) {
    if (tty !== undefined) await writeText(stdout, text === '' ? '/ # ' : '> ');
    const line = await readLine(stdin);
    if (line === undefined) return shell.status;
    text += line.toString();
    try {
      const script = parseScript(text);
      text = '';
      await shell.run(script);
    } catch (error) {
      if (error instanceof IncompleteScript) continue;
      text = '';
      if (error instanceof BrokenPipe) shell.status = 1;
      else if (error instanceof ScriptError) {
        shell.status = 2;
        await writeText(stderr, `${argv[0]}: ${error.message}\n`);
      } else throw error;
    }
  }
}

class Exit extends Error {
  override readonly name = 'Exit';

  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

class Shell {
  /** `$?` */
  status: number;
  #directory: string;
  readonly #variables: Map<string, string>;
  readonly #environment: Map<string, string>;

  /** Whether each command is written to stderr before it runs. */
  readonly #traces: boolean;

  /** A subshell starts with a copy of its parent's state. */
  constructor(
    readonly process: Process,
    readonly findProgram: FindProgram,
    { traces = false, parent }: { readonly traces?: boolean; readonly parent?: Shell },
  ) {
    this.#traces = parent === undefined ? traces : parent.#traces;
    this.status = parent === undefined ? 0 : parent.status;
    this.#directory = parent === undefined ? process.directory : parent.#directory;
    this.#variables = new Map(parent === undefined ? [] : parent.#variables);
    this.#environment = new Map(parent === undefined ? process.environment : parent.#environment);
  }

  /** Resolves with the exit status. Rejects with Exit, BrokenPipe, or the reason of the signal. */
  async run(script: Script, streams: Streams = this.process): Promise<number> {
    for (const { after, isNegated, pipeline } of script) {
      if (after === '&&' && this.status !== 0) continue;
      if (after === '||' && this.status === 0) continue;
      this.process.signal.throwIfAborted();
      const [only] = pipeline;
      const isAlone = pipeline.length === 1 && only !== undefined;
      const status = await (isAlone ? this.#command(only, streams) : this.#pipeline(pipeline, streams));
      this.status = isNegated ? Number(status === 0) : status;
    }
    return this.status;
  }

  async #pipeline(commands: readonly Command[], streams: Streams): Promise<number> {
    let { stdin } = streams;
    const running = commands.map((command, index) => {
      const next = index === commands.length - 1 ? undefined : makePipe();
      const input = stdin;
      if (next !== undefined) stdin = next.input;
      const own = { ...streams, stdin: input, stdout: next?.output ?? streams.stdout };
      return this.#subshell([{ after: ';', isNegated: false, pipeline: [command] }], own).finally(() => {
        next?.end();
        if (index > 0) input.close();
      });
    });
    return (await Promise.all(running)).at(-1) ?? 0;
  }

  /** Runs a script in a copy of this shell, so that the state of this shell does not change. */
  async #subshell(script: Script, streams: Streams): Promise<number> {
    try {
      return await new Shell({ ...this.process, ...streams }, this.findProgram, { parent: this }).run(script);
    } catch (error) {
      if (error instanceof Exit) return error.code;
      if (error instanceof BrokenPipe) return 141;
      throw error;
    }
  }

  /** Runs a command. Its error becomes a line on stderr and an exit status, unless the error ends the shell. */
  async #command(command: Command, streams: Streams): Promise<number> {
    let redirected = streams;
    try {
      redirected = await this.#redirect(command.redirects, streams);
      return await (command.kind === 'simple'
        ? this.#simple(command, redirected)
        : this.#compound(command, redirected));
    } catch (error) {
      const endsShell = error instanceof Exit || error instanceof BrokenPipe || this.process.signal.aborted;
      if (endsShell || !(error instanceof Error)) throw error;
      await writeText(redirected.stderr, `${this.process.argv[0]}: ${error.message}\n`);
      return error instanceof ProgramError ? error.exitCode : 1;
    }
  }

  async #redirect(redirects: readonly Redirect[], streams: Streams): Promise<Streams> {
    const names = ['stdin', 'stdout', 'stderr'] as const;
    const { files } = this.process.sandbox;
    let result = streams;
    for (const { descriptor, mode, target } of redirects) {
      const text = await this.#text(target);
      const path = posix.resolve(this.#directory, text);
      let stream: Input | Output;
      if (mode === 'read') stream = opened('open', text, () => files.input(path));
      else if (mode !== 'duplicate') stream = opened('create', text, () => files.open(path, mode));
      else if (text === '1' || text === '2') stream = result[names[Number(text) as 1 | 2]];
      else throw new ProgramError(`>&${text} is not supported`, 2);
      result = { ...result, [names[descriptor]]: stream };
    }
    return result;
  }

  async #compound(command: CompoundCommand, streams: Streams): Promise<number> {
    if (command.kind === 'if') {
      if ((await this.run(command.condition, streams)) === 0) return this.run(command.body, streams);
      return command.otherwise === undefined ? 0 : this.run(command.otherwise, streams);
    }
    let status = 0;
    const runBody = async () => {
      await yieldToOthers(this.process.signal);
      status = await this.run(command.body, streams);
    };
    if (command.kind === 'while') while ((await this.run(command.condition, streams)) === 0) await runBody();
    else {
      for (const value of await this.#fields(command.words)) {
        this.#assign(command.name, value);
        await runBody();
      }
    }
    return status;
  }

  async #simple({ assignments, words }: SimpleCommand, streams: Streams): Promise<number> {
    if (words.length === 0) this.status = 0;
    const [name, ...args] = await this.#fields(words);
    const values: [string, string][] = [];
    for (const { name: variable, value } of assignments) values.push([variable, await this.#text(value)]);
    if (this.#traces) {
      const shown = [...values.map(([variable, value]) => `${variable}=${value}`), name ?? [], args].flat();
      await writeText(this.process.stderr, `+ ${shown.join(' ')}\n`);
    }
    if (name === undefined) {
      for (const [variable, value] of values) this.#assign(variable, value);
      return this.status;
    }
    switch (name) {
      case 'cd': {
        const path = posix.resolve(this.#directory, args[0] ?? this.#variable('HOME'));
        this.process.sandbox.files.list(path);
        this.#directory = path;
        return 0;
      }
      case 'exec':
        if (args.length === 0) throw new ProgramError('only exec COMMAND is supported', 2);
        throw new Exit(await this.#program(args, values, streams));
      case 'exit':
        throw new Exit(Number(args[0] ?? this.status) & 0xff);
      case 'read':
        return await this.#read(args, streams.stdin);
      case 'trap':
        if (args.length !== 2 || args[0] !== '' || !/^(SIG)?TERM$/.test(args[1] ?? ''))
          throw new ProgramError("only trap '' TERM is supported", 2);
        this.process.sandbox.ignoreTerm();
        return 0;
      default:
        return await this.#program([name, ...args], values, streams);
    }
  }

  async #read(args: readonly string[], stdin: Input): Promise<number> {
    const [name = '', ...others] = args.filter((text) => text !== '-r');
    if (others.length > 0 || !/^[A-Za-z_]\w*$/.test(name)) throw new ProgramError('only read NAME is supported', 2);
    const line = (await readLine(stdin))?.toString() ?? '';
    this.#assign(name, line.trim());
    return line.endsWith('\n') ? 0 : 1;
  }

  async #program(argv: readonly string[], values: readonly [string, string][], streams: Streams): Promise<number> {
    const [name = ''] = argv;
    const program = this.process.sandbox.programOfImage(name) ?? this.findProgram(name);
    if (program === undefined) throw new ProgramError(`${name}: not found`, 127);
    const environment = new Map([...this.#environment, ...values]);
    return await runProgram(program, { ...this.process, ...streams, argv, environment, directory: this.#directory });
  }

  /** Expands words to the arguments of a command. */
  async #fields(words: readonly Word[]): Promise<string[]> {
    const fields: string[] = [];
    const limit = { left: mostPaths };
    const { files } = this.process.sandbox;
    for (const word of words) {
      let field: FieldPart[] | undefined;
      const add = (text: string, quoted: boolean) => {
        field ??= [];
        field.push({ text, quoted });
      };
      const end = () => {
        if (field !== undefined) fields.push(...expandPaths(field, files, this.#directory, limit));
        field = undefined;
      };
      for (const part of word) {
        const value = await this.#value(part);
        if (part.quoted || part.kind === 'text') add(value, part.quoted);
        else {
          const [first = '', ...others] = value.split(/[ \t\n]+/);
          if (first !== '') add(first, false);
          for (const other of others) {
            end();
            if (other !== '') add(other, false);
          }
        }
      }
      end();
    }
    return fields;
  }

  /** Expands a word without field splitting. */
  async #text(word: Word): Promise<string> {
    let text = '';
    for (const part of word) text += await this.#value(part);
    return text;
  }

  async #value(part: WordPart): Promise<string> {
    switch (part.kind) {
      case 'text':
        return part.text;
      case 'variable':
        return this.#variable(part.name);
      case 'arithmetic':
        return String(evaluate(part.expression, (name) => this.#variable(name)));
      case 'substitution':
        return await this.#outputOf(part.script);
    }
  }

  /** Returns the output of a script without the newlines at its end. */
  async #outputOf(script: Script): Promise<string> {
    const { input, output, end } = makePipe();
    const running = this.#subshell(script, { ...this.process, stdout: output }).finally(end);
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of input) {
      length += chunk.length;
      if (length > maxValue) break;
      chunks.push(chunk);
    }
    input.close();
    this.status = await running;
    return Buffer.concat(chunks)
      .toString()
      .replace(/(?<!\n)\n+$/, '');
  }

  #variable(name: string): string {
    if (name === '?') return String(this.status);
    return this.#variables.get(name) ?? this.#environment.get(name) ?? '';
  }

  #assign(name: string, value: string): void {
    if (value.length > maxValue) throw new ProgramError(`${name}: the value is too long`);
    (this.#environment.has(name) ? this.#environment : this.#variables).set(name, value);
  }
}

/** Opens a file by the path that the script gives. Throws ProgramError in the words of a shell. */
function opened<Stream>(what: 'open' | 'create', path: string, open: () => Stream): Stream {
  try {
    return open();
  } catch (error) {
    if (error instanceof FileError) throw new ProgramError(`can't ${what} ${path}: ${error.reason}`);
    throw error;
  }
}
