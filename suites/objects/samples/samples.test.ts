// The samples of the suite: what they must not do to the cluster of somebody else.
import { expect, it } from 'vitest';
import { resourceId, resources } from '../../../matrix/api/index.js';
import { sampleOf } from './index.js';
import { noNode } from './sample.js';

/** The specs of pods in a sample, wherever they are. */
function* podSpecsIn(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return;
  if ('containers' in value) yield value;
  for (const each of Object.values(value)) yield* podSpecsIn(each);
}

const workloads = ['core/pods', 'core/replicationcontrollers', 'batch/jobs', 'extensions/jobs'];
const later = ['daemonsets', 'deployments', 'replicasets'].map((plural) => `extensions/${plural}`);

it.each([...workloads, ...later])('pods of %s run on no node', (id) => {
  const resource = resources.find((one) => resourceId(one) === id);
  if (resource === undefined) throw new Error(`no resource ${id}`);
  const specs = [...podSpecsIn(sampleOf(resource).fields)];
  expect(specs.length).toBeGreaterThan(0);
  for (const spec of specs) expect(spec).toMatchObject({ nodeSelector: noNode });
});
