// The requests to the remote service: a review of each bearer token, and none for other requests.

import { randomBytes } from 'node:crypto';
import { equal, fail, Prerequisite, status, Unchecked } from '../client/expect.js';
import { at } from '../client/json.js';
import { NoAnswer } from '../client/reply.js';
import { accepted, rejected } from '../run/acceptance.js';
import { anyRequest } from '../run/anonymousAccess.js';
import type { Context } from '../run/context.js';
import { settingOf } from '../run/credentialChecks.js';
import { group } from '../run/group.js';
import type { ReceivedCall } from '../stand-ins/secureServer.js';
import {
  askAnswered,
  askReviewed,
  callsAbout,
  newToken,
  reviewedToken,
  reviewPath,
  somebody,
  tokenAnswered,
} from './reviewer.js';

/** The user name in the client certificate of the target, by the configuration of the fixtures. */
const webhookClient = 'webhook-client';

/** Returns a token of a certain form, made from a random one. */
const shapes: Readonly<Record<string, (core: string) => string>> = {
  'a plain token': (core) => core,
  'a token of odd characters': (core) => `-._~+/${core}==`,
  'a long token': (core) => core + 'x'.repeat(4_000),
  'a token of three parts': (core) => `${encoded({ alg: 'RS256' })}.${encoded({ iss: 'nobody', sub: core })}.${core}`,
};

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Credentials without a token. Their texts are in no other request. */
const tokenless: Readonly<Record<string, (context: Context) => Parameters<Context['client']['send']>[0]['as']>> = {
  'a user and a password': ({ client }) => {
    const [username, password] = [`nobody-${randomBytes(6).toString('hex')}`, randomBytes(12).toString('hex')];
    client.redactor.add(password);
    return { username, password };
  },
  'a client certificate': (context) => settingOf(context).fixtures.clientCertificates.foreignAuthority,
  'no credentials': () => 'none',
};

/** A token, the version of the reviews that the target sends, and its calls about the token. */
interface Requests {
  readonly token: string;
  readonly apiVersion: string;
  readonly calls: readonly ReceivedCall[];
}

/** Returns a check of every call about the token. */
const eachCall =
  (check: (call: ReceivedCall, record: Requests) => void) =>
  (record: Requests): void => {
    if (record.calls.length === 0) fail('the remote service was not asked about the token');
    for (const call of record.calls) check(call, record);
  };

export const requestGroups = [
  group({
    subjects: 'webhookRequests',
    setup: async ({ variant = '' }, context) => {
      const core = newToken(context);
      const token = shapes[variant]?.(core) ?? core;
      context.client.redactor.add(token);
      await settingOf(context).backends.setReview(token, { authenticated: true, user: somebody });
      await askReviewed(context, token);
      const apiVersion = `authentication.${context.run.target.domains.authentication}/v1beta1`;
      return { token, apiVersion, calls: await callsAbout(context, core) };
    },
    checks: {
      request: eachCall((call) => {
        equal(call.method, 'POST', 'method of the request');
        if (call.body === undefined) fail('the body of the request is not JSON');
      }),
      'request-api-version': eachCall(({ body }, { apiVersion }) =>
        equal(at(body, 'apiVersion'), apiVersion, 'apiVersion of the request'),
      ),
      'request-kind': eachCall(({ body }) => equal(at(body, 'kind'), 'TokenReview', 'kind of the request')),
      'request-media-type': eachCall(({ headers }) => {
        const type = String(headers['content-type'] ?? 'none');
        equal(type.replace(/;.*/, '').trim().toLowerCase(), 'application/json', 'Content-Type of the review');
      }),
      'request-token': eachCall((call, { token }) => {
        if (reviewedToken(call) !== token) fail('spec.token of the request is not the bearer token as it was sent');
      }),
      'configured-service': eachCall(({ path }) => equal(path, reviewPath, 'path of the request')),
      'client-certificate': eachCall(({ clientCertificate }) =>
        equal(clientCertificate ?? '', webhookClient, 'common name of the client certificate'),
      ),
    },
  }),
  group({
    subjects: 'requestsWithoutToken',
    setup: async ({ variant = '' }, context) => {
      const { backends } = settingOf(context);
      const token = await tokenAnswered(context, { authenticated: true, user: somebody });
      await askReviewed(context, token);
      if ((await callsAbout(context, token)).length === 0) throw new Prerequisite('the webhook is not asked at all');
      const as = tokenless[variant]?.(context);
      await context.client.send({ ...anyRequest, ...(as && { as }) }).catch((error: unknown) => {
        // The handshake may fail because of an unknown certificate.
        if (!(error instanceof NoAnswer && variant === 'a client certificate')) throw error;
      });
      const { username = '', password = '' } = typeof as === 'object' ? as : {};
      const pair = Buffer.from(`${username}:${password}`).toString('base64');
      const texts = username === '' ? [] : [username, password, pair];
      const calls = await backends.calls('webhookReviewer');
      return calls.filter((call) => !reviewedToken(call) || texts.some((text) => call.text.includes(text)));
    },
    checks: {
      'not-challenged': (calls) => {
        if (calls.length > 0)
          fail(`the remote service was asked about ${calls.length} requests without a bearer token`);
      },
    },
  }),
  group({
    subjects: 'foreignReviewer',
    setup: async (_, context) => {
      const { backends } = settingOf(context);
      const good = { authenticated: true, user: somebody };
      const token = await tokenAnswered(context, good);
      await backends.showCertificate('webhookReviewer', 'foreign');
      const reply = await askReviewed(context, token).finally(() => backends.showCertificate('webhookReviewer', 'own'));
      return { reply, calls: await callsAbout(context, token), after: await askAnswered(context, good) };
    },
    checks: {
      'service-verified': ({ reply, calls, after }) => {
        accepted(after);
        rejected(reply);
        if (calls.length > 0) fail('a remote service of another authority was told the token');
      },
    },
  }),
  group({
    subjects: 'enabledGroup',
    setup: async (_, context) => {
      const group = `/apis/authentication.${context.run.target.domains.authentication}`;
      const absent = context.run.target.notSupported.find(({ capability }) =>
        /^(group|resource):authentication/.test(capability),
      );
      return {
        absent: absent?.reason,
        versions: await context.client.send({ method: 'GET', path: group }),
        reply: await askAnswered(context, { authenticated: true, user: somebody }),
      };
    },
    checks: {
      'group-enabled': ({ versions, reply, absent }) => {
        if (absent !== undefined) throw new Unchecked('not-supported', absent);
        status(versions, 200);
        const served = at(versions.tryValue(), 'versions');
        const names = Array.isArray(served) ? served.map((each) => at(each, 'version')) : [];
        if (!names.includes('v1beta1')) fail(`${versions.request}: v1beta1 is not among ${names.join(', ')}`);
        accepted(reply);
      },
    },
  }),
];
