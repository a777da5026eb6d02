// Servers that authenticate wrongly: they do not know a user, take the user for another one, or accept every user.

import type { Json, JsonObject } from '../client/json.js';
import { goodCertificates } from '../fixtures/clientCertificates.js';
import { openidUser, passwordUsers, tokenUsers } from '../fixtures/users.js';
import {
  acceptUser,
  authorizationOf,
  overlooksCertificate,
  refuseUser,
  self,
  showing,
  withClaim,
  withToken,
} from '../testing/faults/wire/credentials.js';
import { type Broken, fault, faultsOf, notConformant, overTls, type ServerUsers, type WireRequest } from '../testing/faults/wire/fault.js';
import { change, copy, drop, lowerCase, of, replacing, set, text, valueAt, where } from '../testing/faults/wire/objects.js';
import { after, anyStatus, replace, replies, status } from '../testing/faults/wire/replies.js';
import {
  answer,
  editedJson,
  every,
  failure,
  headed,
  header,
  instead,
  not,
  ok,
  type Requests,
  refuse,
  reroute,
  withHeader,
} from '../testing/faults/wire/requests.js';

const userName = 'status.userInfo.username';
const groups = 'status.userInfo.groups';
const keepsGroups = (keep: (group: Json, index: number) => boolean): Broken =>
  self(change(groups, (all) => (Array.isArray(all) ? all.filter(keep) : all)));

/** The `name:password` of a request; empty for other requests. */
const basicOf = (request: WireRequest): string =>
  Buffer.from(/^Basic (.*)$/.exec(authorizationOf(request))?.[1] ?? '', 'base64').toString('utf8');
/** Requests with a password whose `name:password` begins with a text or matches a pattern. */
const withPassword = (of: string | RegExp) => (request: WireRequest) =>
  typeof of === 'string' ? basicOf(request).startsWith(of) : of.test(basicOf(request));
/** Requests whose `name:password` is that of a user of the file for a server that compares what the edit leaves. */
const alike =
  (edit: (basic: string) => string): Requests =>
  (request, { fixtures }) =>
    edit(basicOf(request)) === edit(`${passwordUsers.plain.name}:${fixtures.secrets.staticPassword.plain}`);
/** Requests with a secret that has the first 72 characters of the one at a path: a token, or a password of a user. */
const isBeginning =
  (path: string, name?: string) =>
  (request: WireRequest, { fixtures }: ServerUsers) => {
    const beginning = String(valueAt(fixtures.secrets, path)).slice(0, 72);
    return name === undefined
      ? authorizationOf(request).startsWith(`Bearer ${beginning}`)
      : basicOf(request).startsWith(`${name}:${beginning}`);
  };
const strangers: Requests = ({ headers }) => ['', 'Bearer a-token-that-nobody-has'].includes(headers.authorization ?? '');
const writesOfStrangers = [not('GET'), strangers];
const severalGroups = withToken('staticToken.severalGroups');
const configMaps = 'GET …/configmaps,';
/** Accepts every request with an Authorization header. */
const everybody = replace(withHeader('authorization', /./), 401, ok());
const isIdToken = withClaim(1, RegExp(openidUser.groups[0]));
/** Changes the credentials of each request. */
const reads = (to: (given: string, request: WireRequest) => string): Broken =>
  instead(every, (request) => headed(request, 'authorization', to(authorizationOf(request), request)));

/** Accepts each credential again that was accepted once. */
function remembers(): Broken {
  const known = new Set<string>();
  return replace(every, anyStatus, (reply, request) => {
    if (reply.status < 300) known.add(authorizationOf(request));
    return reply.status === 401 && known.has(authorizationOf(request)) ? ok() : reply;
  });
}

const impersonate = /^impersonate-(?!user)(?:extra-)?/;

