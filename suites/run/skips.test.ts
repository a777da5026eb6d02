// No request is sent for a subject that the target lacks or has not allowed.
import { describe, expect, it } from 'vitest';
import { type OperationSubject, subjectSets, type Target } from '../requirements/index.js';
import { danger, skipReason, underAlias } from './skips.js';

const target: Target = {
  name: 'some-server',
  url: 'https://127.0.0.1:1',
  credentials: {},
  vendor: 'kubernetes',
  domains: { authentication: 'k8s.io', secretType: 'kubernetes.io' },
  notSupported: [],
  deviations: [],
  disposable: true,
};

function subject(id: string): OperationSubject {
  const found = subjectSets.statedOperations.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(id);
  return found;
}

const nodes = 'DELETE /api/v1/nodes';
const deployments = 'GET /apis/extensions/v1beta1/deployments';
const legacy = 'PUT /api/v1/proxy/nodes/{name}/{path}';
const lacks = (capability: Target['notSupported'][number]['capability']): Target => ({
  ...target,
  notSupported: [{ capability, reason: 'why' }],
});

/** Returns a target with such an absence and an alias for deployments, which lacks the given operations. */
const aliased = (capability: Target['notSupported'][number]['capability'], ...lacking: readonly string[]): Target => {
  const own = lacking.map((id) => ({ capability: `operation:${id}` as const, reason: 'why' }));
  return underAlias(lacks(capability), {
    ...{ groupVersion: 'extensions/v1beta1', resource: 'deployments', to: 'apps/v1', lacks: own },
  });
};

describe('the skip reason', () => {
  it.each([
    ['everything offered', target, deployments, undefined],
    ['the group', lacks('group:extensions'), deployments, 'not-supported'],
    ['another group', lacks('group:batch'), deployments, undefined],
    ['the core group', lacks('group:core'), nodes, 'not-supported'],
    ['the resource', lacks('resource:extensions/deployments'), deployments, 'not-supported'],
    ['the resource, which has an alias', aliased('resource:extensions/deployments'), deployments, undefined],
    ['the group, where the resource has an alias', aliased('group:extensions'), deployments, undefined],
    ['the operation under the alias', aliased('group:extensions', deployments), deployments, 'not-supported'],
    ['another resource', lacks('resource:extensions/daemonsets'), deployments, undefined],
    ['the operation', lacks('operation:DELETE /api/v1/nodes'), nodes, 'not-supported'],
    ['a longer operation', lacks('operation:DELETE /api/v1/nodes/{name}'), nodes, undefined],
    ['operations by their start', lacks('operation:PUT /api/v1/proxy/*'), legacy, 'not-supported'],
    ['a cluster that is somebody’s', { ...target, disposable: false }, nodes, 'skipped'],
    ['only cluster-wide deletes', { ...target, disposable: false }, deployments, undefined],
    ['a namespace of ours', { ...target, disposable: false }, 'DELETE /api/v1/namespaces/{namespace}/pods', undefined],
  ] as const)('%s', (_, of, id, verdict) => {
    expect(skipReason(of, subject(id))?.verdict).toBe(verdict);
  });

  it.each([
    ['nodes:running', 'running', 'not-supported'],
    ['nodes:running', 'observed', 'not-supported'],
    ['nodes:observed', 'observed', 'not-supported'],
    ['nodes:observed', 'running', undefined],
  ] as const)('%s for a case that needs it %s', (capability, node, verdict) => {
    expect(skipReason(lacks(capability), { ...subject(nodes), node })?.verdict).toBe(verdict);
    expect(skipReason(lacks(capability), subject(nodes))).toBeUndefined();
  });

  it('the mechanism of the credential', () => {
    const shown = { ...subject(nodes), mechanism: 'staticPassword' } as const;
    expect(skipReason(lacks('mechanism:staticPassword'), shown)?.verdict).toBe('not-supported');
    expect(skipReason(lacks('mechanism:staticToken'), shown)).toBeUndefined();
    expect(skipReason(lacks('mechanism:staticPassword'), subject(nodes))).toBeUndefined();
  });

  it('the feature of the requirement, of the subject, of its mechanism or of its operation', () => {
    const row = {
      level: 'recommended',
      rule: '1.1',
      text: '',
      subjects: 'server',
      breaks: '',
      feature: 'limit',
    } as const;
    expect(skipReason(lacks('feature:limit'), subject(nodes), row)?.verdict).toBe('not-supported');
    expect(skipReason(lacks('feature:limit'), subject(nodes))).toBeUndefined();
    expect(skipReason(lacks('feature:dry-run'), subject(nodes), row)).toBeUndefined();
    expect(skipReason(lacks('feature:limit'), { ...subject(nodes), feature: 'limit' })?.verdict).toBe('not-supported');
    const shown = { ...subject(nodes), mechanism: 'staticPassword' } as const;
    expect(skipReason(lacks('feature:static-password'), shown)?.verdict).toBe('not-supported');
    expect(skipReason(lacks('feature:legacy-proxy'), subject(legacy))?.verdict).toBe('not-supported');
    expect(skipReason(lacks('feature:legacy-proxy'), subject(nodes))).toBeUndefined();
  });

  it('the group or resource of a subject without an operation', () => {
    const root = { id: 'server', resource: 'server', within: 'group:extensions' } as const;
    expect(skipReason(lacks('group:extensions'), root)?.verdict).toBe('not-supported');
    expect(skipReason(lacks('group:batch'), root)).toBeUndefined();
  });
});

it('the largest hostile inputs are sent to disposable targets only', () => {
  const bomb = subjectSets.hostileBodies.find(({ variant }) => variant === 'YAML alias bomb');
  if (bomb === undefined) throw new Error('no such subject');
  expect(skipReason(target, bomb)).toBeUndefined();
  expect(skipReason({ ...target, disposable: false }, bomb)).toMatchObject({ verdict: 'skipped' });
});

it('dangerous requests are not sent, for every requirement that needs them', () => {
  const dangerous = [{ requirement: 'create.answer', subject: 'nodes', reason: 'it ends' }];
  const found = (id: string, ...requirements: readonly string[]) =>
    danger({ ...target, dangerous }, requirements, subject(id))?.verdict;
  expect(found(nodes, 'create.answer', 'create.effect')).toBe('skipped');
  expect(found(nodes, 'create.effect')).toBeUndefined();
  expect(found(deployments, 'create.answer')).toBeUndefined();
  expect(danger(target, ['create.answer'], subject(nodes))).toBeUndefined();
});
