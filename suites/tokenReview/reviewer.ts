// The reviewer that the target asks, as the checks use it: tokens of their own, what it answers, and what it was asked.
import { randomBytes } from 'node:crypto';
import { standInPaths } from '../fixtures/fixtures.js';
import type { ReceivedCall } from '../stand-ins/secureServer.js';
import type { ReviewedUser, ReviewReply } from '../stand-ins/webhookReviewer.js';
import type { Setting } from '../support/credentials/source.js';
import { fail, Prerequisite } from '../support/expect.js';
import { at } from '../support/json.js';
import type { Reply } from '../support/reply.js';
import type { Context } from '../support/worker.js';

export const reviewPath = standInPaths.webhookReviewer;

/** Whom a token stands for where it does not matter. */
export const somebody: ReviewedUser = {
  username: 'webhook-somebody',
  uid: 'uid-webhook-somebody',
  groups: ['webhook-group-1'],
};

/** What the target was started with. Throws where it was started without. */
export function settingOf({ run, scope, standIns }: Context): Setting {
  if (run.authentication === undefined || standIns === undefined)
    throw new Prerequisite('the target was not started with the fixtures: give --fixtures');
  return { scope, standIns, fixtures: run.authentication.fixtures };
}

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
export function ask({ client }: Context, token: string, deadline?: number): Promise<Reply> {
  const call = { method: 'GET', path: '/api/v1/namespaces/default', as: { token } };
  return client.send(deadline === undefined ? call : { ...call, deadline });
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

/** The request was let in: any answer but 401. */
export function letIn(reply: Reply): void {
  if (reply.status === 401) fail(`${reply.request}: the remote service vouched for the token, and it was not let in`);
}

/** The request was not let in. */
export function keptOut(reply: Reply): void {
  if (reply.status !== 401) fail(`${reply.request}: let in with ${reply.status}, though nobody vouched for the token`);
}

/** The token that a call asks about. */
export const tokenOf = ({ body }: ReceivedCall): unknown => at(body, 'spec', 'token');
