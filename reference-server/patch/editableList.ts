// A list with cheap insertions and removals at any index, however long it is: its items are in short runs.

const longestRun = 1024;

/** Every index must be in the list, or equal to its length for an insertion. */
export class EditableList {
  readonly #runs: unknown[][] = [];
  #length: number;

  constructor(items: readonly unknown[]) {
    this.#length = items.length;
    for (let at = 0; at < items.length; at += longestRun / 2) this.#runs.push(items.slice(at, at + longestRun / 2));
  }

  get length(): number {
    return this.#length;
  }

  get(index: number): unknown {
    const { run, at } = this.#find(index);
    return run[at];
  }

  set(index: number, item: unknown): void {
    const { run, at } = this.#find(index);
    run[at] = item;
  }

  insert(index: number, item: unknown): void {
    const { run, at, number } = this.#find(index);
    run.splice(at, 0, item);
    this.#length += 1;
    if (run.length > longestRun) this.#runs.splice(number + 1, 0, run.splice(longestRun / 2));
  }

  remove(index: number): unknown {
    const { run, at, number } = this.#find(index);
    const [item] = run.splice(at, 1);
    this.#length -= 1;
    if (run.length === 0) this.#runs.splice(number, 1);
    return item;
  }

  toArray(): unknown[] {
    return this.#runs.flat();
  }

  /** Finds the run and position of an index. The index after the last item is at the end of the last run. */
  #find(index: number): { run: unknown[]; at: number; number: number } {
    if (this.#runs.length === 0) this.#runs.push([]);
    let at = index;
    let number = 0;
    let run = this.#runs[0] as unknown[];
    while (at >= run.length && number < this.#runs.length - 1) {
      at -= run.length;
      number += 1;
      run = this.#runs[number] as unknown[];
    }
    return { run, at, number };
  }
}
