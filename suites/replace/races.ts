// Replaces with one resourceVersion at once: exactly one of them wins.
import { type JsonObject, merge } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import { atRest } from '../objects/effects/settled.js';
import { oneWins, race } from '../objects/races.js';
import { group } from '../run/group.js';

/** The checks of replaces that race. */
export const raceGroups = [
  group({
    subjects: 'racingReplaces',
    setup: async ({ operation }, { client, sandbox }) =>
      race(sandbox, async (attempt) => {
        const made = await sandbox.make(resourceOf(operation));
        const current = attempt === 1 ? made.object : ((await atRest(sandbox, made, attempt)) ?? made.object);
        const send = (label: JsonObject) => {
          const body = JSON.stringify(merge(current, { metadata: { labels: label } }));
          const path = fill(operation.path, made.namespace, made.name);
          return client.send({ method: 'PUT', path, headers: { 'content-type': 'application/json' }, body });
        };
        return { object: made, send };
      }),
    checks: { race: (record) => oneWins(record, 'Conflict') },
  }),
];
