// Tests the indexes of an indexed Job: their text, those that need a pod, and the pods that are too many.
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../schema/object.js';
import { byIndex, completeIndexes, countOfIndexes, freeIndexes, indexesText, withIndex } from './completionIndexes.js';

const pod = (index: number | string, phase = 'Running'): KubeObject => ({
  metadata: { name: `p-${index}`, annotations: { 'batch.kubernetes.io/job-completion-index': String(index) } },
  status: { phase },
});
const most = 2_147_483_647;

describe('complete indexes', () => {
  it.each<[string, number[], number, string, number]>([
    ['', [], 4, '', 0],
    ['', [0], 4, '0', 1],
    ['', [1, 0], 4, '0,1', 2],
    ['', [2, 0, 1], 4, '0-2', 3],
    ['0', [2, 3], 4, '0,2,3', 3],
    ['0,1', [2], 4, '0-2', 3],
    ['0-2,5,7-9', [3], 10, '0-3,5,7-9', 8],
    ['1-3', [2, 2], 10, '1-3', 3],
    ['0-9', [12], 4, '0-3', 4],
    ['7', [9], 4, '', 0],
    ['3-1,x,,-2,1-,0', [], 4, '0', 1],
    [`0-${most}`, [], most, `0-${most - 1}`, most],
  ])('%j and the pods %j, of %i, are %j', (text, succeeded, completions, expected, count) => {
    const pods = [...succeeded.map((index) => pod(index, 'Succeeded')), pod(0, 'Failed'), pod('none', 'Succeeded')];
    const complete = completeIndexes(text, pods, completions);
    expect([indexesText(complete), countOfIndexes(complete)]).toEqual([expected, count]);
  });
});

it.each<[string, number[], number, number, number[]]>([
  ['', [], 4, 4, [0, 1, 2, 3]],
  ['', [], 2, 4, [0, 1]],
  ['0,2', [1], 4, 4, [3]],
  ['1', [3], 3, 6, [0, 2, 4]],
  ['0-3', [], 2, 4, []],
  ['', [0, 1], 0, 4, []],
  [`0-${most - 3}`, [], 9, most, [most - 2, most - 1]],
])('with %j complete and %j active, the next %i of %i are %j', (text, active, count, completions, expected) => {
  const complete = completeIndexes(text, [], completions);
  const pods = active.map((index) => pod(index));
  expect(freeIndexes(complete, pods, { count, completions })).toEqual(expected);
});

it('one pod stays for each index', () => {
  const pods = [pod(2), pod(0), pod('x'), pod(0), pod(4), { metadata: { name: 'without' } }];
  const { kept, surplus } = byIndex(pods, 4);
  expect(kept).toEqual([pods[1], pods[0]]);
  expect(surplus).toEqual([pods[2], pods[3], pods[4], pods[5]]);
});

describe('the pod of an index', () => {
  const template = { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'j-', labels: { a: 'b' } } };

  it('tells the index by its name, its host name, a label, an annotation and a variable', () => {
    const own = [{ name: 'JOB_COMPLETION_INDEX', value: '7' }];
    const spec = { containers: [{ name: 'a', env: [{ name: 'A' }] }], initContainers: [{ name: 'i' }, { env: own }] };
    const made = withIndex({ ...template, spec }, 'j', 3);
    const key = 'batch.kubernetes.io/job-completion-index';
    const variable = {
      name: 'JOB_COMPLETION_INDEX',
      valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.labels['${key}']` } },
    };
    expect(made.metadata).toEqual({
      generateName: 'j-3-',
      labels: { a: 'b', [key]: '3' },
      annotations: { [key]: '3' },
    });
    expect(made.spec).toEqual({
      hostname: 'j-3',
      containers: [{ name: 'a', env: [{ name: 'A' }, variable] }],
      initContainers: [{ name: 'i', env: [variable] }, { env: own }],
    });
  });

  it('has the index in its name however long the name of the Job is', () => {
    const { metadata } = withIndex({ ...template, spec: {} }, 'j'.repeat(60), 12);
    expect(metadata.generateName).toBe(`${'j'.repeat(54)}-12-`);
  });
});
