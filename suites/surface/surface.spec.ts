// Surface: every stated operation exists, called on objects that do not exist, so that nothing changes; and the parts
// of the API beside plain objects.
import type { Operation } from '../../matrix/api/index.js';
import { fail, Prerequisite } from '../client/expect.js';
import { at } from '../client/json.js';
import { fill } from '../client/paths.js';
import { isDenied, type Reply } from '../client/reply.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';
import { besideGroups } from './beside.js';
import { waywardGroups } from './wayward.js';

const selecting = new Set(['list', 'listAll', 'deleteCollection', 'watchAll', 'watchList', 'watchOne']);

defineChapter('surface', [
  ...besideGroups,
  ...waywardGroups,
  group({
    subjects: 'statedOperations',
    setup: async ({ operation }, { client, sandbox }) => {
      const namespace = await sandbox.namespace();
      const name = sandbox.name();
      const path = fill(operation.path, namespace, name);
      const nothing = 'labelSelector=kube-api-conformance%2Fnothing%3Dnothing';
      const query = selecting.has(operation.verb) ? `?${nothing}&timeoutSeconds=1` : '';
      const stream = operation.verb.startsWith('watch') ? ({ headersOnly: true } as const) : {};
      const reply = await client.send({
        method: operation.method,
        path: path + query,
        ...bodyOf(operation),
        ...stream,
      });
      return { reply, name };
    },
    checks: {
      served: ({ reply, name }) => {
        const { status } = reply;
        // Admission looks at the object of a connection of an operation that is served.
        if (status === 403 && !isDenied(reply) && namesAnObject(reply, name)) return;
        if (status === 401 || status === 403) {
          throw new Prerequisite(`${reply.request}: not let in: ${status} ${reply.excerpt()}`);
        }
        if (status === 405 || status === 501) fail(`${reply.request}: not served: ${status} ${reply.excerpt()}`);
        if (status === 404 && !namesAnObject(reply, name)) {
          fail(`${reply.request}: the path is unknown: 404 ${reply.excerpt()}`);
        }
      },
    },
  }),
]);

/**
 * Reports whether a refusal names the absent object, as a served operation does: in its details, which `read.absent` asks
 * for, or in its message. The message about an unknown path may have the whole path.
 */
function namesAnObject(reply: Reply, asked: string): boolean {
  const name = at(reply.tryValue(), 'details', 'name');
  if (typeof name === 'string' && name !== '') return true;
  const message = at(reply.tryValue(), 'message');
  return typeof message === 'string' && message.includes(asked) && !message.includes(`/${asked}`);
}

/** Returns an empty object as the body: refused, or harmless if it is accepted. */
function bodyOf({ body, requestTypes }: Operation): { body?: string; headers?: Record<string, string> } {
  if (body === 'patch' && requestTypes !== 'any') {
    return { body: '{}', headers: { 'content-type': 'application/merge-patch+json' } };
  }
  return body === 'none' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
}
