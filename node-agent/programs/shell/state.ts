// The state of a shell: variables, positional parameters, directory, options, and the status of the last command.
import { type Container, type Process, ProgramError } from '../../kernel/process.js';
import type { List } from './syntax.js';

/** The most characters of a variable, and of the output of `$(…)`. */
export const maxValue = 1_048_576;

export class ShellState {
  readonly container: Container;
  /** `$0`. */
  readonly name: string;
  status = 0;
  exitOnError = false;
  positional: readonly string[] = [];
  directory: string;
  /** The action of `trap … WINCH`, which runs when the size of the terminal changes. */
  onResize: List | undefined;
  readonly environment: Map<string, string>;
  readonly #variables: Map<string, string>;

  /** Makes the state of a new shell, or of a subshell, which starts with a copy of its parent's state. */
  constructor({ argv, container, directory, environment }: Process, parent?: ShellState) {
    this.container = container;
    this.name = argv[0] ?? 'sh';
    this.directory = parent?.directory ?? directory;
    this.positional = parent?.positional ?? [];
    this.exitOnError = parent?.exitOnError ?? false;
    this.status = parent?.status ?? 0;
    this.environment = new Map(parent?.environment ?? environment);
    this.#variables = new Map(parent === undefined ? [] : parent.#variables);
  }

  /** Returns the value of a variable or a special parameter; empty if it is not set. */
  variable(name: string): string {
    if (name === '?') return String(this.status);
    if (name === '#') return String(this.positional.length);
    if (name === '$') return '1';
    if (name === '0') return this.name;
    if (name === '@' || name === '*') return this.positional.join(' ');
    if (/^\d+$/.test(name)) return this.positional[Number(name) - 1] ?? '';
    return this.#variables.get(name) ?? this.environment.get(name) ?? '';
  }

  /** Sets a variable. Throws ProgramError if the value is too long. */
  assign(name: string, value: string): void {
    if (value.length > maxValue) throw new ProgramError(`${name}: the value is too long`);
    (this.environment.has(name) ? this.environment : this.#variables).set(name, value);
  }

  export(name: string, value = this.variable(name)): void {
    this.#variables.delete(name);
    this.environment.set(name, value);
  }

  unset(name: string): void {
    this.#variables.delete(name);
    this.environment.delete(name);
  }
}
