// Collects the paths of fields in a value, such as `spec.containers[0].image`, while the value is read.
import { cut } from '../excerpt.js';

/** The most paths that are collected: a small body can have thousands of mistakes. */
const mostPaths = 100;
/** The most paths that are looked at: a body can repeat one field a million times, at a great depth. */
const mostAdded = 1000;
/** The most characters of a path. */
export const longestPath = 1024;

/** The collected paths, and the place that is read now. */
export class FieldPaths {
  readonly #found = new Set<string>();
  readonly #steps: (string | number)[] = [];
  #added = 0;

  /** The paths, each once, in the order in which they were found. */
  get found(): readonly string[] {
    return [...this.#found];
  }

  /** Enters an object or a list; `step` is its first field or index. */
  enter(step: string | number): void {
    this.#steps.push(step);
  }

  /** Goes to another field, or to another index. */
  goTo(step: string | number): void {
    this.#steps[this.#steps.length - 1] = step;
  }

  /** Goes to the next index, if the innermost place is in a list. */
  goOn(): void {
    const step = this.#steps[this.#steps.length - 1];
    if (typeof step === 'number') this.goTo(step + 1);
  }

  leave(): void {
    this.#steps.pop();
  }

  /** Adds the path of the current place. Returns it, unless it is known already or one too many. */
  add(): string | undefined {
    this.#added += 1;
    if (this.#found.size === mostPaths || this.#added > mostAdded) return undefined;
    const path = this.path();
    if (this.#found.has(path)) return undefined;
    this.#found.add(path);
    return path;
  }

  /** Returns the path of the current place. */
  path(): string {
    let path = '';
    for (const step of this.#steps) {
      if (path.length > longestPath) break;
      if (typeof step === 'number') path += `[${step}]`;
      else path += `${path === '' ? '' : '.'}${cut(step, longestPath)}`;
    }
    return cut(path, longestPath);
  }
}

/** A field that a body in JSON repeats: its path, and the number of fields of its object before the last one. */
interface RepeatedInJson {
  readonly path: string;
  readonly before: number;
}

/** A key that a body in YAML repeats, and the line where its value begins. */
interface RepeatedInYaml {
  readonly key: string;
  readonly line: number;
}

export type RepeatedField = RepeatedInJson | RepeatedInYaml;

/** Collects the fields that a body repeats. */
export class RepeatedFields {
  readonly paths = new FieldPaths();
  readonly #found: RepeatedField[] = [];

  /** The fields, in the order in which they were found. */
  get found(): readonly RepeatedField[] {
    return this.#found;
  }

  /** Adds the current place of the paths. `before`: the number of other fields of its object that came before. */
  add(before: number): void {
    const path = this.paths.add();
    if (path !== undefined) this.#found.push({ path, before });
  }

  /** Adds fields that another reader has collected, as many as are kept. */
  addAll(fields: readonly RepeatedField[]): void {
    this.#found.push(...fields.slice(0, mostPaths - this.#found.length));
  }
}
