// What an answer says of whose a request was taken for, and what is made of it.
import { describe, expect, it } from 'vitest';
import { keptOut, keptOutWhole, letIn, toldNothing, unauthorized } from './acceptance.js';
import { Reply } from './reply.js';
import type { Strangers } from './strangers.js';
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

describe('an answer', () => {
  it.each([
    ['401', said(401), ['Failure', 'passed', 'passed']],
    ['403 to the anonymous user', said(403, anonymous), ['Failure', 'passed', 'passed']],
    ['403 to a user', said(403, forbidden('alice')), ['passed', 'Failure', 'Failure']],
    ['403 to nobody', said(403, 'no'), ['passed', 'passed', 'Failure']],
    ['404 of an object', said(404, 'not found'), ['passed', 'Failure', 'Failure']],
    ['404 of what everybody may ask for', said(404, 'no', 'GET /api/v1'), ['Failure', 'passed', 'Failure']],
    ['500', said(500), ['passed', 'Failure', 'Failure']],
  ])('%s: let in, kept out, 401', (_, reply, expected) => {
    expect([letIn, keptOut, unauthorized].map((check) => outcome(check, reply))).toEqual(expected);
  });
});

describe('an answer of a target', () => {
  const learnt = async (strangers: Strangers, reply: Reply): Promise<Reply> =>
    await toldNothing({ run: { strangers } as Context['run'] }, reply);

  it('that lets anonymous users in tells nothing by a success', async () => {
    const reply = await learnt({ anonymous: 'allowed', status: 200, excerpt: '' }, said(200));
    expect([letIn, keptOut, keptOutWhole].map((check) => outcome(check, reply))).toEqual(Array(3).fill('Unjudged'));
  });

  it('that forbids strangers everything is to a stranger where it is the same', async () => {
    const reply = await learnt({ status: 403, excerpt: said(403, 'who?').excerpt() }, said(403, 'who?'));
    expect(outcome(letIn, reply)).toBe('Failure');
  });

  it('whose anonymous user may do nothing is to a user where it is a success', async () => {
    const strangers: Strangers = { anonymous: 'forbidden', status: 403, excerpt: 'x' };
    expect(outcome(letIn, await learnt(strangers, said(200, '', 'GET /api/v1')))).toBe('passed');
  });
});
