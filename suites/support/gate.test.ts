// What a target lacks or has not allowed is never sent.
import { describe, expect, it } from 'vitest';
import { type OperationSubject, subjectSets, type Target } from '../../matrix/requirements/index.js';
import { danger, gate, underAlias } from './gate.js';

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

/** The same where deployments have an alias, which lacks the operations that are given. */
const aliased = (capability: Target['notSupported'][number]['capability'], ...lacking: readonly string[]): Target => {
  const own = lacking.map((id) => ({ capability: `operation:${id}` as const, reason: 'why' }));
  return underAlias(lacks(capability), {
    ...{ groupVersion: 'extensions/v1beta1', resource: 'deployments', to: 'apps/v1', lacks: own },
  });
};

describe('gate', () => {
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
    expect(gate(of, subject(id))?.verdict).toBe(verdict);
  });

  it.each([
    ['nodes:running', 'running', 'not-supported'],
    ['nodes:running', 'observed', 'not-supported'],
    ['nodes:observed', 'observed', 'not-supported'],
    ['nodes:observed', 'running', undefined],
  ] as const)('%s for a case that needs it %s', (capability, node, verdict) => {
    expect(gate(lacks(capability), { ...subject(nodes), node })?.verdict).toBe(verdict);
    expect(gate(lacks(capability), subject(nodes))).toBeUndefined();
  });

  it('the mechanism of the credential', () => {
    const shown = { ...subject(nodes), mechanism: 'staticPassword' } as const;
    expect(gate(lacks('mechanism:staticPassword'), shown)?.verdict).toBe('not-supported');
    expect(gate(lacks('mechanism:staticToken'), shown)).toBeUndefined();
    expect(gate(lacks('mechanism:staticPassword'), subject(nodes))).toBeUndefined();
  });

  it('the feature of the requirement, of the subject, of its mechanism or of its operation', () => {
    const row = { level: 'convention', source: [], text: '', subjects: 'server', feature: 'limit' } as const;
    expect(gate(lacks('feature:limit'), subject(nodes), row)?.verdict).toBe('not-supported');
    expect(gate(lacks('feature:limit'), subject(nodes))).toBeUndefined();
    expect(gate(lacks('feature:dry-run'), subject(nodes), row)).toBeUndefined();
    expect(gate(lacks('feature:limit'), { ...subject(nodes), feature: 'limit' })?.verdict).toBe('not-supported');
    const shown = { ...subject(nodes), mechanism: 'staticPassword' } as const;
    expect(gate(lacks('feature:static-password'), shown)?.verdict).toBe('not-supported');
    expect(gate(lacks('feature:legacy-proxy'), subject(legacy))?.verdict).toBe('not-supported');
    expect(gate(lacks('feature:legacy-proxy'), subject(nodes))).toBeUndefined();
  });

  it('the group or resource that a subject without an operation is about', () => {
    const root = { id: 'server', resource: 'server', within: 'group:extensions' } as const;
    expect(gate(lacks('group:extensions'), root)?.verdict).toBe('not-supported');
    expect(gate(lacks('group:batch'), root)).toBeUndefined();
  });
});

it('the largest hostile inputs are sent to disposable targets only', () => {
  const bomb = subjectSets.hostileBodies.find(({ variant }) => variant === 'YAML alias bomb');
  if (bomb === undefined) throw new Error('no such subject');
  expect(gate(target, bomb)).toBeUndefined();
  expect(gate({ ...target, disposable: false }, bomb)).toMatchObject({ verdict: 'skipped' });
});

it('what would bring a target down is not sent to it, for any requirement that the same requests judge', () => {
  const dangerous = [{ requirement: 'create.answer', subject: 'nodes', reason: 'it ends' }];
  const found = (id: string, ...requirements: readonly string[]) =>
    danger({ ...target, dangerous }, requirements, subject(id))?.verdict;
  expect(found(nodes, 'create.answer', 'create.effect')).toBe('skipped');
  expect(found(nodes, 'create.effect')).toBeUndefined();
  expect(found(deployments, 'create.answer')).toBeUndefined();
  expect(danger(target, ['create.answer'], subject(nodes))).toBeUndefined();
});
