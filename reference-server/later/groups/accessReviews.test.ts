// Tests reviews of access with the roles of a new cluster: who may ask, and what is answered.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import { ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';

const group = '/apis/authorization.k8s.io/v1';
const tokens = [
  { token: 'admin', user: { name: 'admin', groups: ['system:masters'] } },
  { token: 'bob', user: { name: 'bob', groups: ['devs'] } },
];

let server: RunningServer;
beforeAll(async () => {
  server = await startFullServer({ tokens, authorizationMode: 'RBAC', anonymousAuth: true });
});
afterAll(() => server.close());

async function review(token: string, kind: string, spec: object) {
  const path = `${group}/${kind.toLowerCase()}s`;
  const body = JSON.stringify({ apiVersion: 'authorization.k8s.io/v1', kind, spec });
  const authorization = token === '' ? {} : { authorization: `Bearer ${token}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  const options = { method: 'POST', headers, body, ...(token === '' && { anonymous: true }) };
  const { status, text } = await ask(server, path, options);
  return { code: status, status: JSON.parse(text).status };
}

const pods = { resourceAttributes: { verb: 'list', resource: 'pods', namespace: 'default' } };
const ofItself = {
  resourceAttributes: { verb: 'create', group: 'authorization.k8s.io', resource: 'selfsubjectrulesreviews' },
};
const discovery = { nonResourceAttributes: { verb: 'get', path: '/apis' } };

describe('a review of access', () => {
  it.each([
    ['bob', pods, false],
    ['bob', ofItself, true],
    ['bob', discovery, true],
    ['admin', pods, true],
  ])('of %s itself: %j', async (token, spec, allowed) => {
    expect(await review(token, 'SelfSubjectAccessReview', spec)).toMatchObject({ code: 201, status: { allowed } });
  });

  it('lists the rules', async () => {
    const { code, status } = await review('bob', 'SelfSubjectRulesReview', { namespace: 'default' });
    expect([code, status.incomplete]).toEqual([201, false]);
    expect(status.resourceRules).toContainEqual({
      verbs: ['create'],
      apiGroups: ['authorization.k8s.io'],
      resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
    });
    expect(status.nonResourceRules[0].nonResourceURLs).toEqual(expect.arrayContaining(['/apis/*', '/openapi/*']));
    const { status: all } = await review('admin', 'SelfSubjectRulesReview', { namespace: 'default' });
    expect(all.resourceRules).toContainEqual({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] });
  });

  it('is not for those whom no mechanism knows, nor about others for all', async () => {
    expect((await review('', 'SelfSubjectAccessReview', pods)).code).toBe(403);
    expect((await review('bob', 'SubjectAccessReview', { ...pods, user: 'jane' })).code).toBe(403);
  });

  it.each([
    ['system:authenticated', true],
    ['devs', false],
  ])('of another user takes the groups as they are: %s', async (name, allowed) => {
    const { status } = await review('admin', 'SubjectAccessReview', { ...discovery, user: 'jane', groups: [name] });
    expect(status.allowed).toBe(allowed);
  });
});