/** Takes a request for one of the user that it names. `read` returns what it reads of the values of a header, and its key. */
function impersonates(read: (values: readonly string[], key: string) => readonly [values: readonly string[], key?: string]): Broken {
  const infoIn = ({ headers }: WireRequest): JsonObject => {
    const named = Object.entries(headers).flatMap(([name, values]) => {
      const [kept, key = decodeURIComponent(name)] = impersonate.test(name) ? read(values.split('\n'), name) : [[]];
      return kept.length === 0 ? [] : [[key.replace(impersonate, ''), kept] as const];
    });
    const { group = [], ...extra } = Object.fromEntries(named);
    return { username: headers['impersonate-user'], groups: [...group, 'system:authenticated'], extra };
  };
  const isNaming = withHeader('impersonate-user', /./);
  return {
    ...instead(isNaming, ({ headers }) => ({
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('impersonate-'))),
    })),
    reply: (reply, request) =>
      isNaming(request)
        ? { ...reply, body: editedJson(reply.body, of('SelfSubjectReview', set('status.userInfo', infoIn(request)))) }
        : reply,
  };
}

/** Takes a request for one of the user that it names, with what is made of the named groups. */
const impersonatesIn = (groupsOf: (groups: readonly string[]) => readonly string[]): Broken =>
  impersonates((values, key) => [key === 'impersonate-group' ? groupsOf(values) : values]);

