// The file of the audit log: lines in their order, many in one write. Nothing is lost when the process ends.
import { appendFileSync, closeSync, openSync, write, writeSync } from 'node:fs';
import { whyNot } from '../../../matrix/api/fileFailure.js';
import { OptionError } from '../../optionValues.js';
import { reportError } from '../../statusError.js';

const stdout = 1;
const none = Buffer.alloc(0);

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
  /** What a write has begun to write and not finished. */
  #rest: Buffer = none;
  #written: Promise<void> | undefined;
  readonly #atExit = (): void => this.#writeNow();

  /** Opens a file to append to, or stdout for `-`. Throws an OptionError if the file cannot be opened. */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#file = path === '-' ? stdout : openSync(path, 'a', 0o600);
    } catch (error) {
      throw new OptionError(`--audit-log-path: cannot write ${path}: ${whyNot(error)}`);
    }
    process.on('exit', this.#atExit);
  }

  add(line: string): void {
    // A connection that the end of the server has cut.
    if (this.#isClosed && this.#file !== stdout) {
      appendFileSync(this.#path, `${line}\n`);
      return;
    }
    this.#lines.push(line);
    this.#written ??= new Promise((resolve) => setImmediate(resolve)).then(() => this.#write());
  }

  /** Writes what is left, and closes the file. */
  async close(): Promise<void> {
    while (this.#written !== undefined) await this.#written;
    if (this.#isClosed) return;
    this.#isClosed = true;
    process.off('exit', this.#atExit);
    if (this.#file !== stdout) closeSync(this.#file);
  }

  async #write(): Promise<void> {
    const bytes = this.#take();
    for (let from = 0; from < bytes.length; ) {
      this.#rest = bytes.subarray(from);
      from += await new Promise<number>((resolve) => {
        write(this.#file, this.#rest, (error, count) => {
          if (error) reportError(new Error(`--audit-log-path: ${whyNot(error)}`));
          resolve(error ? bytes.length : count);
        });
      });
    }
    this.#rest = none;
    this.#written = this.#lines.length === 0 ? undefined : this.#write();
  }

  #take(): Buffer {
    const lines = this.#lines;
    this.#lines = [];
    return Buffer.from(lines.map((line) => `${line}\n`).join(''));
  }

  #writeNow(): void {
    writeSync(this.#file, Buffer.concat([this.#rest, this.#take()]));
  }
}
