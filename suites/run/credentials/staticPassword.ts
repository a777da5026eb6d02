// Passwords of the static password file, sent as basic credentials.

import { type FileUser, passwordUsers, tokenUsers } from '../../fixtures/users.js';
import type { Credential } from '../../requirements/index.js';
import { mapRows, otherEnd, type Setting, type Source, swapCase } from './source.js';

const username = passwordUsers.plain.name;

const as =
  (change: (password: string) => Credential) =>
  async ({ fixtures }: Setting): Promise<Credential> => ({
    username,
    ...change(fixtures.secrets.staticPassword.plain),
  });

export const staticPassword = {
  good: mapRows(passwordUsers, (user: FileUser, id) => async ({ fixtures }: Setting) => ({
    credential: { username: user.name, password: fixtures.secrets.staticPassword[id] },
    user,
  })),
  bad: {
    truncated: as((password) => ({ password: password.slice(0, -1) })),
    extended: as((password) => ({ password: `${password}x` })),
    empty: as(() => ({ password: '' })),
    unknownUser: as((password) => ({ username: 'password-nobody', password })),
    otherCase: as((password) => ({ password: swapCase(password) })),
    otherCaseOfName: as((password) => ({ username: swapCase(username), password })),
    blankBehind: as((password) => ({ password: `${password} ` })),
    blankBehindName: as((password) => ({ username: `${username} `, password })),
    // A server that compares texts of C stops at the zero.
    zeroBehind: as((password) => ({ password: `${password}\0x` })),
    token: async ({ fixtures }) => ({
      username: tokenUsers.severalGroups.name,
      password: fixtures.secrets.staticToken.severalGroups,
    }),
    otherEnd: async ({ fixtures }) => ({
      username: passwordUsers.long.name,
      password: otherEnd(fixtures.secrets.staticPassword.long),
    }),
    otherUsersPassword: async ({ fixtures }) => ({ username, password: fixtures.secrets.staticPassword.spaces }),
    // the password up to its first colon: a server that cuts the password there would accept it
    cutAtColon: async ({ fixtures }) => ({
      username: passwordUsers.colons.name,
      password: fixtures.secrets.staticPassword.colons.split(':')[0] ?? '',
    }),
  },
} satisfies Source;
