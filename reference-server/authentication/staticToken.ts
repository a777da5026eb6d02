// Static token file: CSV of token, user name, user uid and optional groups (Authentication/Mechanisms).
import type { Socket } from 'node:net';
import { readOptionFile } from '../optionValues.js';
import type { Authenticator, User } from './authenticator.js';
import { bearerToken } from './authorization.js';
import { parseCredentials, SecretTable } from './credentialFile.js';

export interface StaticToken {
  readonly token: string;
  readonly user: User;
}

/** The most characters of a token: the server refuses requests with longer headers. */
const longest = 60 * 1024;

/**
 * Reads a token file once: changes need a restart. Throws an OptionError that names the line and the mistake, and
 * quotes no token.
 */
export async function readTokenFile(file: string): Promise<StaticToken[]> {
  const option = '--token-auth-file';
  return parseTokens(await readOptionFile(option, file), `${option}: ${file}`);
}

/** Returns why a text cannot be a token, without the text; undefined if it can. */
export function whyNoToken(token: string): string | undefined {
  if (token === '') return 'is empty';
  if (/\s/.test(token)) return 'has white space, which a header cannot carry';
  if (!/^[\x21-\x7e]*$/.test(token)) return 'has a character that a header cannot carry: write printable ASCII';
  return token.length > longest ? `has more than ${longest} characters, which a header cannot carry` : undefined;
}

/** Parses the text of a token file. `where` begins every error message. Throws OptionError. */
export async function parseTokens(text: string, where: string): Promise<StaticToken[]> {
  const seen = new Set<string>();
  return (await parseCredentials(text, 'token', where)).map(({ secret, user, fail }) => {
    const token = secret.trim();
    const why = whyNoToken(token);
    if (why !== undefined) fail(`the token ${why}`);
    if (seen.has(token)) fail('the token duplicates an earlier line');
    seen.add(token);
    return { token, user };
  });
}

/**
 * Authenticates bearer tokens from a list. Ignores unknown tokens, because other mechanisms accept bearer tokens too.
 */
export function staticToken(tokens: readonly StaticToken[]): Authenticator {
  const users = new SecretTable(tokens.map(({ token, user }) => [token, user]));
  // Most clients send the same header with each request of a connection: a digest costs as much as the rest of this.
  const accepted = new WeakMap<Socket, { readonly header: string | undefined; readonly user: User }>();
  return (request) => {
    // A token that is under review has no connection.
    const socket: Socket | undefined = request.socket;
    const header = request.headers.authorization;
    const last = socket && accepted.get(socket);
    if (last !== undefined && last.header === header) return last.user;
    const token = bearerToken(request);
    const user = token === undefined ? undefined : users.get(token);
    if (user !== undefined && socket !== undefined) accepted.set(socket, { header, user });
    return user;
  };
}
