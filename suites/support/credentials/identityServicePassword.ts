// Passwords that the identity service knows: shown as basic credentials.
import { randomBytes } from 'node:crypto';
import { identityUsers } from '../../fixtures/users.js';
import type { IdentityUser } from '../../stand-ins/identityService.js';
import { mapped, type Setting, type Source } from './source.js';

const username = identityUsers.plain.name;

/** A user of its own that the service answers so. */
const answered =
  (reply: Omit<IdentityUser, 'password'>) =>
  async ({ standIns, scope }: Setting) => {
    const password = randomBytes(18).toString('base64url');
    const name = `identity-${randomBytes(6).toString('hex')}`;
    scope.client.redactor.add(password);
    await standIns.setIdentityUser(name, { password, ...reply });
    return { username: name, password };
  };

export const identityServicePassword = {
  good: mapped(identityUsers, ({ name }: { readonly name: string }, id) => async ({ fixtures }: Setting) => ({
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
    reset: answered({ instead: 'reset' }),
    silence: answered({ instead: 'silence' }),
  },
} satisfies Source;
