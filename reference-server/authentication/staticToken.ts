// Static token file: CSV of token, user name, user uid and optional groups (Authentication/Mechanisms).
import { hash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { OptionError } from '../optionError.js';
import type { Authenticator, User } from './authenticator.js';
import { bearerToken } from './authorization.js';

/** A token and who it stands for. */
export interface StaticToken {
  readonly token: string;
  readonly user: User;
}

/**
 * Reads a token file once: the list changes with a restart only.
 * Throws an OptionError that names the line and what is wrong with it, never a token.
 */
export async function readTokenFile(file: string): Promise<StaticToken[]> {
  const option = '--token-auth-file';
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new OptionError(`${option}: ${error.message}`);
  });
  return parseTokens(text, `${option}: ${file}`);
}

/** Parses the text of a token file; `where` opens every error message. */
export function parseTokens(text: string, where: string): StaticToken[] {
  const seen = new Set<string>();
  return rows(text, where).map(({ record, line }) => {
    const [token = '', name = '', uid = '', groups = ''] = record;
    const fail = (why: string): never => {
      throw new OptionError(`${where}, line ${line}: ${why}`);
    };
    if (record.length < 3) fail(`${record.length} columns, where at least 3 are needed: token,user,uid`);
    if (token === '') fail('the token is empty');
    if (/\s/.test(token)) fail('the token has white space, which a header cannot carry');
    if (name === '') fail('the user name is empty');
    if (seen.has(token)) fail('the token stands in an earlier line too');
    seen.add(token);
    const user = {
      name,
      uid,
      groups: groups
        .split(',')
        .map((group) => group.trim())
        .filter((group) => group !== ''),
    };
    return { token, user };
  });
}

/**
 * Authenticates bearer tokens of a list. Tokens are looked up by keyed digest, so that the time of a lookup says
 * nothing about a token; an unknown token is not mine and bad: other mechanisms take bearer tokens too.
 */
export function staticToken(tokens: readonly StaticToken[]): Authenticator {
  const key = randomBytes(32).toString('base64');
  const digest = (token: string) => hash('sha256', key + token, 'base64');
  const users = new Map(tokens.map(({ token, user }) => [digest(token), user]));
  return (request) => {
    const token = bearerToken(request);
    return token === undefined ? undefined : users.get(digest(token));
  };
}

function rows(text: string, where: string): { record: string[]; line: number }[] {
  try {
    const parsed = parse(text, {
      bom: true,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      info: true,
    });
    return (parsed as unknown as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      record,
      line: info.lines,
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === 'number' ? error.lines : '?';
    // the message of the parser quotes the line, and with it a token
    throw new OptionError(`${where}, line ${line}: ${faults[error.code] ?? 'not CSV'}`);
  }
}

const faults: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote',
  INVALID_OPENING_QUOTE: 'a quote stands in the middle of a column',
};
