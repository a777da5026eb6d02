// Reads the evidence of a run: all cases, and the exchanges of cases that did not pass and of selected passed cases.
import { groupBy } from '../../matrix/api/groupBy.js';
import type {
  CaseResult,
  EvidenceChoice,
  EvidenceLine,
  Exchange,
  RunFooter,
  RunHeader,
  Timing,
  WaitsLine,
} from '../../suites/requirements/index.js';
import { countOf } from '../page/words.js';
import { firstLine } from '../safeText.js';
import { plainFile } from './compressed.js';
import { type ExchangeHead, exchangeHead, isWorse, parseLine } from './evidenceLine.js';
import { type ByteRange, type FileLine, readLines, readRanges } from './jsonLines.js';
import { differenceOfRuns, joinFooters, joinShards, type Shards, type WrittenRun } from './shards.js';

/** The evidence of one run, or of several shards of one choice. */
export interface Evidence {
  /** Absent if the file has no header: the run never started. */
  readonly run?: RunHeader;
  /** Absent if the run was killed. */
  readonly end?: RunFooter;
  /** The shards in the evidence; absent if the run has no shards. */
  readonly shards?: Shards;
  readonly cases: ReadonlyMap<string, CaseResult>;
  /** The exchanges for the report, without those of most passed cases, to save memory. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  /** The timings by case id, without cases that sent nothing. */
  readonly timings: ReadonlyMap<string, Timing>;
  /** Problems that the reader ignored, one sentence each. */
  readonly notes: readonly string[];
}

/** A line of evidence that cannot be read. */
export class EvidenceError extends Error {
  override readonly name = 'EvidenceError';
}

/**
 * Reads one run from one or more files, which may be compressed, or several shards of one choice, whose headers come before their lines. If a
 * case has two results, the worse one counts. A last line that is cut off (a killed worker) is noted. Throws an
 * `EvidenceError` with file and line for any other line that cannot be read or belongs to another run. `passed` selects
 * the passed cases whose exchanges are read.
 */
export async function readEvidence(
  files: string | readonly string[],
  passed: PassedEvidence = 'failures',
  writtenBy: WrittenBy = 'anyone',
): Promise<Evidence> {
  const reading = new Reading(passed, writtenBy);
  const ends: (() => void)[] = [];
  try {
    for (const name of typeof files === 'string' ? [files] : files) {
      const { file, remove } = await unpacked(name);
      ends.push(remove);
      const tooLong = (line: number) => new EvidenceError(`${name}:${line}: not a line of evidence: it is too long`);
      for (const line of readLines(file, tooLong)) reading.add(line, name);
    }
    return reading.finish();
  } finally {
    for (const remove of ends) remove();
  }
}

/** Unpacks a file if it is compressed. Throws an `EvidenceError` if it is not what its name says. */
async function unpacked(name: string): ReturnType<typeof plainFile> {
  try {
    return await plainFile(name);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!code.startsWith('Z_')) throw error;
    throw new EvidenceError(`${name}: not a whole gzip file: ${message}`);
  }
}

/** The passed cases whose exchanges are read; `asRun`: according to the run's own setting. */
export type PassedEvidence = EvidenceChoice | 'asRun';

/**
 * `thisRun`: the lines are known to be well-formed, so that exchanges are parsed only if the report needs them. They are
 * most of a file.
 */
export type WrittenBy = 'anyone' | 'thisRun';

/** The part of an exchange that every case needs, and its position. */
interface Noted extends ByteRange {
  /** The start, in milliseconds since 1970. */
  readonly start: number;
  readonly milliseconds: number;
}

class Reading {
  readonly #runs = new Map<string, WrittenRun>();
  /** The run of the lines that are being read. */
  #run: WrittenRun | undefined;
  /** A footer without a header before it. */
  #end: RunFooter | undefined;
  readonly #cases = new Map<string, CaseResult>();
  readonly #exchanges = new Map<string, Noted>();
  readonly #repeated = new Set<string>();
  readonly #notes: string[] = [];
  #waits: WaitsLine | undefined;

  constructor(
    private readonly passed: PassedEvidence,
    private readonly writtenBy: WrittenBy,
  ) {}

  /** `name`: the file as its reader knows it. */
  add(line: FileLine, name: string): void {
    const head = this.writtenBy === 'thisRun' && line.ended ? exchangeHead(line.bytes) : undefined;
    if (head !== undefined) {
      this.#note(head, line.range);
      return;
    }
    const text = line.bytes.toString('utf8');
    if (text.trim() === '') return;
    const where = `${name}:${line.number}`;
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
    this.#take(parsed, line.range, where);
  }

