// Versions: each prefix shows its own version of an object, and two of them show the same one.
import type { OperationSubject } from '../matrix/requirements/index.js';
import { defineChapter } from './support/chapter.js';
import { equal, fail, status } from './support/expect.js';
import { at } from './support/json.js';
import { fill } from './support/scope.js';
import type { Context } from './support/worker.js';
import { sharedChecks, sharedPerformers } from './versions/shared.js';

const versions: Readonly<Record<string, string>> = {
  '/api/v1/': 'v1',
  '/apis/autoscaling/v1/': 'autoscaling/v1',
  '/apis/batch/v1/': 'batch/v1',
  '/apis/extensions/v1beta1/': 'extensions/v1beta1',
};

defineChapter(
  'versions',
  {
    versionedReads: async ({ operation }: OperationSubject, { client, scope }: Context) => {
      const made = await scope.make(operation.resource ?? fail('a read without a resource'));
      const reply = await client.send({ method: 'GET', path: fill(operation.path, made.namespace, made.name) });
      return { reply, path: operation.path };
    },
    ...sharedPerformers,
  },
  {
    'group-version': ({ reply, path }) => {
      status(reply, 200);
      const expected = Object.entries(versions).find(([prefix]) => path.startsWith(prefix))?.[1];
      equal(
        at(reply.value(), 'apiVersion'),
        expected ?? fail(`no version for ${path}`),
        `${reply.request}: apiVersion`,
      );
    },
    ...sharedChecks,
  },
);
