// Versions: each prefix returns objects in its own version, and two versions show the same object.

import { equal, fail, status } from '../client/expect.js';
import { at } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';
import { sharedGroups } from './shared.js';

const versions: Readonly<Record<string, string>> = {
  '/api/v1/': 'v1',
  '/apis/autoscaling/v1/': 'autoscaling/v1',
  '/apis/batch/v1/': 'batch/v1',
  '/apis/extensions/v1beta1/': 'extensions/v1beta1',
};

defineChapter('versions', [
  ...sharedGroups,
  group({
    subjects: 'versionedReads',
    setup: async ({ operation }, { client, sandbox }) => {
      const made = await sandbox.make(resourceOf(operation));
      const reply = await client.send({ method: 'GET', path: fill(operation.path, made.namespace, made.name) });
      return { reply, path: operation.path };
    },
    checks: {
      'group-version': ({ reply, path }) => {
        status(reply, 200);
        const expected =
          Object.entries(versions).find(([prefix]) => path.startsWith(prefix))?.[1] ??
          /^\/apis\/([^/]+\/[^/]+)\//.exec(path)?.[1];
        equal(
          at(reply.value(), 'apiVersion'),
          expected ?? fail(`no version for ${path}`),
          `${reply.request}: apiVersion`,
        );
      },
    },
  }),
]);
