// Whether a response shows that a credential was accepted, and the verdict that follows.
import { describe, expect, it } from 'vitest';
import { Reply } from '../client/reply.js';
import { accepted, rejected, rejectedForAnonymous, unauthorized, unidentified } from './acceptance.js';
import type { AnonymousAccess } from './settings.js';
import type { Context } from './worker.js';

const said = (status: number, message = '', request = 'GET /api/v1/nodes'): Reply =>
  new Reply(request, status, { 'content-type': 'application/json' }, Buffer.from(JSON.stringify({ message })));
const forbidden = (user: string): string => `nodes is forbidden: User "${user}" cannot list resource "nodes"`;
const anonymous = forbidden('system:anonymous');

const outcome = (check: (reply: Reply) => void, reply: Reply): string => {
  try {
    check(reply);
    return 'passed';
  } catch (error) {
    return (error as Error).name;
  }
};

describe('a response', () => {
  it.each([
    ['401', said(401), ['Failure', 'passed', 'passed']],
    ['403 to the anonymous user', said(403, anonymous), ['Failure', 'passed', 'passed']],
    ['403 to a user', said(403, forbidden('alice')), ['passed', 'Failure', 'Failure']],
    ['403 to nobody', said(403, 'no'), ['passed', 'passed', 'Failure']],
    ['404 of an object', said(404, 'not found'), ['passed', 'Failure', 'Failure']],
    ['404 of what everybody may ask for', said(404, 'no', 'GET /api/v1'), ['Failure', 'passed', 'Failure']],
    ['500', said(500), ['passed', 'Failure', 'Failure']],
  ])('%s: accepted, rejected, 401', (_, reply, expected) => {
    expect([accepted, rejected, unauthorized].map((check) => outcome(check, reply))).toEqual(expected);
  });
});

describe('a response of a target', () => {
  const learnt = async (anonymousAccess: AnonymousAccess, reply: Reply): Promise<Reply> =>
    await unidentified({ run: { anonymousAccess } as Context['run'] }, reply);

  it('with anonymous access does not prove a user by a success', async () => {
    const reply = await learnt({ anonymous: 'allowed', status: 200, excerpt: '' }, said(200));
    expect([accepted, rejected, rejectedForAnonymous].map((check) => outcome(check, reply))).toEqual(
      Array(3).fill('Unchecked'),
    );
  });

  it('that refuses unauthenticated requests is a refusal if it is the same response', async () => {
    const reply = await learnt({ status: 403, excerpt: said(403, 'who?').excerpt() }, said(403, 'who?'));
    expect(outcome(accepted, reply)).toBe('Failure');
  });

  it('with a forbidden anonymous user is for a user if it is a success', async () => {
    const anonymousAccess: AnonymousAccess = { anonymous: 'forbidden', status: 403, excerpt: 'x' };
    expect(outcome(accepted, await learnt(anonymousAccess, said(200, '', 'GET /api/v1')))).toBe('passed');
  });
});
