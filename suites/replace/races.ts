// Replaces with one resourceVersion at once: exactly one of them wins.
import { type JsonObject, merge } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import { makerAtRest } from '../objects/effects/settled.js';
import { oneWins, race } from '../objects/races.js';
import { group } from '../run/group.js';

/** The checks of replaces that race. */
export const raceGroups = [
  group({
    subjects: 'racingReplaces',
    setup: async ({ operation }, { client, sandbox }) => {
      const make = makerAtRest(sandbox, () => sandbox.make(resourceOf(operation)));
      return race(sandbox, async () => {
        const object = await make();
        const send = (labels: JsonObject) => {
          const body = JSON.stringify(merge(object.object, { metadata: { labels } }));
          const path = fill(operation.path, object.namespace, object.name);
          return client.send({ method: 'PUT', path, headers: { 'content-type': 'application/json' }, body });
        };
        return { object, send };
      });
    },
    checks: { race: (record) => oneWins(record, 'Conflict') },
  }),
];
