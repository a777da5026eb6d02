// Runs cases in this process, round after round: the namespaces, the connections and the samples of a worker stay.
import { Prerequisite } from '../client/expect.js';
import { NoAnswer } from '../client/reply.js';
import { type CaseResult, caseId, type Exchange, type Subject } from '../requirements/index.js';
import { undeclared } from './caseCounts.js';
import { loadChapters } from './chapterFiles.js';
import { Concurrent, type SubjectOutcome, type Work } from './concurrent.js';
import { type Check, type Group, groups } from './group.js';
import type { Run } from './settings.js';
import { runSubject } from './subject.js';
import { Turns } from './turns.js';
import { Worker } from './worker.js';

/** Where the check of a case is. */
interface Place {
  readonly group: Group;
  readonly subject: Subject;
  readonly check: Check;
}

export class Rounds {
  readonly #places = new Map<string, Place>();
  #worker: Worker | undefined;
  #workers = 0;

  private constructor(readonly run: Run) {
    for (const group of groups)
      for (const subject of group.subjects)
        for (const check of group.checks) this.#places.set(caseId(check.id, subject), { group, subject, check });
  }

  /** Loads the chapters, once in a process; the kinds that only the target knows are those of the first run. */
  static async load(run: Run): Promise<Rounds> {
    await loadChapters();
    return new Rounds(run);
  }

  /**
   * Runs the cases of these ids, those that affect others last, and yields the outcome of each subject. `isOver`: asked
   * before each subject; when it returns true, the rest is left out.
   */
  async *outcomes(ids: readonly string[], isOver: () => boolean): AsyncGenerator<SubjectOutcome> {
    const worker = await this.#ready();
    const concurrent = new Concurrent(
      (index, ...about) => (isOver() ? nothing : runSubject(worker.context(index), ...about, hasFailed)),
      this.run.atOnce ?? 1,
    );
    const works = this.#worksOf(ids);
    for (const [index, work] of works.entries())
      yield* concurrent.outcomes(work, index === 0 ? works.slice(1) : undefined);
  }

  /** Reports whether the case has a check. */
  has(id: string): boolean {
    return this.#places.has(id);
  }

  /** Returns the results that count against the target: failed or blocked, and not declared. */
  failures(results: readonly CaseResult[]): CaseResult[] {
    return undeclared(results, this.run.target.deviations);
  }

  /** Writes cases with the exchanges that prove them as the evidence of the run. */
  write(cases: readonly CaseResult[], exchanges: readonly Exchange[]): void {
    this.#current.evidence.write(cases, exchanges);
  }

  /** Writes what is buffered, and closes the connections. */
  async close(): Promise<void> {
    this.#worker?.end();
    await this.#worker?.close();
  }

  /** Returns one piece of work for each subject, with the checks of these cases. */
  #worksOf(ids: readonly string[]): Work[] {
    const bySubject = new Map<Subject, Map<Group, Check[]>>();
    for (const id of ids) {
      const place = this.#places.get(id);
      if (place === undefined) continue;
      const { group, subject, check } = place;
      const ofSubject = bySubject.get(subject) ?? new Map<Group, Check[]>();
      bySubject.set(subject, ofSubject.set(group, [...(ofSubject.get(group) ?? []), check]));
    }
    const works = [...bySubject].flatMap(([subject, byGroup]) =>
      [...byGroup].map(([group, checks]): Work => ({ group: { ...group, checks }, subjects: [subject] })),
    );
    const isAlone = ({ subjects: [subject] }: Work): boolean => subject?.alone === true;
    return [...works.filter((work) => !isAlone(work)), ...works.filter(isAlone)];
  }

  /** Returns the worker, a new one if the target has stopped responding or has lost the objects of the old one. */
  async #ready(): Promise<Worker> {
    const worker = this.#current;
    const { client, sandbox, hasNamespaces } = worker.context(0);
    const isLost = async (): Promise<boolean> => {
      if (worker.isStopped) return true;
      if (!hasNamespaces || this.run.target.readOnly) return false;
      const { status } = await client.send({ method: 'GET', path: `/api/v1/namespaces/${await sandbox.namespace()}` });
      return status === 404;
    };
    const lost = await isLost().catch((error: unknown) => {
      if (error instanceof NoAnswer || error instanceof Prerequisite) return true;
      throw error;
    });
    client.dropExchanges();
    if (lost) {
      await this.close();
      this.#worker = undefined;
    }
    return this.#current;
  }

  get #current(): Worker {
    if (this.#worker === undefined) {
      this.#worker = new Worker(this.run, String(this.#workers), new Turns());
      this.#workers += 1;
    }
    return this.#worker;
  }
}

const nothing: Promise<SubjectOutcome> = Promise.resolve({ results: [], exchanges: [], count: 0 });

/** The exchanges of what passes are not kept: another round may follow, and another. */
const hasFailed = (results: readonly CaseResult[]): boolean => results.some(({ verdict }) => verdict !== 'passed');