  finish(): Evidence {
    const exchanges = new Map<string, Exchange>();
    for (const text of readRanges(this.#wanted())) {
      const exchange = parseLine(text);
      if (exchange.type === 'exchange') exchanges.set(exchange.id, exchange);
    }
    const [repeated] = this.#repeated;
    if (repeated !== undefined) {
      this.#notes.push(`${this.#repeated.size} exchange ids occur twice, ${repeated} first: the later one is shown`);
    }
    if (this.#waits !== undefined) this.#notes.push(waitsNote(this.#waits));
    return {
      ...(this.#end && { end: this.#end }),
      ...joinShards([...this.#runs.values()]),
      cases: this.#cases,
      exchanges,
      timings: this.#timings(),
      notes: this.#notes,
    };
  }

  #take(line: EvidenceLine, range: ByteRange, where: string): void {
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
        this.#note(line, range);
        return;
      case 'waits':
        this.#waits = joinWaits(this.#waits, line);
        return;
      case 'end':
        if (this.#run) this.#run.end = this.#run.end ? joinFooters(this.#run.end, line) : line;
        else this.#end = this.#end ? joinFooters(this.#end, line) : line;
    }
  }

  #note({ id, at, milliseconds }: ExchangeHead, range: ByteRange): void {
    if (this.#exchanges.has(id)) this.#repeated.add(id);
    const { file, offset, length } = range;
    this.#exchanges.set(id, { file, offset, length, start: Date.parse(at), milliseconds });
  }

  #begin(header: RunHeader, where: string): void {
    for (const { header: other } of this.#runs.values()) {
      const why = other.runId === header.runId ? undefined : differenceOfRuns(other, header);
      if (why !== undefined) throw new EvidenceError(`${where}: ${why}`);
    }
    this.#run = this.#runs.get(header.runId) ?? { header };
    this.#runs.set(header.runId, this.#run);
  }

  #timings(): Map<string, Timing> {
    const timings = new Map<string, Timing>();
    for (const { id, exchanges, timing } of this.#cases.values()) {
      if (timing !== undefined) timings.set(id, timing);
      let [start, milliseconds] = [Number.POSITIVE_INFINITY, 0];
      for (const name of exchanges) {
        const noted = this.#exchanges.get(name);
        if (noted === undefined) continue;
        start = Math.min(start, noted.start);
        milliseconds += noted.milliseconds;
      }
      if (start !== Number.POSITIVE_INFINITY) timings.set(id, { start, milliseconds });
    }
    return timings;
  }

  #wanted(): Iterable<ByteRange> {
    const wanted = new Map<string, ByteRange>();
    const shown = this.#passedShown();
    for (const { id: one, verdict, exchanges } of this.#cases.values()) {
      if (verdict === 'passed' && !shown(one)) continue;
      for (const id of exchanges) {
        const noted = this.#exchanges.get(id);
        if (noted) wanted.set(id, noted);
      }
    }
    return wanted.values();
  }

  /** Returns a function that reports, by the id of a passed case, whether its exchanges are read. */
  #passedShown(): (id: string) => boolean {
    const [run] = this.#runs.values();
    const passed = this.passed === 'asRun' ? (run?.header.evidence ?? 'sample') : this.passed;
    if (passed !== 'sample') return () => passed === 'all';
    const sample = sampleOf(this.#cases.values());
    return (id) => sample.has(id);
  }
}

/** Combines the waits of two workers, which wait at the same time. */
function joinWaits(known: WaitsLine | undefined, line: WaitsLine): WaitsLine {
  if (known === undefined) return line;
  const { times, milliseconds, atOnce } = known;
  return {
    type: 'waits',
    times: times + line.times,
    milliseconds: Math.max(milliseconds, line.milliseconds),
    atOnce: Math.min(atOnce, line.atOnce),
  };
}

/** Returns how much the target slowed the run down. */
function waitsNote({ times, milliseconds, atOnce }: WaitsLine): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000)).toLocaleString('en-US');
  return `the target asked to wait ${countOf(times, 'time')}, ${seconds} s in all; the run went down to ${countOf(atOnce, 'request')} at once in a worker`;
}

/** Returns one passed case for each requirement; if possible, one whose exchanges also prove another one. */
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
