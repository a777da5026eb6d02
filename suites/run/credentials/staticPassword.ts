// Passwords of the static password file, sent as basic credentials.

import { type FileUser, passwordUsers } from '../../fixtures/users.js';
import type { Credential } from '../../requirements/index.js';
import { mapRows, type Setting, type Source } from './source.js';

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
    otherUsersPassword: async ({ fixtures }) => ({ username, password: fixtures.secrets.staticPassword.spaces }),
    // the password up to its first colon: a server that cuts the password there would accept it
    cutAtColon: async ({ fixtures }) => ({
      username: passwordUsers.colons.name,
      password: fixtures.secrets.staticPassword.colons.split(':')[0] ?? '',
    }),
  },
} satisfies Source;
