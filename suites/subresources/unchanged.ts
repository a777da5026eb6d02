// Replaces of a subresource by what is there: they make no version.
import { isStill, success } from '../client/expect.js';
import { at, type JsonObject } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { scaled } from '../objects/related.js';
import { conflicts } from '../objects/sandbox.js';
import { sendBody } from '../objects/writes.js';
import { group } from '../run/group.js';

const versionOf = (object: unknown) => at(object, 'metadata', 'resourceVersion');

export const unchangedGroups = [
  group({
    subjects: 'sameReplaces',
    setup: async ({ operation }, { client, sandbox }) => {
      const ofScale = operation.verb === 'replaceScale';
      const resource = resourceOf(operation);
      const made = await sandbox.make(ofScale ? scaled(resource) : resource, { statusToCome: true });
      const path = fill(operation.path, made.namespace, made.name);
      const shown = async (): Promise<JsonObject> =>
        ofScale
          ? ((await client.send({ method: 'GET', path })).value() as JsonObject)
          : ((await sandbox.current(made)) ?? made.object);
      const replaced = async (attempt = 1): Promise<{ readonly before: JsonObject; readonly reply: Reply }> => {
        const before = await shown();
        const reply = await sendBody(sandbox, 'PUT', path, before);
        // A controller wrote in between.
        return reply.status === 409 && attempt < conflicts ? replaced(attempt + 1) : { before, reply };
      };
      // The first one may make its sender the owner of what the server set.
      await replaced();
      return replaced();
    },
    checks: {
      'no-change': ({ before, reply }) => {
        success(reply);
        const what = `${reply.request} without a change: metadata.resourceVersion`;
        isStill({ before: versionOf(before), after: versionOf(reply.value()) }, what);
      },
    },
  }),
];
