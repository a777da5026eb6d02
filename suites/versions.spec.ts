// Versions: each prefix returns objects in its own version, and two versions show the same object.
import type { OperationSubject } from '../matrix/requirements/index.js';
import { equal, fail, status } from './support/http/expect.js';
import { at } from './support/http/json.js';
import { fill, resourceOf } from './support/http/paths.js';
import { defineChapter } from './support/run/chapter.js';
import type { Context } from './support/run/worker.js';
import { sharedChecks, sharedSetups } from './versions/shared.js';

const versions: Readonly<Record<string, string>> = {
  '/api/v1/': 'v1',
  '/apis/autoscaling/v1/': 'autoscaling/v1',
  '/apis/batch/v1/': 'batch/v1',
  '/apis/extensions/v1beta1/': 'extensions/v1beta1',
};

defineChapter(
  'versions',
  {
    versionedReads: async ({ operation }: OperationSubject, { client, sandbox }: Context) => {
      const made = await sandbox.make(resourceOf(operation));
      const reply = await client.send({ method: 'GET', path: fill(operation.path, made.namespace, made.name) });
      return { reply, path: operation.path };
    },
    ...sharedSetups,
  },
  {
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
    ...sharedChecks,
  },
);
