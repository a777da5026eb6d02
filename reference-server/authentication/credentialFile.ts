// The CSV files of static credentials. Errors name the line and never quote its content.

import { hash, randomBytes } from 'node:crypto';
import { OptionError } from '../optionValues.js';
import type { User } from './authenticator.js';

/** A line of a credential file: the secret as written, and its user. */
export interface CredentialLine {
  readonly secret: string;
  readonly user: User;
  /** Throws an OptionError about the line. */
  readonly fail: (why: string) => never;
}

/**
 * Parses lines of secret, user name, user id and optional groups (Authentication/Mechanisms). `what` names the secret;
 * `where` begins every error message. Throws an OptionError that names the line and the mistake, and quotes no secret.
 */
export async function parseCredentials(text: string, what: string, where: string): Promise<CredentialLine[]> {
  return (await rows(text, where)).map(({ record, line }) => {
    const [secret = ''] = record;
    const [, name = '', uid = '', groups = ''] = record.map((column) => column.trim());
    const fail = (why: string): never => {
      throw new OptionError(`${where}, line ${line}: ${why}`);
    };
    if (record.length > 4)
      fail(`${record.length} columns, where at most 4 are read: put several groups between quotes`);
    if (record.length < 3) fail(`${record.length} columns, where at least 3 are needed: ${what},user,uid`);
    if (secret === '') fail(`the ${what} is empty`);
    if (name === '') fail('the user name is empty');
    return { secret, user: { name, uid, groups: groupsOf(groups) }, fail };
  });
}

function groupsOf(column: string): string[] {
  return column
    .split(',')
    .map((group) => group.trim())
    .filter((group) => group !== '');
}

async function rows(text: string, where: string): Promise<{ record: string[]; line: number }[]> {
  const alone = text.search(/\r(?!\n)/);
  if (alone !== -1) {
    const line = text.slice(0, alone).split('\n').length;
    throw new OptionError(`${where}, line ${line}: it has a lone CR: end lines with LF, or CR and LF`);
  }
  // Loaded on demand, so that servers without such files start faster.
  const { CsvError, parse } = await import('csv-parse/sync');
  try {
    const parsed = parse(text, {
      bom: true,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
      info: true,
    });
    return (parsed as unknown as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      record,
      line: info.lines,
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === 'number' ? error.lines : '?';
    // The message of the parser quotes the line, which contains a secret.
    throw new OptionError(`${where}, line ${line}: ${faults[error.code] ?? 'not CSV'}`);
  }
}

const faults: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote',
  INVALID_OPENING_QUOTE: 'a quote is in the middle of a column',
};

/** A table of secrets by keyed digest. Digests are unpredictable, so the time of a lookup reveals nothing. */
export class SecretTable<Value> {
  readonly #key = randomBytes(32).toString('base64');
  readonly #values: ReadonlyMap<string, Value>;

  constructor(entries: readonly (readonly [secret: string, value: Value])[]) {
    this.#values = new Map(entries.map(([secret, value]) => [this.#digest(secret), value]));
  }

  get(secret: string): Value | undefined {
    return this.#values.get(this.#digest(secret));
  }

  #digest(secret: string): string {
    return hash('sha256', this.#key + secret, 'base64');
  }
}
