// Reads what a run wrote down. Cases are all kept; exchanges only where a case that did not pass names them.
import type { CaseResult, EvidenceLine, Exchange, RunFooter, RunHeader } from '../matrix/requirements/index.js';
import { isWorse, parseLine } from './evidenceLine.js';
import { type Line, type Place, readLines, readPlaces } from './jsonLines.js';
import { firstLine } from './render/visible.js';

/** When a case's exchanges were made. */
export interface Timing {
  /** The first one's start, in milliseconds since 1970. */
  readonly start: number;
  /** What all of them took together; cases that one performance proves share its exchanges. */
  readonly milliseconds: number;
}

/** What one run wrote down. */
export interface Evidence {
  /** Absent where the file has no header: the run never started. */
  readonly run?: RunHeader;
  /** Absent where the run was killed. */
  readonly end?: RunFooter;
  readonly cases: ReadonlyMap<string, CaseResult>;
  /** The exchanges that a case other than a passed one names: those of the passes would fill the memory unread. */
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
 * Reads one run from one file or several. Where a case has two results the worse one stands. A last line that is cut
 * off (a killed worker) is noted; any other line that cannot be read throws an `EvidenceError` with its file and line.
 */
export async function readEvidence(files: string | readonly string[]): Promise<Evidence> {
  const reading = new Reading();
  for (const file of typeof files === 'string' ? [files] : files) {
    for await (const line of readLines(file)) reading.add(line);
  }
  return reading.finish();
}

class Reading {
  #run: RunHeader | undefined;
  #end: RunFooter | undefined;
  readonly #cases = new Map<string, CaseResult>();
  readonly #places = new Map<string, Place>();
  readonly #times = new Map<string, Timing>();
  readonly #repeated = new Set<string>();
  readonly #notes: string[] = [];

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
      ...(this.#run && { run: this.#run }),
      ...(this.#end && { end: this.#end }),
      cases: this.#cases,
      exchanges,
      timings: this.#timings(),
      notes: this.#notes,
    };
  }

  #take(line: EvidenceLine, place: Place, where: string): void {
    switch (line.type) {
      case 'run':
        if (this.#run && this.#run.runId !== line.runId) {
          throw new EvidenceError(
            `${where}: run ${firstLine(line.runId)} among the evidence of run ${firstLine(this.#run.runId)}`,
          );
        }
        this.#run ??= line;
        return;
      case 'case': {
        const known = this.#cases.get(line.id);
        if (!known || isWorse(line.verdict, known.verdict)) this.#cases.set(line.id, line);
        return;
      }
      case 'exchange':
        if (this.#places.has(line.id)) this.#repeated.add(line.id);
        this.#places.set(line.id, place);
        this.#times.set(line.id, { start: Date.parse(line.at), milliseconds: line.milliseconds });
        return;
      case 'end':
        this.#end = this.#end ? bothEnds(this.#end, line) : line;
    }
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
    for (const { verdict, exchanges } of this.#cases.values()) {
      if (verdict === 'passed') continue;
      for (const id of exchanges) {
        const place = this.#places.get(id);
        if (place) wanted.set(id, place);
      }
    }
    return wanted.values();
  }
}

/** The end of a run that several writers ended: the later time, all that is left, the first reason. */
function bothEnds(first: RunFooter, second: RunFooter): RunFooter {
  const aborted = first.aborted ?? second.aborted;
  return {
    type: 'end',
    endedAt: [first.endedAt, second.endedAt].sort()[1] ?? second.endedAt,
    leftovers: [...new Set([...first.leftovers, ...second.leftovers])],
    ...(aborted !== undefined && { aborted }),
  };
}
