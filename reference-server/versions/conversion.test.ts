// Tests two versions of one object: written in either version, read in both.
import { beforeEach, describe, expect, test } from 'vitest';
import { type Direct, startDirect } from '../testing/direct.js';

const extensions = '/apis/extensions/v1beta1/namespaces/default';
const batch = '/apis/batch/v1/namespaces/default';
const autoscaling = '/apis/autoscaling/v1/namespaces/default';
const target = { kind: 'Deployment', name: 'd' };
const podSpec = { containers: [{ name: 'c', image: 'i:1' }] };
const named = (more: object) => ({ metadata: { name: 'x' }, ...more });
let server: Direct;

beforeEach(async () => {
  server = await startDirect();
  return server.stop;
});

describe('two versions of one object', () => {
  test('an autoscaler', async () => {
    const hpas = 'horizontalpodautoscalers';
    const stored = await server.create(
      `${autoscaling}/${hpas}`,
      named({ spec: { maxReplicas: 3, scaleTargetRef: target, targetCPUUtilizationPercentage: 50 } }),
    );
    const other = (await server.call('GET', `${extensions}/${hpas}/x`)).body;
    expect(other).toEqual({
      ...stored,
      apiVersion: 'extensions/v1beta1',
      metadata: { ...stored.metadata, selfLink: `${extensions}/${hpas}/x` },
      spec: {
        scaleRef: { ...target, subresource: 'scale' },
        minReplicas: 1,
        maxReplicas: 3,
        cpuUtilization: { targetPercentage: 50 },
      },
    });
    const body = { ...other, spec: { ...other.spec, maxReplicas: 9 } };
    expect((await server.call('PUT', `${extensions}/${hpas}/x`, { body })).body.spec.maxReplicas).toBe(9);
    const patch = {
      body: { spec: { cpuUtilization: { targetPercentage: 60 } } },
      mediaType: 'application/strategic-merge-patch+json',
    };
    expect((await server.call('PATCH', `${extensions}/${hpas}/x`, patch)).status).toBe(200);
    const { kind, spec } = (await server.call('GET', `${autoscaling}/${hpas}/x`)).body;
    expect([kind, spec.maxReplicas, spec.targetCPUUtilizationPercentage]).toEqual(['HorizontalPodAutoscaler', 9, 60]);
    const list = (await server.call('GET', `/apis/extensions/v1beta1/${hpas}`)).body;
    expect([list.apiVersion, list.items[0].spec.scaleRef.name]).toEqual(['extensions/v1beta1', 'd']);
    expect((await server.call('DELETE', `${extensions}/${hpas}/x`)).body.details.group).toBe('extensions');
    expect((await server.call('GET', `${autoscaling}/${hpas}/x`)).status).toBe(404);
  });

  test('a job', async () => {
    const spec = { template: { metadata: { labels: { a: 'b' } }, spec: { ...podSpec, restartPolicy: 'Never' } } };
    const manual = await server.create(`${extensions}/jobs`, named({ spec }));
    expect(manual.spec.selector).toEqual({ matchLabels: { a: 'b' } });
    expect((await server.call('GET', `${batch}/jobs/x`)).body.spec.manualSelector).toBe(true);
    const { metadata } = await server.create(`${batch}/jobs`, { metadata: { name: 'y' }, spec });
    const shown = (await server.call('GET', `${extensions}/jobs/y`)).body;
    expect([shown.spec.autoSelector, shown.spec.manualSelector, shown.metadata.uid]).toEqual([
      true,
      undefined,
      metadata.uid,
    ]);
  });

  const template = { metadata: { labels: { a: 'b' } }, spec: { ...podSpec, restartPolicy: 'Never' } };
  const hpa = { maxReplicas: 3, scaleTargetRef: target };
  const extensionsHpa = { maxReplicas: 3, scaleRef: { ...target, subresource: 'scale' } };
  test.each([
    [`${batch}/jobs`, `${extensions}/jobs`, { template }],
    [`${extensions}/jobs`, `${batch}/jobs`, { template }],
    [`${extensions}/jobs`, `${batch}/jobs`, { template, autoSelector: true }],
    [`${autoscaling}/horizontalpodautoscalers`, `${extensions}/horizontalpodautoscalers`, hpa],
    [`${extensions}/horizontalpodautoscalers`, `${autoscaling}/horizontalpodautoscalers`, extensionsHpa],
  ])('%s is unchanged after a replace with the object of %s', async (home, away, spec) => {
    const made = await server.create(home, named({ spec }));
    const shown = (await server.call('GET', `${away}/x`)).body;
    const put = await server.call('PUT', `${away}/x`, { body: shown });
    expect([put.status, put.body]).toEqual([200, shown]);
    const patch = { body: [{ op: 'add', path: '/metadata/labels', value: { c: 'd' } }] };
    const patched = await server.call('PATCH', `${away}/x`, { ...patch, mediaType: 'application/json-patch+json' });
    expect([patched.status, patched.body.metadata.labels]).toEqual([200, { c: 'd' }]);
    const { metadata, spec: after } = (await server.call('GET', `${home}/x`)).body;
    expect([metadata.labels, after]).toEqual([{ c: 'd' }, made.spec]);
  });

  test('each version refuses the body of the other', async () => {
    const refused = [
      [`${autoscaling}/horizontalpodautoscalers`, 'extensions/v1beta1', 'HorizontalPodAutoscaler', extensionsHpa],
      [`${extensions}/horizontalpodautoscalers`, 'autoscaling/v1', 'HorizontalPodAutoscaler', hpa],
      [`${batch}/jobs`, 'extensions/v1beta1', 'Job', { template }],
      [`${extensions}/jobs`, 'batch/v1', 'Job', { template }],
    ] as const;
    for (const [path, apiVersion, kind, spec] of refused) {
      expect((await server.call('POST', path, { body: { apiVersion, kind, ...named({ spec }) } })).status).toBe(400);
    }
  });
});
