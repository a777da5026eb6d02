// The reviewer that the target asks, as the checks use it: tokens of their own, what it answers, and what it was asked.
import { randomBytes } from 'node:crypto';
import { standInPaths } from '../fixtures/fixtures.js';
import type { ReceivedCall } from '../stand-ins/secureServer.js';
import type { ReviewedUser, ReviewReply } from '../stand-ins/webhookReviewer.js';
import { told } from '../support/acceptance.js';
import { at } from '../support/json.js';
import type { Reply } from '../support/reply.js';
import { settingOf } from '../support/shown.js';
import { anyRequest } from '../support/strangers.js';
import type { Context } from '../support/worker.js';

export const reviewPath = standInPaths.webhookReviewer;

/** Whom a token stands for where it does not matter. */
export const somebody: ReviewedUser = {
  username: 'webhook-somebody',
  uid: 'uid-webhook-somebody',
  groups: ['webhook-group-1'],
};

/** A new token. */
export function newToken({ client }: Context): string {
  const token = randomBytes(18).toString('base64url');
  client.redactor.add(token);
  return token;
}

/** A new token whose reviews are answered so. */
export async function tokenAnswered(context: Context, reply: ReviewReply): Promise<string> {
  const token = newToken(context);
  await settingOf(context).standIns.setReview(token, reply);
  return token;
}

/** A harmless request with a token. `deadline` is in milliseconds. */
export async function ask(context: Context, token: string, deadline?: number): Promise<Reply> {
  const call = { ...anyRequest, as: { token } };
  const reply = await context.client.send(deadline === undefined ? call : { ...call, deadline });
  return await told(context, { token }, reply);
}

/** The calls to the reviewer that are about a token. */
export function callsAbout(context: Context, token: string): Promise<readonly ReceivedCall[]> {
  return settingOf(context).standIns.calls('webhookReviewer', token);
}

/** Asks with a token that is answered so. */
export async function askAnswered(context: Context, reply: ReviewReply): Promise<Reply> {
  return await ask(context, await tokenAnswered(context, reply));
}

/** A review, as a text, with those fields instead of the good ones. */
export function reviewText({ run }: Context, change: Readonly<Record<string, unknown>>): string {
  const apiVersion = `authentication.${run.target.domains.authentication}/v1beta1`;
  const status = { authenticated: true, user: somebody };
  return JSON.stringify({ apiVersion, kind: 'TokenReview', status, ...change });
}

/** The token that a call asks about. */
export const tokenOf = ({ body }: ReceivedCall): unknown => at(body, 'spec', 'token');
