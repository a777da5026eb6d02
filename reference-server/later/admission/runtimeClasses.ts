// What the RuntimeClass of a new pod says of it: its overhead, and the nodes that it runs on.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Plugin } from '../../admission/plugin.js';
import { forbidden } from '../../errors.js';
import { equal, part } from '../../schema/object.js';
import type { Classes, RuntimeClass } from './classes.js';

type PodSpec = ObjectOf<'PodSpec'>;

export const runtimeClassesId = 'node.k8s.io/runtimeclasses';

/** Refuses a pod that names an unknown class, or contradicts its class. */
export const runtimeClasses = (classes: Classes<RuntimeClass>): Plugin => ({
  feature: 'runtime-classes',
  resources: ['core/pods'],
  async mutate({ object, resource }) {
    const spec = part<PodSpec>(object, 'spec');
    const refuse = (why: string) => forbidden(resource, object.metadata.name ?? '', why);
    const { runtimeClassName: name = '', overhead } = spec;
    const [found] = classes.of(name);
    if (name !== '' && found === undefined) throw refuse(`pod rejected: RuntimeClass "${name}" not found`);
    const fixed = found?.overhead && (found.overhead.podFixed ?? {});
    if (overhead !== undefined && fixed === undefined) {
      throw refuse('pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
    }
    if (overhead !== undefined && !equal(overhead, fixed)) {
      throw refuse("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
    }
    if (found === undefined) return;
    const { nodeSelector, tolerations } = found.scheduling ?? {};
    object.spec = {
      ...spec,
      ...(fixed !== undefined && { overhead: fixed }),
      ...(nodeSelector && { nodeSelector: bothSelectors(spec.nodeSelector ?? {}, nodeSelector, refuse) }),
      ...(tolerations && { tolerations: bothTolerations(spec.tolerations ?? [], tolerations) }),
    };
  },
});

type Selector = Readonly<Record<string, string>>;

function bothSelectors(own: Selector, ofClass: Selector, refuse: (why: string) => Error): Selector {
  for (const [key, value] of Object.entries(ofClass)) {
    if (Object.hasOwn(own, key) && own[key] !== value) {
      throw refuse(
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own[key]}`,
      );
    }
  }
  return { ...own, ...ofClass };
}

type Tolerations = readonly ObjectOf<'Toleration'>[];

const bothTolerations = (own: Tolerations, ofClass: Tolerations): Tolerations => [
  ...own,
  ...ofClass.filter((toleration) => !own.some((one) => equal(one, toleration))),
];
