// JSON patches that test one value and replace it, at once: exactly one of them wins.
import { at } from '../client/json.js';
import { makerAtRest } from '../objects/effects/settled.js';
import { oneWins, race, raceLabel } from '../objects/races.js';
import { group } from '../run/group.js';
import { makeFor, pathOn } from './target.js';

const free = { [raceLabel]: 'free' };
const pointer = `/metadata/labels/${raceLabel.replaceAll('/', '~1')}`;

/** The checks of JSON patches that race. */
export const raceGroups = [
  group({
    subjects: 'jsonPatchRaces',
    setup: async ({ operation, variant }, { client, sandbox }) => {
      const make = makerAtRest(sandbox, () => makeFor(operation, sandbox, { metadata: { labels: free } }));
      return race(sandbox, async () => {
        const object = await make();
        const version = at(object.object, 'metadata', 'resourceVersion') ?? null;
        const test =
          variant === 'a value'
            ? { op: 'test', path: pointer, value: 'free' }
            : { op: 'test', path: '/metadata/resourceVersion', value: version };
        const send = ({ [raceLabel]: value }: { readonly [raceLabel]: string }) => {
          const patch = [test, { op: 'replace', path: pointer, value }];
          const headers = { 'content-type': 'application/json-patch+json' };
          return client.send({
            method: 'PATCH',
            path: pathOn(operation, object),
            headers,
            body: JSON.stringify(patch),
          });
        };
        return { object, send };
      });
    },
    checks: { 'json-patch-test-race': (record) => oneWins(record) },
  }),
];