export const faults = faultsOf('authentication', [
  // All mechanisms
  fault('lets users of the webhook read, and not write', 'every-operation › PUT …/configmaps/{name}', [
    refuse([not('GET'), withToken('webhookTokenReview.plain')], 401),
  ]),
  fault('looks at headers alone', 'several-enabled › clientCertificate', [overlooksCertificate(every)]),
  fault('forbids a user in plain text', 'forbidden-body › staticToken', [
    answer([/^GET \/api\/v1$/, withHeader('authorization', /^Bearer /)], {
      ...{ status: 403, headers: { 'content-type': 'text/plain' } },
      body: 'Forbidden: User "somebody" cannot list this',
    }),
  ]),
  fault('forbids a user in a Status that says something else', 'forbidden-body › staticToken', [
    answer([/^GET \/api\/v1$/, withHeader('authorization', /^Bearer /)], failure(403, 'Unauthorized')),
  ]),
  fault('gives up at a certificate that it cannot verify', 'one-succeeds › staticToken', [refuseUser(showing('foreignAuthority'))]),
  fault('gives up at a JSON Web Token that it cannot verify', 'one-succeeds › clientCertificate', [
    refuseUser([showing('plain'), withClaim(0, /"alg"/)]),
  ]),
  fault('refuses a certificate beside a token of the webhook', 'either-user › staticToken', [
    refuseUser([showing('plain'), withToken('webhookTokenReview.plain')]),
  ]),
  fault('refuses a certificate beside an ID token', 'either-user › staticToken', [refuseUser([showing('plain'), isIdToken])]),
  fault('refuses a certificate beside a password of the identity service', 'either-user › staticPassword', [
    refuseUser([showing('plain'), withPassword('identity-')]),
  ]),
  fault('makes one user of two', 'either-user › staticToken', [self(set(userName, 'both'))]),
  fault('gives a user the groups of two', 'either-user › staticToken', [
    self(change(groups, (all) => [...(all as Json[]), ...tokenUsers.oneGroup.groups, ...goodCertificates.plain.organizations])),
  ]),
  fault('gives a user the uid of another one', 'either-user › staticPassword', [
    self(where(userName, goodCertificates.plain.commonName, set('status.userInfo.uid', passwordUsers.plain.uid))),
    self(where(userName, passwordUsers.plain.name, drop('status.userInfo.uid'))),
  ]),
  fault('knows no names beyond ASCII', 'opaque-attributes › staticToken, utf8', [self(text(userName, replacing(/[^ -~]/g, '?')))]),
  fault('answers odd users otherwise', 'opaque-attributes › staticToken, markup', [refuse(withToken('staticToken.markup'), 403)]),
  fault('passes no extra attributes on', 'opaque-attributes › webhookTokenReview, odd', [self(drop('status.userInfo.extra'))]),
  fault('answers 500 where it does not know', `refused › ${configMaps}`, [status(every, 401, 500)]),
  ...Object.entries({
    watch: /[?&]watch=/,
    log: /\/log$/,
    proxy: /\/proxy\//,
    connection: /\/exec\?/,
  }).map(([what, which]) =>
    fault(`lets strangers in by a ${what}`, `refused-anywhere › server, a ${what}`, [acceptUser([which, strangers])]),
  ),
  fault('answers a HEAD as a GET before it looks who asks', 'refused-anywhere › server, a HEAD', [
    acceptUser(['HEAD', strangers]),
    instead('HEAD', () => ({ method: 'GET' })),
  ]),
  ...['a second slash', 'dots'].map((what) =>
    fault(`tidies a path after it has let the client in, ${what}`, `refused-anywhere › server, ${what}`, [
      acceptUser([/ (\/healthz\/\.\.|\/\/)/, strangers]),
      reroute(every, /^(\/healthz\/\.\.|\/(?=\/))/, ''),
    ]),
  ),
  fault('believes every client to be its proxy', 'refused-anywhere › server, a user', [acceptUser(withHeader('x-remote-user', /./))]),
  fault('forbids where it does not know', `refused-401 › ${configMaps}`, [status(every, 401, 403)]),
  fault('does what it is asked before it looks who asks', 'refused-without-effect › server, ', [
    acceptUser(writesOfStrangers),
    replace(writesOfStrangers, anyStatus, 401),
  ]),
  fault('tells strangers what is not there', 'refused-before-path › server, ', [refuse(/^\S+ .*(nosuch|\/v9\/)|^\S+ \/no\//, 404)]),
  fault('knows no group of all', 'authenticated-group › staticToken', [keepsGroups((group) => group !== 'system:authenticated')]),
  fault('counts users among the unknown too', 'authenticated-group › staticToken', [
    self(change(groups, (all) => [...(all as Json[]), 'system:unauthenticated'])),
  ]),
  fault('reads schemes in one spelling', 'scheme-case › static', [refuseUser(not(withHeader('authorization', /^(Bearer|Basic) /)))]),
  fault('takes every scheme for Bearer', 'other-scheme › server, Token', [reads(replacing(/^\S+ /, 'Bearer '))]),
  fault('lets in who shows nothing', 'empty-value › server, ', [
    acceptUser(({ headers }) => /^(Bearer|Basic)?\s*$/.test(headers.authorization ?? 'none')),
  ]),
  fault('answers what it cannot read', 'control-characters › server, ', [{ unread: 'HTTP/1.1 200 OK\r\n\r\n' }]),
  fault('answers what it has not read', 'oversized › server, ', [{ unread: 'HTTP/1.1 200 OK\r\n\r\n' }]),
  fault('takes the last of two headers', 'two-headers › staticToken', [reads((_, { authorizations }) => authorizations.at(-1) ?? '')]),
  fault('repeats what it was shown', 'no-leak › server, ', [
    replies(every, 401, (_, request) => ({ body: `${authorizationOf(request)} is not known` })),
  ]),
  fault('traces requests with their headers', 'no-leak › server, ', [
    instead('TRACE', ({ headers }) => ({ ...ok(headers), headers: { 'content-type': 'message/http' } })),
  ]),
  // Static token file
  fault('does not know a token of its file', 'token token-groups token-identity in › staticToken, severalGroups', [
    refuseUser(severalGroups),
  ]),
  fault('takes the name of a user for the uid', 'token-identity in › staticToken, oneGroup', [self(copy('status.userInfo.uid', userName))]),
  fault('knows no groups', 'token-group in › staticToken, oneGroup', [keepsGroups((group) => group !== tokenUsers.oneGroup.groups[0])]),
  fault('knows one group of several', 'token-groups in › staticToken, severalGroups', [keepsGroups((_, index) => index !== 1)]),
  fault('gives a user the groups of the line before', 'token-group in › staticToken, oneGroup', [
    self(change(groups, (all) => (Array.isArray(all) ? [...all, ...tokenUsers.severalGroups.groups] : all))),
  ]),
  fault('gives every user the rights of its administrator', 'token-groups in › staticToken, severalGroups', [
    self(change(groups, (all) => (Array.isArray(all) ? [...all, ...tokenUsers.admin.groups] : all))),
  ]),
  fault('knows two groups of three', 'token-groups in › staticToken, severalGroups', [keepsGroups((group) => group !== 'token-group-3')]),
  fault('forgets a token that leaves its file', 'token-lasting', [refuseUser(severalGroups)]),
  fault('forgets a password that leaves its file', 'password-lasting', [refuseUser(withPassword(`${passwordUsers.plain.name}:`))]),
  fault('accepts anyone who sends a token', 'token-restart token-similar token-truncated in .token-', [everybody]),
  fault('refuses a header of more than 6 KiB', 'token token-identity in › staticToken, longToken', [
    refuseUser(({ headers }) => (headers.authorization ?? '').length > 6_144),
  ]),
  fault('takes each token of three parts for a JSON Web Token', 'token token-identity in › staticToken, oddToken', [
    refuseUser(withHeader('authorization', /^Bearer (?!eyJ)[^.]+\.[^.]+\.[^.]+$/)),
  ]),
  fault('compares the beginning of a long token', 'token-similar › staticToken, otherEnd', [
    acceptUser(isBeginning('staticToken.longToken')),
  ]),
  fault('has one table of secrets, and looks in it for tokens', 'token-similar › staticToken, password', [
    acceptUser((request, { fixtures }) =>
      Object.values(fixtures.secrets.staticPassword).some((secret) => authorizationOf(request) === `Bearer ${secret}`),
    ),
  ]),
  // Static password file
  fault('takes the token of a user for a password', 'password-wrong › staticPassword, token', [
    acceptUser((request, { fixtures }) =>
      Object.values(fixtures.secrets.staticToken).some((secret) => basicOf(request).endsWith(`:${secret}`)),
    ),
  ]),
  fault('ends a password at a zero byte', 'password-wrong › staticPassword, zeroBehind', [acceptUser(alike(replacing(/\0.*/, '')))]),
  fault('does not know a password of its file', 'password password-identity in › staticPassword, plain', [
    refuseUser(withPassword(`${passwordUsers.plain.name}:`)),
  ]),
  fault('splits at the last colon', 'opaque-attributes password password-colon password-identity in › staticPassword, colons', [
    refuseUser(withPassword(`${passwordUsers.colons.name}:`)),
  ]),
  fault('reads ASCII alone', 'password-utf8 in › staticPassword, utf8', [refuseUser(withPassword(/[^ -~]/))]),
  fault('accepts anyone who sends a password', 'password-cut-at-colon password-malformed password-restart password-wrong in .password-', [
    everybody,
  ]),
  fault('compares passwords in lower case', 'password-wrong › staticPassword, otherCase', [acceptUser(alike(replacing(/:.*/, lowerCase)))]),
  fault('compares the names of users in lower case', 'password-wrong › staticPassword, otherCaseOfName', [
    acceptUser(alike(replacing(/^[^:]*/, lowerCase))),
  ]),
  fault('does not mind blanks around a password', 'password-wrong › staticPassword, blankBehind', [
    acceptUser(alike(replacing(/ +$/, ''))),
  ]),
  fault('does not mind blanks around the name of a user', 'password-wrong › staticPassword, blankBehindName', [
    acceptUser(alike(replacing(/ +:/, ':'))),
  ]),
  fault('compares the beginning of a long password', 'password-wrong › staticPassword, otherEnd', [
    acceptUser(isBeginning('staticPassword.long', passwordUsers.long.name)),
  ]),
  fault('reads a password that is not encoded', 'password-malformed › staticPassword, no base64', [
    notConformant,
    reads(replacing(/^Basic (.*:.*)$/, (_, given: string) => `Basic ${Buffer.from(given).toString('base64')}`)),
  ]),
  fault('wants no password of a user whom it knows', 'password-malformed › staticPassword, no colon', [
    notConformant,
    acceptUser(withPassword(/^[a-z][^:]*$/)),
  ]),
  // Other users
  fault('looks at no Impersonate-User', 'impersonation › server, a user', [header(every, 'impersonate-user', undefined)]),
  ...Object.entries({
    'runs as the named user without the named groups': impersonates(() => [[]]),
    'takes the first of several named groups': impersonatesIn((all) => all.slice(0, 1)),
    'takes the last of several named groups': impersonatesIn((all) => all.slice(-1)),
    'joins several named groups': impersonatesIn((all) => [all.join(', ')]),
    'takes one value of an extra attribute': impersonates((values, key) => [key.includes('extra') ? values.slice(0, 1) : values]),
    'does not decode the keys of extra attributes': impersonates((values, key) => [values, key]),
  }).map(([what, broken]) => fault(what, 'impersonation › server, a user with', [broken])),
  fault('takes nobody whom a request names for a user', 'impersonation › server, a user', [
    impersonates((values) => [values]),
    keepsGroups((group) => group !== 'system:authenticated'),
  ]),
  fault('forgets the groups of a service account', 'impersonation › server, a service account', [impersonates((values) => [values])]),
  fault('is itself where a group alone is named', 'impersonation › server, a group alone', [header(every, 'impersonate-group', undefined)]),
  fault('lets every user act as another one', 'impersonation › server, an administrator', [
    refuse([/ \/api\/v1\/nodes$/, withHeader('authorization', /^Bearer eyJ/), not(withHeader('impersonate-user', /./))], 403),
    header(every, 'impersonate-user', undefined),
    header(every, 'impersonate-group', undefined),
  ]),
  // OpenID Connect
  fault('knows an ID token for good that it knew once', 'openid-expired-later', [remembers()]),
  fault(
    'knows no ID tokens',
    `openid openid-algorithms openid-authorized-party openid-claims openid-expired-later openid-rotation openid-user-name in .openid`,
    [refuseUser(withClaim(1, RegExp(openidUser.sub)))],
  ),
  fault(
    'accepts anyone who sends an ID token',
    'openid-audience openid-expired openid-expired-later openid-issuer openid-signature openid-unsigned openid-without-name in .openid-',
    [everybody],
  ),
  fault('knows an issuer by the beginning of its URL', 'openid-issuer › openidConnect, similar', [
    acceptUser(withClaim(1, /"iss":"[^"]*\/"/)),
  ]),
  fault('looks at the first audience alone', 'openid-authorized-party › openidConnect', [
    refuseUser(withClaim(1, /"aud":\["another-client"/)),
  ]),
  fault('finds its name in that of another audience', 'openid-audience › openidConnect, similar', [
    acceptUser(withClaim(1, /"aud":\["kube-api-conformance-2"/)),
  ]),
  fault('takes the authorized party for the audience', 'openid-audience › openidConnect, authorizedPartyAlone', [
    acceptUser(withClaim(1, /"azp":"kube-api-conformance"/)),
  ]),
  fault('verifies a token with the key that it brings along', 'openid-signature › openidConnect, keyInHeader', [
    acceptUser(withClaim(0, /"jwk"/)),
  ]),
  fault('knows the algorithm none in lower case alone', 'openid-unsigned › openidConnect, NONE', [acceptUser(withClaim(0, /"NONE"/))]),
  fault('lets in for ever who says no end', 'openid-expired › openidConnect, noExpiry', [
    acceptUser((request) => isIdToken(request) && !withClaim(1, /"exp"/)(request)),
  ]),
  fault('calls users undefined who have no name', 'openid-without-name', [
    acceptUser((request) => isIdToken(request) && !withClaim(1, /"sub"/)(request)),
  ]),
  fault('takes the subject for the name', 'openid-user-name › openidConnect, rs256', [self(set(userName, openidUser.sub))]),
  fault('knows no groups of ID tokens', 'openid-claims › openidConnect, oneGroup', [self(set(groups, ['system:authenticated']))]),
  fault('knows two groups of three of an ID token', 'openid-claims › openidConnect, rs256', [
    keepsGroups((group) => group !== 'openid-group-3'),
  ]),
  fault('goes down with its issuer', 'openid-issuer-down › openidConnect', [after(withClaim(0, /"unpublished"/), refuseUser(every))]),
  // Identity service
  fault('asks no identity service', 'identity-service identity-service-asked in › identityServicePassword, plain', [
    refuseUser(withPassword('identity-')),
  ]),
  fault('takes every answer of the identity service for a yes', 'identity-service-refused › identityServicePassword, confirmingNothing', [
    everybody,
  ]),
  fault('asks the identity service with its own password', 'identity-service-asked › identityServicePassword, colons', [
    acceptUser(withPassword('identity-colons:')),
  ]),
  fault('reads passwords for the identity service as ASCII', 'identity-service-utf8 › identityServicePassword, utf8', [
    refuseUser(withPassword(/[^ -~]/)),
  ]),
  fault(
    'accepts anyone who sends a password to the identity service',
    'identity-service-down identity-service-refused in .identity-service-',
    [everybody],
  ),
]).map(overTls);
