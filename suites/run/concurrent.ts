// Runs several subjects at the same time: a worker that waits for its target begins the next subjects meanwhile.
import { performance } from 'node:perf_hooks';
import type { CaseResult, ChapterName, Exchange, Subject } from '../requirements/index.js';
import type { Group } from './group.js';

/** The subjects of one test. */
export interface Work {
  readonly group: Group;
  readonly subjects: readonly Subject[];
}

/** The results of a subject, with the exchanges that prove the results; without them if nobody wants them. */
export interface SubjectOutcome {
  readonly results: readonly CaseResult[];
  readonly exchanges: readonly Exchange[];
  /** The number of exchanges, wanted or not. */
  readonly count: number;
}

/** Runs one subject with the context of an index. No other subject uses this context at the same time. */
type RunSubject = (index: number, subject: Subject, group: Group) => Promise<SubjectOutcome>;

/** A subject that has not begun. `begin` settles the outcome for which its test waits. */
interface Waiting {
  readonly isExclusive: boolean;
  readonly begin: (index: number) => Promise<void>;
}

/** Milliseconds between two looks at how busy this process was. */
const pause = 25;
/**
 * The busy parts of that time below which one more subject may run, and above which one less may. In a busy process,
 * more subjects only slow each other.
 */
const [idle, busy] = [0.75, 0.95];
/** The maximum number of outcomes that are ready before their test begins. */
const ahead = 64;

/** Runs subjects in the order of their tests, several at the same time while this process mostly waits. */
export class Concurrent {
  readonly #outcomes = new Map<Work, readonly Promise<SubjectOutcome>[]>();
  readonly #waiting: Waiting[] = [];
  /** The subjects under way, by the indexes of their contexts. */
  readonly #underWay = new Map<number, Waiting>();
  #ready = 0;
  /** The number of subjects that may run at the same time: it follows how busy this process is. */
  #level = 1;
  #timer: NodeJS.Timeout | undefined;

  /**
   * `most`: the maximum number of subjects at the same time. `busyPart` returns the part of the time since its last call,
   * from 0 to 1, for which this process was busy.
   */
  constructor(
    readonly run: RunSubject,
    readonly most: number,
    readonly busyPart = busyPartOfProcess(),
  ) {}

  /**
   * Yields the outcomes of a test, in the order of its subjects. Subjects of `later`, the tests that this worker runs
   * next, may begin meanwhile.
   */
  async *outcomes(work: Work, later: readonly Work[] = []): AsyncGenerator<SubjectOutcome> {
    for (const each of [work, ...later]) if (!this.#outcomes.has(each)) this.#plan(each);
    this.#timer ??= setInterval(() => this.#look(), pause).unref();
    this.#begin();
    for (const outcome of this.#outcomes.get(work) ?? []) {
      yield await outcome;
      this.#ready -= 1;
      this.#begin();
    }
    this.#outcomes.delete(work);
  }

  #plan(work: Work): void {
    const { group, subjects } = work;
    const outcomes = subjects.map((subject) => {
      const outcome = new Promise<SubjectOutcome>((resolve, reject) => {
        const begin = (index: number): Promise<void> => this.run(index, subject, group).then(resolve, reject);
        this.#waiting.push({ isExclusive: isExclusive(group.chapter, subject), begin });
      });
      // The test of the subject throws the error, when its turn comes.
      outcome.catch(() => undefined);
      return outcome;
    });
    this.#outcomes.set(work, outcomes);
  }

  #look(): void {
    const part = this.busyPart();
    if (part > busy) this.#level = Math.max(1, this.#level - 1);
    // One more at a look: the process shows first how busy the subjects keep it.
    else if (part < idle && this.#underWay.size >= this.#level) this.#level = Math.min(this.most, this.#level + 1);
    this.#begin();
    if (this.#waiting.length > 0 || this.#underWay.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #begin(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#mayBegin(next); next = this.#waiting[0]) {
      this.#waiting.shift();
      void this.#runOne(next);
    }
  }

  #mayBegin({ isExclusive }: Waiting): boolean {
    if (this.#underWay.size === 0) return true;
    if (isExclusive || [...this.#underWay.values()].some((each) => each.isExclusive)) return false;
    return this.#underWay.size < this.#level && this.#ready < ahead;
  }

  async #runOne(waiting: Waiting): Promise<void> {
    let index = 0;
    while (this.#underWay.has(index)) index += 1;
    this.#underWay.set(index, waiting);
    await waiting.begin(index);
    this.#underWay.delete(index);
    this.#ready += 1;
    this.#begin();
  }
}

function busyPartOfProcess(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}

/** The chapters whose subjects of the server have namespaces, users or credentials of their own. */
const independent: ReadonlySet<ChapterName> = new Set([
  'admission',
  'authentication',
  'certificates',
  'serviceAccounts',
  'tokenReview',
]);

/**
 * Reports whether no other subject of its worker may run at the same time: subjects of the server as a whole change
 * what others see, and those that need a node tell their requests at the node apart by the time.
 */
export const isExclusive = (chapter: ChapterName, { resource, node }: Subject): boolean =>
  node !== undefined || (resource === 'server' && !independent.has(chapter));
