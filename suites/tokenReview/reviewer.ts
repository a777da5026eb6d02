// The reviewer of the target, as the checks use it: new tokens, their reviews, and the calls about them.
import { randomBytes } from 'node:crypto';
import { at } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import { standInPaths } from '../fixtures/fixtures.js';
import { identified } from '../run/acceptance.js';
import { anyRequest } from '../run/anonymousAccess.js';
import type { Context } from '../run/context.js';
import { settingOf } from '../run/credentialChecks.js';
import type { ReceivedCall } from '../stand-ins/secureServer.js';
import type { ReviewedUser, ReviewReply } from '../stand-ins/webhookReviewer.js';

export const reviewPath = standInPaths.webhookReviewer;

/** The user of a token, where the user does not matter. */
export const somebody: ReviewedUser = {
  username: 'webhook-somebody',
  uid: 'uid-webhook-somebody',
  groups: ['webhook-group-1'],
};

export function newToken({ client }: Context): string {
  const token = randomBytes(18).toString('base64url');
  client.redactor.add(token);
  return token;
}

/** Returns a new JSON Web Token of an issuer that the target does not know. */
export function foreignToken({ client }: Context): string {
  const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = { iss: 'https://issuer.example', sub: 'other-user', exp: Math.floor(Date.now() / 1000) + 3_600 };
  const signature = randomBytes(64).toString('base64url');
  const token = [encoded({ alg: 'ES256', typ: 'JWT' }), encoded(claims), signature].join('.');
  client.redactor.add(token);
  return token;
}

/** Returns a new token for whose reviews the service returns this reply. */
export async function tokenAnswered(context: Context, reply: ReviewReply, token = newToken(context)): Promise<string> {
  await settingOf(context).backends.setReview(token, reply);
  return token;
}

/** Sends a harmless request with a token. `deadline` is in milliseconds. */
export async function askReviewed(context: Context, token: string, deadline?: number): Promise<Reply> {
  const call = { ...anyRequest, as: { token } };
  const reply = await context.client.send(deadline === undefined ? call : { ...call, deadline });
  return await identified(context, { token }, reply);
}

export function callsAbout(context: Context, token: string): Promise<readonly ReceivedCall[]> {
  return settingOf(context).backends.calls('webhookReviewer', token);
}

/** Sends a request with a new token for which the service returns this reply. */
export async function askAnswered(context: Context, reply: ReviewReply): Promise<Reply> {
  return await askReviewed(context, await tokenAnswered(context, reply));
}

/** Returns a review as a text, with these fields changed. */
export function reviewText({ run }: Context, change: Readonly<Record<string, unknown>>): string {
  const apiVersion = `authentication.${run.target.domains.authentication}/v1beta1`;
  const status = { authenticated: true, user: somebody };
  return JSON.stringify({ apiVersion, kind: 'TokenReview', status, ...change });
}

export const reviewedToken = ({ body }: ReceivedCall): unknown => at(body, 'spec', 'token');
