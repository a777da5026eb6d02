// Static password file: CSV of password, user name and user id (Authentication/Mechanisms).
import { readOptionFile } from '../optionFile.js';
import type { Authenticator, User } from './authenticator.js';
import { basicCredentials } from './authorization.js';
import { parseCredentials } from './credentialFile.js';
import { SecretTable } from './secretTable.js';

/** A password and whose it is. */
export interface StaticPassword {
  readonly password: string;
  readonly user: User;
}

/**
 * Reads a password file once: a password changes with a restart only.
 * Throws an OptionError that names the line and what is wrong with it, never a password.
 */
export async function readPasswordFile(file: string): Promise<StaticPassword[]> {
  const option = '--basic-auth-file';
  return parsePasswords(await readOptionFile(option, file), `${option}: ${file}`);
}

/** Parses the text of a password file; groups may stand in a fourth column. `where` opens every error message. */
export async function parsePasswords(text: string, where: string): Promise<StaticPassword[]> {
  const seen = new Set<string>();
  return (await parseCredentials(text, 'password', where)).map(({ secret, user, fail }) => {
    if (user.name.includes(':')) fail('the user name has a colon, which ends it in basic credentials');
    if (seen.has(user.name)) fail('the user stands in an earlier line too');
    seen.add(user.name);
    return { password: secret, user };
  });
}

/** Authenticates basic credentials of a list. Unknown ones are not mine: another mechanism takes passwords too. */
export function staticPassword(passwords: readonly StaticPassword[]): Authenticator {
  // the name ends at the first colon, so that no two pairs make the same text
  const users = new SecretTable(passwords.map(({ password, user }) => [`${user.name}:${password}`, user]));
  return (request) => {
    const credentials = basicCredentials(request);
    return credentials === undefined ? undefined : users.get(`${credentials.username}:${credentials.password}`);
  };
}
