// Static password file: CSV of password, user name and user id (Authentication/Mechanisms).
import { readOptionFile } from '../optionValues.js';
import type { Authenticator, User } from './authenticator.js';
import { basicCredentials } from './authorization.js';
import { parseCredentials, SecretTable } from './credentialFile.js';

export interface StaticPassword {
  readonly password: string;
  readonly user: User;
}

/**
 * Reads a password file once: changes need a restart. Throws an OptionError that names the line and the mistake, and
 * quotes no password.
 */
export async function readPasswordFile(file: string): Promise<StaticPassword[]> {
  const option = '--basic-auth-file';
  return parsePasswords(await readOptionFile(option, file), `${option}: ${file}`);
}

/**
 * Parses the text of a password file. A fourth column may have groups. `where` begins every error message. Throws
 * OptionError.
 */
export async function parsePasswords(text: string, where: string): Promise<StaticPassword[]> {
  const seen = new Set<string>();
  return (await parseCredentials(text, 'password', where)).map(({ secret, user, fail }) => {
    if (user.name.includes(':')) fail('the user name has a colon, which ends it in basic credentials');
    if (seen.has(user.name)) fail('the user duplicates an earlier line');
    seen.add(user.name);
    return { password: secret, user };
  });
}

/**
 * Authenticates basic credentials from a list. Ignores unknown credentials, because another mechanism accepts passwords
 * too.
 */
export function staticPassword(passwords: readonly StaticPassword[]): Authenticator {
  // A name has no colon, so no two pairs form the same text.
  const users = new SecretTable(passwords.map(({ password, user }) => [`${user.name}:${password}`, user]));
  return (request) => {
    const credentials = basicCredentials(request);
    return credentials === undefined ? undefined : users.get(`${credentials.username}:${credentials.password}`);
  };
}
