// ID tokens of the OpenID Connect issuer, sent as bearer tokens.

import { openidClaims, standInUrl } from '../../fixtures/fixtures.js';
import { openidUser } from '../../fixtures/users.js';
import { eventually } from '../../objects/eventually.js';
import type { BackendControl } from '../../stand-ins/control.js';
import type { IdTokenRequest } from '../../stand-ins/idTokens.js';
import type { GoodCredential, Setting, Source } from './source.js';

/** Milliseconds that a server may take to find its issuer: some servers try every ten seconds. */
const timeout = 15_000;

const found = new WeakMap<BackendControl, Promise<void>>();

/** Waits until the server has found its issuer, or the time is over: such a server refuses every ID token before. */
export async function untilIssuerIsFound(setting: Setting): Promise<void> {
  const { backends } = setting;
  const known = found.get(backends) ?? findIssuer(setting);
  found.set(backends, known);
  known.catch(() => found.delete(backends));
  await known;
}

async function mint(setting: Setting, request: IdTokenRequest): Promise<string> {
  const { backends, sandbox } = setting;
  await untilIssuerIsFound(setting);
  const token = await backends.mintIdToken({
    ...request,
    claims: { ...openidClaims(setting.fixtures), ...request.claims },
  });
  sandbox.client.redactor.add(token);
  return token;
}

/** Waits until the server accepts an ID token or the time is over. The checks judge the outcome. */
async function findIssuer({ backends, fixtures, sandbox }: Setting): Promise<void> {
  const token = await backends.mintIdToken({ claims: openidClaims(fixtures) });
  const ask = () => sandbox.client.send({ method: 'GET', path: '/version', as: { token } });
  await eventually(ask, ({ status }) => status !== 401, timeout);
}

const good =
  (request: IdTokenRequest, groups: readonly string[] = openidUser.groups) =>
  async (setting: Setting): Promise<GoodCredential> => {
    const { usernameClaim } = setting.fixtures.openidConnect;
    const name =
      usernameClaim === undefined ? `${standInUrl(setting.fixtures, 'oidcIssuer')}#${openidUser.sub}` : openidUser.sub;
    return { credential: { token: await mint(setting, request) }, user: { name, groups } };
  };

const bad =
  (request: IdTokenRequest) =>
  async (setting: Setting): Promise<{ token: string }> => {
    return { token: await mint(setting, request) };
  };

const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3600;

/** Returns a token that is valid until that time, in seconds since 1970. */
export const idTokenUntil = (setting: Setting, exp: number): Promise<string> => mint(setting, { claims: { exp } });

export const openidConnect = {
  good: {
    rs256: good({ algorithm: 'RS256' }),
    es256: good({ algorithm: 'ES256' }),
    ps256: good({ algorithm: 'PS256' }),
    oneGroup: good({ claims: { groups: 'openid-group-1' } }, ['openid-group-1']),
    noGroups: good({ claims: { groups: null } }, []),
    oddGroups: good({ claims: { groups: ['a group, with a comma', 'größe', '#'] } }, [
      'a group, with a comma',
      'größe',
      '#',
    ]),
    authorizedParty: async (setting) => {
      const aud = ['another-client', setting.fixtures.openidConnect.clientId, 'a-third-client'];
      return await good({ claims: { aud, azp: 'another-client' } })(setting);
    },
  },
  bad: {
    otherIssuer: bad({ claims: { iss: 'https://issuer.example' } }),
    similarIssuer: (setting) => bad({ claims: { iss: `${standInUrl(setting.fixtures, 'oidcIssuer')}/` } })(setting),
    otherAudience: bad({ claims: { aud: 'another-client' } }),
    noAudience: bad({ claims: { aud: null } }),
    similarAudience: async (setting) => {
      const { clientId } = setting.fixtures.openidConnect;
      return await bad({ claims: { aud: [`${clientId}-2`, `another-${clientId}`] } })(setting);
    },
    authorizedPartyAlone: (setting) =>
      bad({ claims: { aud: 'another-client', azp: setting.fixtures.openidConnect.clientId } })(setting),
    expired: bad({ lifetime: -3600 }),
    noExpiry: bad({ claims: { exp: null } }),
    nameless: async (setting) => {
      const { usernameClaim = 'sub' } = setting.fixtures.openidConnect;
      return await bad({ claims: { [usernameClaim]: null } })(setting);
    },
    notYetValid: async (setting) => await bad({ lifetime: 7200, claims: { nbf: inAnHour() } })(setting),
    otherSignature: bad({ broken: 'signature' }),
    otherPayload: bad({ broken: 'payload' }),
    none: bad({ broken: 'none' }),
    NONE: bad({ broken: 'NONE' }),
    publicKeyAsSecret: bad({ broken: 'public-key-as-secret' }),
    foreignKey: bad({ broken: 'foreign-key' }),
    unknownKey: bad({ broken: 'unknown-key' }),
    keyInHeader: bad({ broken: 'key-in-header' }),
    truncated: async (setting) => ({ token: (await mint(setting, {})).slice(0, -8) }),
  },
} satisfies Source;
