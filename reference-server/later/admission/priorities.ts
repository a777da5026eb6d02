// The priorities of new pods, by their PriorityClasses.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Plugin } from '../../admission/plugin.js';
import { forbidden } from '../../errors.js';
import { part } from '../../schema/object.js';
import { type Classes, defaultsOf, type PriorityClass } from './classes.js';

export const priorityClassesId = 'scheduling.k8s.io/priorityclasses';
const usualPreemption = 'PreemptLowerPriority';

/** Sets the priority of a pod that names a class, or none: then that of the default class. Refuses an unknown class. */
export function priorities(classes: Classes<PriorityClass>, minor: number): readonly Plugin[] {
  const defaults = defaultsOf(
    classes,
    ({ globalDefault }) => globalDefault === true,
    ({ value = 0 }, other) => value - (other.value ?? 0),
  );
  return [
    {
      feature: 'priorities',
      resources: ['core/pods'],
      async mutate({ object, resource }) {
        const spec = part<ObjectOf<'PodSpec'>>(object, 'spec');
        const refuse = (why: string) => forbidden(resource, object.metadata.name ?? '', why);
        const { priority, preemptionPolicy, priorityClassName: name = '' } = spec;
        const found = name === '' ? defaults()[0] : classes.of(name)[0];
        if (found === undefined && name !== '') throw refuse(`no PriorityClass with name ${name} was found`);
        const { value = 0, preemptionPolicy: policy = usualPreemption, metadata } = found ?? {};
        const computed = (what: string, is: unknown) =>
          refuse(
            `the ${what} must not be provided in pod spec; priority admission controller computed ${is} from the given PriorityClass name`,
          );
        if (priority !== undefined && priority !== value)
          throw computed(`integer value of priority (${priority})`, value);
        if (preemptionPolicy !== undefined && preemptionPolicy !== policy) {
          throw computed(`string value of PreemptionPolicy (${preemptionPolicy})`, policy);
        }
        object.spec = {
          ...spec,
          ...(metadata?.name !== undefined && { priorityClassName: metadata.name }),
          priority: value,
          ...(minor >= 19 && { preemptionPolicy: policy }),
        };
      },
    },
    {
      feature: 'priorities',
      resources: [priorityClassesId],
      updatesOf: [priorityClassesId],
      async validate({ object, resource }) {
        const { metadata, globalDefault } = object as PriorityClass;
        const other = defaults().find((one) => one.metadata.name !== metadata.name)?.metadata.name;
        if (globalDefault !== true || other === undefined) return;
        const why = `PriorityClass ${other} is already marked as default. Only one default can exist`;
        throw forbidden(resource, metadata.name ?? '', why);
      },
    },
  ];
}
