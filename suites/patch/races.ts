// JSON patches that test one value and replace it, at once: exactly one of them wins.
import { equal, fail } from '../client/expect.js';
import { at, brief, type Json } from '../client/json.js';
import { group } from '../run/group.js';
import { twoValues } from './samples.js';
import { makeFor, pathOn } from './target.js';

const racers = ['1', '2', '3', '4', '5', '6'];

/** The checks of JSON patches that race. */
export const raceGroups = [
  group({
    subjects: 'jsonPatchRaces',
    setup: async ({ operation, variant }, { client, sandbox }) => {
      const made = await makeFor(operation, sandbox, { ...twoValues, data: { ...twoValues.data, a: 'free' } });
      const version = at(made.object, 'metadata', 'resourceVersion') ?? null;
      const test =
        variant === 'a value'
          ? { op: 'test', path: '/data/a', value: 'free' }
          : { op: 'test', path: '/metadata/resourceVersion', value: version };
      const send = (racer: string) => {
        const patch: Json = [test, { op: 'replace', path: '/data/a', value: racer }];
        const headers = { 'content-type': 'application/json-patch+json' };
        return client.send({ method: 'PATCH', path: pathOn(operation, made), headers, body: JSON.stringify(patch) });
      };
      const replies = await Promise.all(racers.map(send));
      return { replies, read: await sandbox.current(made) };
    },
    checks: {
      'json-patch-test-race': ({ replies, read }) => {
        const what = `${replies[0]?.request}, ${replies.length} at once with a test of one value`;
        const winners = racers.filter((_, index) => (replies[index]?.status ?? 0) < 300);
        const [winner] = winners;
        if (winner === undefined || winners.length > 1)
          fail(`${what}: expected one to succeed, got ${brief(replies.map((reply) => reply.status))}`);
        equal(at(read, 'data', 'a'), winner, `${what}, then read: the value of the one that succeeded`);
      },
    },
  }),
];
