// Surface: every stated operation is there, each called on objects that do not exist, so that nothing changes.
// And what there is beside the plain objects.
import type { Operation } from '../matrix/api/index.js';
import type { OperationSubject } from '../matrix/requirements/index.js';
import { defineChapter } from './support/chapter.js';
import { fail, Prerequisite } from './support/expect.js';
import { at } from './support/json.js';
import type { Reply } from './support/reply.js';
import { fill } from './support/scope.js';
import type { Context } from './support/worker.js';
import { besideChecks, besidePerformers } from './surface/beside.js';

const selecting = new Set(['list', 'listAll', 'deleteCollection', 'watchAll', 'watchList', 'watchOne']);

defineChapter(
  'surface',
  {
    statedOperations: async ({ operation }: OperationSubject, { client, scope }: Context) => {
      const namespace = await scope.namespace();
      const path = fill(operation.path, namespace, scope.name());
      const nothing = 'labelSelector=kube-api-conformance%2Fnothing%3Dnothing';
      const query = selecting.has(operation.verb) ? `?${nothing}&timeoutSeconds=1` : '';
      const stream = operation.verb.startsWith('watch') ? ({ headersOnly: true } as const) : {};
      const reply = await client.send({
        method: operation.method,
        path: path + query,
        ...bodyOf(operation),
        ...stream,
      });
      return { reply };
    },
    ...besidePerformers,
  },
  {
    served: ({ reply }) => {
      const { status } = reply;
      if (status === 401 || status === 403) {
        throw new Prerequisite(`${reply.request}: not let in: ${status} ${reply.excerpt()}`);
      }
      if (status === 405 || status === 501) fail(`${reply.request}: not served: ${status} ${reply.excerpt()}`);
      if (status === 404 && !namesAnObject(reply)) {
        fail(`${reply.request}: the path is unknown: 404 ${reply.excerpt()}`);
      }
    },
    ...besideChecks,
  },
);

/** A 404 of a served operation says which object it misses. */
function namesAnObject(reply: Reply): boolean {
  const name = at(reply.tryValue(), 'details', 'name');
  return typeof name === 'string' && name !== '';
}

/** An object with no content: refused, or harmless where it is let in. */
function bodyOf({ body, requestTypes }: Operation): { body?: string; headers?: Record<string, string> } {
  if (body === 'patch' && requestTypes !== 'any') {
    return { body: '{}', headers: { 'content-type': 'application/merge-patch+json' } };
  }
  return body === 'none' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
}
