// Reads what a run wrote down. Cases are all kept; exchanges of those that did not pass, and of the passed ones asked for.
import type {
  CaseResult,
  EvidenceChoice,
  EvidenceLine,
  Exchange,
  RunFooter,
  RunHeader,
} from '../matrix/requirements/index.js';
import { groupBy } from './counts.js';
import { isWorse, parseLine } from './evidenceLine.js';
import { type Line, type Place, readLines, readPlaces } from './jsonLines.js';
import { firstLine } from './render/visible.js';
import { bothEnds, type Shards, together, type WrittenRun, whyApart } from './shards.js';

/** When a case's exchanges were made. */
export interface Timing {
  /** The first one's start, in milliseconds since 1970. */
  readonly start: number;
  /** What all of them took together; cases that one performance proves share its exchanges. */
  readonly milliseconds: number;
}

/** What one run wrote down, or several shards of one choice. */
export interface Evidence {
  /** Absent where the file has no header: the run never started. */
  readonly run?: RunHeader;
  /** Absent where the run was killed. */
  readonly end?: RunFooter;
  /** Which shards this is of; absent where the run was not cut into any. */
  readonly shards?: Shards;
  readonly cases: ReadonlyMap<string, CaseResult>;
  /** The exchanges that are shown: all those of the passes would fill the memory unread. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  /** By case id; without the cases that name no exchange. */
  readonly timings: ReadonlyMap<string, Timing>;
  /** What the reader had to overlook, a sentence each. */
  readonly notes: readonly string[];
}

/** A line of evidence that cannot be read. */
export class EvidenceError extends Error {
  override readonly name = 'EvidenceError';
}

/**
 * Reads one run from one file or several, or several shards of one choice, whose headers come before their lines.
 * Where a case has two results the worse one stands. A last line that is cut off (a killed worker) is noted; any other
 * line that cannot be read, or that is of another run, throws an `EvidenceError` with its file and line. `passed` says
 * of which passed cases the exchanges are read.
 */
export async function readEvidence(
  files: string | readonly string[],
  passed: PassedEvidence = 'failures',
): Promise<Evidence> {
  const reading = new Reading(passed);
  for (const file of typeof files === 'string' ? [files] : files) {
    for await (const line of readLines(file)) reading.add(line);
  }
  return reading.finish();
}

/** The passed cases whose exchanges are read; `asRun`: as the run was told. */
export type PassedEvidence = EvidenceChoice | 'asRun';

class Reading {
  readonly #runs = new Map<string, WrittenRun>();
  /** The run whose lines are being read. */
  #run: WrittenRun | undefined;
  /** An end without a header before it. */
  #end: RunFooter | undefined;
  readonly #cases = new Map<string, CaseResult>();
  readonly #places = new Map<string, Place>();
  readonly #times = new Map<string, Timing>();
  readonly #repeated = new Set<string>();
  readonly #notes: string[] = [];

  constructor(private readonly passed: PassedEvidence) {}

  add(line: Line): void {
    const text = line.bytes.toString('utf8');
    if (text.trim() === '') return;
    const where = `${line.place.file}:${line.number}`;
    let parsed: EvidenceLine;
    try {
      parsed = parseLine(text);
    } catch (error) {
      if (!line.ended && error instanceof SyntaxError) {
        this.#notes.push(`${where}: the last line is cut off: its writer was killed`);
        return;
      }
      const why = firstLine(error instanceof Error ? error.message : String(error));
      throw new EvidenceError(`${where}: not a line of evidence: ${why}`);
    }
    this.#take(parsed, line.place, where);
  }

  async finish(): Promise<Evidence> {
    const exchanges = new Map<string, Exchange>();
    for await (const text of readPlaces(this.#wanted())) {
      const exchange = parseLine(text);
      if (exchange.type === 'exchange') exchanges.set(exchange.id, exchange);
    }
    const [repeated] = this.#repeated;
    if (repeated !== undefined) {
      this.#notes.push(`${this.#repeated.size} exchange ids occur twice, ${repeated} first: the later one is shown`);
    }
    return {
      ...(this.#end && { end: this.#end }),
      ...together([...this.#runs.values()]),
      cases: this.#cases,
      exchanges,
      timings: this.#timings(),
      notes: this.#notes,
    };
  }

  #take(line: EvidenceLine, place: Place, where: string): void {
    switch (line.type) {
      case 'run':
        this.#begin(line, where);
        return;
      case 'case': {
        const known = this.#cases.get(line.id);
        if (!known || isWorse(line, known)) this.#cases.set(line.id, line);
        return;
      }
      case 'exchange':
        if (this.#places.has(line.id)) this.#repeated.add(line.id);
        this.#places.set(line.id, place);
        this.#times.set(line.id, { start: Date.parse(line.at), milliseconds: line.milliseconds });
        return;
      case 'end':
        if (this.#run) this.#run.end = this.#run.end ? bothEnds(this.#run.end, line) : line;
        else this.#end = this.#end ? bothEnds(this.#end, line) : line;
    }
  }

  #begin(header: RunHeader, where: string): void {
    for (const { header: other } of this.#runs.values()) {
      const why = other.runId === header.runId ? undefined : whyApart(other, header);
      if (why !== undefined) throw new EvidenceError(`${where}: ${why}`);
    }
    this.#run = this.#runs.get(header.runId) ?? { header };
    this.#runs.set(header.runId, this.#run);
  }

  #timings(): Map<string, Timing> {
    const timings = new Map<string, Timing>();
    for (const { id, exchanges } of this.#cases.values()) {
      const times = exchanges.flatMap((exchange) => this.#times.get(exchange) ?? []);
      if (times.length === 0) continue;
      const start = Math.min(...times.map((time) => time.start));
      timings.set(id, { start, milliseconds: times.reduce((sum, time) => sum + time.milliseconds, 0) });
    }
    return timings;
  }

  #wanted(): Iterable<Place> {
    const wanted = new Map<string, Place>();
    const shown = this.#passedShown();
    for (const { id: one, verdict, exchanges } of this.#cases.values()) {
      if (verdict === 'passed' && !shown(one)) continue;
      for (const id of exchanges) {
        const place = this.#places.get(id);
        if (place) wanted.set(id, place);
      }
    }
    return wanted.values();
  }

  /** Whether the exchanges of a passed case are read, by its id. */
  #passedShown(): (id: string) => boolean {
    const [run] = this.#runs.values();
    const passed = this.passed === 'asRun' ? (run?.header.evidence ?? 'sample') : this.passed;
    if (passed !== 'sample') return () => passed === 'all';
    const sample = sampleOf(this.#cases.values());
    return (id) => sample.has(id);
  }
}

/** One passed case of each requirement, by its id; where it can be, one whose exchanges prove another requirement too. */
function sampleOf(cases: Iterable<CaseResult>): ReadonlySet<string> {
  const byRequirement = groupBy(
    [...cases].filter(({ verdict, exchanges }) => verdict === 'passed' && exchanges.length > 0),
    ({ requirement }) => requirement,
  );
  const proofs = new Set<string>();
  const sample = new Set<string>();
  for (const members of byRequirement.values()) {
    const chosen = members.find(({ exchanges }) => proofs.has(exchanges.join())) ?? members[0];
    if (chosen === undefined) continue;
    proofs.add(chosen.exchanges.join());
    sample.add(chosen.id);
  }
  return sample;
}
