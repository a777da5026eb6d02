// Passwords that the identity service knows, sent as basic credentials.
import { randomBytes } from 'node:crypto';
import { identityUsers } from '../../fixtures/users.js';
import type { IdentityUser } from '../../stand-ins/identityService.js';
import { mapRows, type Setting, type Source } from './source.js';

const username = identityUsers.plain.name;

/** A credential of a new user for whom the identity service returns this response. */
const answered =
  (reply: Omit<IdentityUser, 'password'>) =>
  async ({ backends, sandbox }: Setting) => {
    const password = randomBytes(18).toString('base64url');
    const name = `identity-${randomBytes(6).toString('hex')}`;
    sandbox.client.redactor.add(password);
    await backends.setIdentityUser(name, { password, ...reply });
    return { username: name, password };
  };

export const identityServicePassword = {
  good: mapRows(identityUsers, ({ name }: { readonly name: string }, id) => async ({ fixtures }: Setting) => ({
    credential: { username: name, password: fixtures.secrets.identityServicePassword[id] },
    user: { name, groups: [] },
  })),
  bad: {
    otherPassword: async ({ fixtures }) => ({
      username,
      password: `${fixtures.secrets.identityServicePassword.plain}x`,
    }),
    otherUsersPassword: async ({ fixtures }) => ({ username, password: fixtures.secrets.identityServicePassword.utf8 }),
    unknownUser: async ({ fixtures }) => ({
      username: 'identity-nobody',
      password: fixtures.secrets.identityServicePassword.plain,
    }),
    emptyPassword: async () => ({ username, password: '' }),
    failing: answered({ httpStatus: 500 }),
    confirmingNothing: answered({ httpStatus: 200 }),
    reset: answered({ instead: 'reset' }),
    silence: answered({ instead: 'silence' }),
  },
} satisfies Source;
