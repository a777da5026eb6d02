// Tokens of the static token file, sent as bearer tokens.
import { type FileUser, tokenUsers } from '../../fixtures/users.js';
import { mapRows, otherEnd, type Setting, type Source, swapCase } from './source.js';

const plain = ({ fixtures }: Setting): string => fixtures.secrets.staticToken.severalGroups;

export const staticToken = {
  good: mapRows(tokenUsers, (user: FileUser, id) => async ({ fixtures }: Setting) => ({
    credential: { token: fixtures.secrets.staticToken[id] },
    user,
  })),
  bad: {
    truncated: async (setting) => ({ token: plain(setting).slice(0, -1) }),
    extended: async (setting) => ({ token: `${plain(setting)}x` }),
    otherCase: async (setting) => ({ token: swapCase(plain(setting)) }),
    userName: async () => ({ token: tokenUsers.severalGroups.name }),
    wholeLine: async (setting) => ({ token: `${plain(setting)},${tokenUsers.severalGroups.name}` }),
    password: async ({ fixtures }) => ({ token: fixtures.secrets.staticPassword.plain }),
    otherEnd: async ({ fixtures }) => ({ token: otherEnd(fixtures.secrets.staticToken.longToken) }),
  },
} satisfies Source;
