// The cases of kinds that only a target knows, from their rows.
import { describe, expect, it } from 'vitest';
import { allCases, choose, chosenBy, requirements } from '../../../suites/requirements/index.js';
import type { FoundKind, Verb } from '../../api/index.js';
import { walkedSets } from './sets.js';

const every: readonly Verb[] = [
  ...(['listAll', 'list', 'deleteCollection', 'create', 'read', 'replace', 'delete', 'patch'] as const),
  ...(['readStatus', 'replaceStatus', 'patchStatus'] as const),
];

const widget: FoundKind = {
  group: 'example.com',
  version: 'v1',
  plural: 'widgets',
  singular: 'widget',
  kind: 'Widget',
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: every,
  objectTypes: ['json', 'yaml'],
  patchTypes: ['jsonPatch', 'mergePatch'],
  watchable: true,
  sample: { spec: { size: 1 } },
  status: { phase: 'Ready' },
  otherStatus: { phase: 'Pending' },
  otherSpec: { size: 2 },
};

const casesOf = (...kinds: FoundKind[]) => allCases(kinds).filter(({ requirement }) => requirement.ofFound);
const idsOf = (...kinds: FoundKind[]): string[] => casesOf(...kinds).map(({ id }) => id);
const listed = 'GET /apis/example.com/v1/namespaces/{namespace}/widgets';

describe('the cases of a kind that only a target knows', () => {
  it('come after those of the interface, which stay as they are', () => {
    const own = allCases([widget]).filter(({ requirement }) => !requirement.ofFound);
    expect(own.map(({ id }) => id)).toEqual(allCases().map(({ id }) => id));
  });

  it('have ids of their own', () => {
    const ids = allCases([widget, { ...widget, version: 'v2' }]).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("are recommended, except those of the server's own OpenAPI", () => {
    const required = casesOf(widget).filter(({ requirement }) => requirement.row.level === 'required');
    expect(new Set(required.map(({ requirement }) => requirement.chapter))).toEqual(new Set(['openapi']));
  });

  it.each([
    'list.contains',
    'create.answer',
    'replace.stale',
    'delete.absent',
    'deleteCollection.effect-selected',
    'deleteOptions.finalizer-holds',
    'patch.effect-read',
    'selectors.labels',
    'parameters.limit-pages',
    'subresources.status-keeps-spec',
    'versions.group-version',
    'watch.added',
    'histories.watches',
    'errors.unauthenticated',
    'authentication.every-operation',
    'discovery.names',
    'responses.media-type',
    'surface.served',
  ])('check %s', (id) => {
    expect(new Set(casesOf(widget).map(({ requirement }) => requirement.id))).toContain(id);
  });

  it('leave out what a right server may do otherwise', () => {
    const leftOut = requirements.filter(({ row }) => 'onlyOwnKinds' in row).map(({ id }) => id);
    expect(leftOut.length).toBeGreaterThan(0);
    expect(casesOf(widget).filter(({ requirement }) => leftOut.includes(requirement.id))).toEqual([]);
  });

  it('send the patch types and the verbs that the target declares, and no others', () => {
    expect(idsOf(widget).filter((id) => id.includes('strategic'))).toEqual([]);
    const without = idsOf({ ...widget, verbs: every.filter((verb) => verb !== 'patch'), watchable: false });
    expect(without.filter((id) => / PATCH [^,]*\{name\}(,|$)/.test(id))).toEqual([]);
    expect(without.filter((id) => id.startsWith('watch'))).toEqual([]);
  });

  it('send only GETs that need no object to a kind that is only read', () => {
    const cases = casesOf({ ...widget, readOnly: 'it is in use' });
    expect(cases.length).toBeGreaterThan(10);
    expect(new Set(cases.map(({ subject }) => subject.operation?.method))).toEqual(new Set(['GET']));
    expect(cases.map(({ id }) => id)).toContain(`surface.served › ${listed}`);
    expect(cases.map(({ id }) => id)).not.toContain(`list.contains › ${listed}`);
  });

  it('only create what is never stored', () => {
    const cases = casesOf({ ...widget, verbs: ['create'] });
    expect(cases.length).toBeGreaterThan(10);
    const methods = new Set(cases.map(({ subject: { operation } }) => operation?.resource && operation.method));
    expect(methods).toEqual(new Set([undefined, 'POST']));
    expect(cases.map(({ requirement }) => requirement.id)).not.toContain('create.effect-read');
  });

  it('do not write a status that no schema names', () => {
    const { status: _, ...bare } = widget;
    expect(idsOf(bare).filter((id) => id.startsWith('subresources.status-replace'))).toEqual([]);
  });

  it('show an object in both versions of a kind', () => {
    const ids = idsOf(widget, { ...widget, version: 'v1beta1' }).filter((id) =>
      id.startsWith('versions.write-through'),
    );
    expect(ids).toEqual([
      'versions.write-through › POST /apis/example.com/v1/namespaces/{namespace}/widgets, created in example.com/v1',
      'versions.write-through › POST /apis/example.com/v1beta1/namespaces/{namespace}/widgets, created in example.com/v1beta1',
    ]);
  });
});

it('are the only ones that a worker runs', () => {
  const found = [{ ...widget, readOnly: 'it is in use' }];
  const chosen = chosenBy({ everyKind: true }, found);
  expect(chosen(`surface.served › ${listed}`)).toBe(true);
  expect(chosen('create.answer › POST /apis/example.com/v1/namespaces/{namespace}/widgets')).toBe(false);
  expect(chosen('create.answer › POST /api/v1/namespaces/{namespace}/configmaps')).toBe(true);
});

describe('a choice of kinds', () => {
  const all = allCases([widget]);
  const kindsOf = (kinds: readonly string[]): Set<string> =>
    new Set(choose({ kinds }, all).map(({ subject }) => subject.resource));

  it.each([
    [['widgets.example.com'], ['example.com', 'example.com/widgets']],
    [['*.example.com'], ['example.com', 'example.com/widgets']],
    [['configmaps'], ['core/configmaps', 'example.com']],
    [['jobs.batch'], ['batch/jobs', 'example.com']],
  ])('%s', (names, expected) => {
    expect([...kindsOf(names)].sort()).toEqual(expected.toSorted());
  });

  it('is in shards as every other choice', () => {
    const whole = choose({ kinds: ['widgets.example.com'] }, all).map(({ id }) => id);
    const parts = [1, 2].flatMap((index) =>
      choose({ kinds: ['widgets.example.com'], shard: { index, of: 2 } }, all).map(({ id }) => id),
    );
    expect(parts.sort()).toEqual(whole.toSorted());
  });
});

it('names only sets that have a requirement', () => {
  const used = new Set(requirements.map(({ row }) => ('subjects' in row ? row.subjects : undefined)));
  expect(Object.keys(walkedSets).filter((name) => ![...used].includes(name as never))).toEqual([]);
});
