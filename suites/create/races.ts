// Creates of one name at once: exactly one of them wins.
import { defined } from '../../matrix/api/index.js';
import { type JsonObject, merge } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import { oneWins, race } from '../objects/races.js';
import { group } from '../run/group.js';

/** The checks of creates that race. */
export const raceGroups = [
  group({
    subjects: 'racingCreates',
    setup: async ({ operation }, { client, sandbox }) => {
      const resource = resourceOf(operation);
      const namespace = resource.namespaced ? await sandbox.namespace() : undefined;
      return race(sandbox, async () => {
        const name = sandbox.name(resource);
        const path = fill(operation.path, namespace);
        const send = (label: JsonObject) => {
          const body = JSON.stringify(merge(sandbox.body(resource, name, namespace), { metadata: { labels: label } }));
          return client.send({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body });
        };
        return { object: { resource, name, ...defined({ namespace }) }, send };
      });
    },
    checks: { race: (record) => oneWins(record, 'AlreadyExists') },
  }),
];
