// The file of the audit log: lines in their order, many in one write. Nothing is lost when the process ends, unless a
// pipe has no reader.
import { appendFileSync, closeSync, constants, openSync, write, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { whyNot } from '../../../matrix/api/fileFailure.js';
import { OptionError } from '../../optionValues.js';
import { reportError } from '../../statusError.js';

const stdout = 1;
const none = Buffer.alloc(0);
/** How long a full pipe is left alone, in milliseconds. */
const untilRead = 20;
/** How long the end of the server waits for the reader of a pipe, in milliseconds. */
const lastWait = 800;
/** The most characters that wait for the reader of a pipe. */
const mostWaiting = 32 * 1024 * 1024;
// A pipe without a reader must not hold up the process, neither its start nor its end. Windows has no such flag.
const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

export interface AuditOptions {
  /** `--audit-log-path`: the file of the audit log, or `-` for stdout; none by default. */
  readonly auditLogPath?: string;
  /** `--audit-log-format`: `json`, the default and only format. */
  readonly auditLogFormat?: string;
  /** `--audit-policy-file`: which requests are logged; by default the metadata of all. */
  readonly auditPolicyFile?: string;
}

/** Opens the log, if the options ask for one. Throws an OptionError for options that cannot be used. */
export function openLog({
  auditLogPath,
  auditLogFormat = 'json',
  auditPolicyFile,
}: AuditOptions): AuditLog | undefined {
  if (auditLogFormat !== 'json')
    throw new OptionError(`--audit-log-format: there is no format ${auditLogFormat}; there is json`);
  if (auditLogPath !== undefined) return new AuditLog(auditLogPath);
  if (auditPolicyFile === undefined) return undefined;
  throw new OptionError('--audit-policy-file: give --audit-log-path too, where the log goes, such as audit.log or -');
}

export class AuditLog {
  readonly #file: number;
  readonly #path: string;
  #isClosed = false;
  #lines: string[] = [];
  /** The characters of the lines. */
  #length = 0;
  /** The lines that are lost because the others are not read. */
  #lost = 0;
  /** What a write has begun to write and not finished. */
  #rest: Buffer = none;
  #written: Promise<void> | undefined;
  readonly #atExit = (): void => this.#writeNow();

  /** Opens a file to append to, or stdout for `-`. Throws an OptionError if the file cannot be opened. */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#file = path === '-' ? stdout : openSync(path, appending, 0o600);
    } catch (error) {
      const isUnread = (error as NodeJS.ErrnoException).code === 'ENXIO';
      const why = isUnread ? 'nothing reads this pipe (ENXIO): start its reader first' : whyNot(error);
      throw new OptionError(`--audit-log-path: cannot write ${path}: ${why}`);
    }
    process.on('exit', this.#atExit);
  }

  add(line: string): void {
    // A connection that the end of the server has cut.
    if (this.#isClosed && this.#file !== stdout) {
      appendFileSync(this.#path, `${line}\n`);
      return;
    }
    if (this.#length > mostWaiting) {
      if (this.#lost === 0) this.#report(`${this.#path} is not read: what follows is lost until it is`);
      this.#lost += 1;
      return;
    }
    this.#lines.push(line);
    this.#length += line.length;
    this.#written ??= new Promise((resolve) => setImmediate(resolve)).then(() => this.#write());
  }

  /** Writes what is left, as long as it is read, and closes the file. */
  async close(): Promise<void> {
    const waited = pause(lastWait, true, { ref: false });
    while (this.#written !== undefined && (await Promise.race([this.#written, waited])) !== true);
    if (this.#isClosed) return;
    this.#isClosed = true;
    process.off('exit', this.#atExit);
    this.#reportRest();
    if (this.#file !== stdout) closeSync(this.#file);
  }

  async #write(): Promise<void> {
    const bytes = this.#take();
    for (let from = 0; from < bytes.length && !this.#isClosed; ) {
      this.#rest = bytes.subarray(from);
      from += await this.#writeSome(this.#rest);
    }
    if (this.#isClosed) return;
    this.#rest = none;
    this.#written = this.#lines.length === 0 ? undefined : this.#write();
  }

  /** Returns how many bytes are done with: none if a pipe is full, all if nothing can be written. */
  #writeSome(bytes: Buffer): Promise<number> {
    return new Promise((resolve) => {
      write(this.#file, bytes, (error, count) => {
        if (error?.code === 'EAGAIN') {
          setTimeout(resolve, untilRead, 0);
          return;
        }
        if (error) this.#report(whyNot(error));
        resolve(error ? bytes.length : count);
      });
    });
  }

  #take(): Buffer {
    const lines = this.#lines;
    this.#lines = [];
    this.#length = 0;
    if (this.#lost > 0) this.#report(`${this.#lost} events are lost`);
    this.#lost = 0;
    return Buffer.from(lines.map((line) => `${line}\n`).join(''));
  }

  #writeNow(): void {
    try {
      for (this.#rest = Buffer.concat([this.#rest, this.#take()]); this.#rest.length > 0; )
        this.#rest = this.#rest.subarray(writeSync(this.#file, this.#rest));
    } catch {
      this.#reportRest();
    }
  }

  #reportRest(): void {
    const left = this.#rest.length + this.#length;
    if (left > 0) this.#report(`${this.#path} is not read: the last ${left} bytes are lost`);
  }

  #report(why: string): void {
    reportError(`--audit-log-path: ${why}`);
  }
}
