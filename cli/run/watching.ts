// A run that goes on: all chosen cases, and after a key or a changed file again what failed, then what is near it.

import { rmSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { groupBy } from '../../matrix/api/groupBy.js';
import { LiveLine, loadRounds, type Rounds, type Run, runVariable } from '../../suites/index.js';
import type { Case, CaseResult, Exchange } from '../../suites/requirements/index.js';
import { logLine } from '../terminal.js';
import type { Interruption } from './interruption.js';
import { type SuiteEnd, writeSettings } from './suite.js';
import { keysHelp, Triggers } from './triggers.js';

/** The most failures that a round names, and the most cases near a failed one that follow it. */
const most = { named: 20, near: 200 } as const;

/** The last result of a case, with the exchanges of its subject if a case of that did not pass. */
interface Last {
  readonly result: CaseResult;
  readonly exchanges: readonly Exchange[];
  readonly isFailure: boolean;
}

/** Some cases of a round, and what they are called in its last line. */
interface Stage {
  readonly name: string;
  readonly ids: readonly string[];
}

/** `again`: a file changed, and the server of the run must be started again. */
export type WatchEnd = SuiteEnd | 'again';

export class Watching {
  readonly #last = new Map<string, Last>();
  readonly #triggers: Triggers;
  readonly #line = new LiveLine(process.stderr);
  #folder: string | undefined;
  #isFirst = true;

  /** `files`: the files and folders whose changes begin a round. Throws UsageError if one is not there. */
  constructor(files: readonly string[]) {
    this.#triggers = new Triggers(files);
  }

  /**
   * Runs rounds until the user ends them; then writes the last result of each case as the evidence of the run.
   * `startsServer`: the run started the target, and must start it again when a file changes.
   */
  async rounds(run: Run, cases: readonly Case[], startsServer: boolean, interruption: Interruption): Promise<WatchEnd> {
    this.#removeSettings();
    const { folder, file } = writeSettings(run);
    this.#folder = folder;
    process.env[runVariable] = file;
    const rounds = await loadRounds(run);
    const ignore = interruption.listen(() => this.#triggers.add('end'));
    const all = { name: 'chosen', ids: cases.map(({ id }) => id) };
    try {
      let stages: readonly Stage[] = this.#isFirst ? [all] : this.#again(all, cases);
      this.#isFirst = false;
      for (;;) {
        await this.#round(rounds, stages);
        const trigger = await this.#triggers.next();
        if (trigger === 'end') break;
        if (trigger === 'changed' && startsServer) return 'again';
        stages = trigger === 'all' ? [all] : this.#again(all, cases);
      }
      this.#write(rounds);
      return { outages: [], ...(interruption.reason !== undefined && { aborted: interruption.reason }) };
    } finally {
      ignore();
      await rounds.close();
    }
  }

  /** Waits for a trigger when the target could not be prepared. Returns false if the user ends the run. */
  async waits(): Promise<boolean> {
    return (await this.#triggers.next()) !== 'end';
  }

  close(): void {
    this.#triggers.close();
    this.#removeSettings();
  }

  #removeSettings(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Returns the stages of the next round: what failed, then what is near it; all cases if nothing failed. */
  #again(all: Stage, cases: readonly Case[]): readonly Stage[] {
    const failed = new Set([...this.#last].flatMap(([id, { isFailure }]) => (isFailure ? [id] : [])));
    if (failed.size === 0) return [all];
    const own = cases.filter(({ id }) => failed.has(id));
    const subjects = new Set(own.map(({ subject }) => subject));
    const requirements = new Set(own.map(({ requirement }) => requirement));
    const others = cases.filter(({ id }) => !failed.has(id));
    // First the other requirements of the same requests, then the same requirements of other requests.
    const near = [
      ...others.filter(({ subject }) => subjects.has(subject)),
      ...others.filter(({ subject, requirement }) => !subjects.has(subject) && requirements.has(requirement)),
    ];
    return [
      { name: 'that failed', ids: [...failed] },
      { name: 'near them', ids: near.slice(0, most.near).map(({ id }) => id) },
    ];
  }

  async #round(rounds: Rounds, stages: readonly Stage[]): Promise<void> {
    const began = performance.now();
    const said: string[] = [];
    let named = 0;
    for (const { name, ids } of stages) {
      if (ids.length === 0 || this.#triggers.isPending) continue;
      // What any response can violate has no check of its own: it is seen again when the requests are sent again.
      for (const [id, { isFailure }] of this.#last) if (isFailure && !rounds.has(id)) this.#last.delete(id);
      const tally = { passed: 0, failed: 0, other: 0 };
      for await (const { results, exchanges } of rounds.outcomes(ids, () => this.#triggers.isPending)) {
        const failures = new Set(rounds.failures(results));
        for (const result of results) {
          const isFailure = failures.has(result);
          tally[isFailure ? 'failed' : result.verdict === 'passed' ? 'passed' : 'other'] += 1;
          const before = this.#last.get(result.id);
          this.#last.set(result.id, { result, exchanges, isFailure });
          const isNews = isFailure || (before?.isFailure === true && result.verdict === 'passed');
          if (isNews && named < most.named) this.#tell(result, isFailure);
          if (isNews) named += 1;
        }
        this.#line.draw(
          `${name}: ${tally.passed + tally.failed + tally.other} of ${ids.length}, ${tally.failed} failed`,
        );
      }
      const other = tally.other > 0 ? `, ${tally.other} not judged` : '';
      said.push(`${ids.length} ${name}: ${tally.failed} failed, ${tally.passed} passed${other}`);
    }
    this.#line.erase();
    if (named > most.named) process.stdout.write(`… and ${named - most.named} more\n`);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const isCut = this.#triggers.isPending ? '; the rest was left out' : `; ${keysHelp}`;
    process.stdout.write(`${said.join('; ')} (${seconds} s)${isCut}\n`);
  }

  #tell({ id, message = '' }: CaseResult, isFailure: boolean): void {
    this.#line.erase();
    process.stdout.write(isFailure ? `✗ ${id}\n    ${logLine(message)}\n` : `✓ ${id}\n`);
  }

  /** Writes the last results, those of one subject with their exchanges together. */
  #write(rounds: Rounds): void {
    for (const [exchanges, last] of groupBy(this.#last.values(), (one) => one.exchanges))
      rounds.write(
        last.map(({ result }) => result),
        exchanges,
      );
  }
}
