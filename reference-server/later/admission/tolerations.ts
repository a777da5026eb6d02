// The tolerations that every pod has for a while of a node that fails.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Plugin } from '../../admission/plugin.js';
import { part } from '../../schema/object.js';

type PodSpec = ObjectOf<'PodSpec'>;

/** How long a pod stays on a node that has failed, in seconds, unless it says itself. */
const tolerationSeconds = 300;
const failures = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

export function withDefaultTolerations(given: PodSpec['tolerations'] = []): PodSpec['tolerations'] {
  const tolerated = (name: string): boolean =>
    given.some(({ key, effect }) => (!key || key === name) && (!effect || effect === 'NoExecute'));
  const missing = failures.filter((name) => !tolerated(name));
  return [...given, ...missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds }))];
}

export const defaultTolerations: Plugin = {
  feature: 'default-tolerations',
  resources: ['core/pods'],
  async mutate({ object }) {
    const spec = part<PodSpec>(object, 'spec');
    object.spec = { ...spec, tolerations: withDefaultTolerations(spec.tolerations) };
  },
};
