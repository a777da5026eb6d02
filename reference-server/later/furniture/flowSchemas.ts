// Says in the status of each flow schema whether its priority level is there, and tells of those that are gone.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Controller } from '../../controllers/controller.js';
import type { Registry } from '../../registry/registry.js';
import { equal, type KubeObject, objectKeyIn, part } from '../../schema/object.js';
import { unlessGone } from '../../statusError.js';
import { withCondition } from '../conditions.js';
import { levelsId, schemasId } from './flowControl.js';

type Schema = ObjectOf<'flowcontrol.v1.FlowSchemaSpec'>;
type Status = ObjectOf<'flowcontrol.v1.FlowSchemaStatus'>;

const levelOf = (schema: KubeObject): string => part<Schema>(schema, 'spec').priorityLevelConfiguration?.name ?? '';

/** Called for a level or a schema that is gone, with its resource as `group/plural`. */
type Restore = (gone: KubeObject, resource: string) => Promise<void>;

export const flowControllers = (
  registry: Pick<Registry, 'of'>,
  now: () => Date,
  restore: Restore,
): readonly Controller[] => [
  {
    ...schemaController(registry, now),
    forget: (gone) => restore(gone, schemasId),
  },
  {
    name: 'priority-levels',
    resource: levelsId,
    reconcile: async () => undefined,
    forget: (gone) => restore(gone, levelsId),
  },
];

const schemaController = (registry: Pick<Registry, 'of'>, now: () => Date): Controller => ({
  name: 'flow-schemas',
  resource: schemasId,
  sources: [
    {
      resource: levelsId,
      concerned: async ({ metadata: { name } }) =>
        (await registry.of(schemasId).list()).entries
          .filter(({ value }) => levelOf(value) === name)
          .map(({ value }) => objectKeyIn(value)),
    },
  ],
  async reconcile(given) {
    const level = levelOf(given);
    const isThere = (await registry.of(levelsId).find({ namespace: undefined, name: level })) !== undefined;
    const what = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
    const condition = isThere
      ? { type: 'Dangling', status: 'False', reason: 'Found', message: `${what} and it exists` }
      : { type: 'Dangling', status: 'True', reason: 'NotFound', message: `${what} but there is no such object` };
    const before = part<Status>(given, 'status').conditions ?? [];
    const conditions = withCondition(before, condition, now());
    if (equal(conditions, before)) return undefined;
    // A schema that has changed is looked at again.
    const put = (current: KubeObject): KubeObject =>
      equal(current.spec, given.spec) ? { ...current, status: { ...(current.status as object), conditions } } : current;
    await registry.of(schemasId).updateInternally(objectKeyIn(given), put, { part: 'status' }).catch(unlessGone);
    return undefined;
  },
});
