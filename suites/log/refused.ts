// Requests that are refused before any node is asked, and paths that are not a log.

import { clientError, equal, fail, oneOf, Prerequisite, status, statusObject } from '../client/expect.js';
import { at, brief } from '../client/json.js';
import { fill, pathTo } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { nodes, pods } from '../objects/related.js';
import { putChanged } from '../objects/writes.js';
import type { Subject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { type LogPod, logPath, severalPod, unscheduledPod } from './pods.js';

const get = ({ client }: Context, path: string): Promise<Reply> => client.send({ method: 'GET', path });

/** Returns a setup that asks with the variant as the query; `plain` is not a query. */
const asking =
  (pod: (context: Context) => Promise<LogPod>, more = '') =>
  async ({ variant = '' }: Subject, context: Context): Promise<Reply> => {
    const query = [variant === 'plain' ? '' : variant, more].filter(Boolean).join('&');
    return await get(context, logPath(await pod(context), query));
  };
const askingUnscheduled = asking(unscheduledPod);

async function lost({ variant }: Subject, context: Context): Promise<Reply> {
  const { sandbox } = context;
  const nodeName = variant === 'a node that is not there' ? sandbox.name() : await silentNode(context);
  const { name, namespace } = await sandbox.make(pods, { change: { spec: { nodeSelector: undefined, nodeName } } });
  return await get(context, pathTo(pods, 'log', namespace, name));
}

/** Creates a node with an address on which no process listens. */
async function silentNode({ sandbox }: Context): Promise<string> {
  const status = {
    addresses: [{ type: 'InternalIP', address: '10.250.99.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
  };
  const made = await sandbox.make(nodes, { change: { status } });
  if (at(made.object, 'status', 'addresses', 0) === undefined) {
    const path = `${pathTo(nodes, 'read', undefined, made.name)}/status`;
    const reply = await putChanged(sandbox, made, path, (object) => ({ ...object, status }));
    if (reply.status > 299) throw new Prerequisite(`give the node its address: ${reply.status} ${reply.excerpt()}`);
  }
  return made.name;
}

const refused =
  (code: number, reason: string) =>
  (reply: Reply): void => {
    status(reply, code);
    statusObject(reply, reason);
  };

function isError(reply: Reply): void {
  if (reply.status < 400) fail(`${reply.request}: expected an error, got ${reply.status} ${brief(reply.excerpt())}`);
}

export const refusedGroups = [
  group({
    subjects: 'severalContainerLogs',
    setup: asking(severalPod),
    checks: {
      'container-required': (reply) => {
        refused(400, 'BadRequest')(reply);
        for (const name of ['alpha', 'beta']) {
          equal(
            reply.excerpt().includes(name),
            true,
            `${reply.request}: the message names ${name}: ${reply.excerpt()}`,
          );
        }
      },
    },
  }),
  group({
    subjects: 'unknownContainerLogs',
    setup: asking(unscheduledPod, 'container=stranger'),
    checks: { 'container-unknown': refused(400, 'BadRequest') },
  }),
  group({
    subjects: 'bothStarts',
    setup: askingUnscheduled,
    checks: { 'since-exclusive': clientError },
  }),
  group({
    subjects: 'refusedSinceSeconds',
    setup: askingUnscheduled,
    checks: {
      'since-seconds-invalid': (reply, { variant }) => {
        // a negative number means the future, which has no lines (readings, 37)
        if (variant !== 'sinceSeconds=-1' || reply.status !== 200) refused(422, 'Invalid')(reply);
      },
    },
  }),
  group({
    subjects: 'malformedSinceTimes',
    setup: askingUnscheduled,
    checks: { 'since-time-malformed': isError },
  }),
  group({
    subjects: 'negativeTails',
    setup: askingUnscheduled,
    checks: { 'tail-lines-negative': refused(422, 'Invalid') },
  }),
  group({
    subjects: 'refusedLimits',
    setup: askingUnscheduled,
    checks: { 'limit-bytes-invalid': refused(422, 'Invalid') },
  }),
  group({
    subjects: 'malformedNumbers',
    setup: askingUnscheduled,
    checks: { 'malformed-number': isError },
  }),
  group({
    subjects: 'unscheduledLogs',
    setup: askingUnscheduled,
    checks: {
      'unscheduled-status': (reply) => {
        if (reply.status >= 200 && reply.status <= 299) status(reply, 200);
      },
      unscheduled: (reply) => {
        status(reply, 200, 204);
        equal(reply.bytes.length, 0, `${reply.request}: bytes of the log`);
      },
    },
  }),
  group({
    subjects: 'absentLogs',
    setup: async ({ operation, variant }, context) => {
      const { name } = await unscheduledPod(context);
      const path = fill(operation.path, await context.sandbox.namespace('other'), name);
      return await get(context, variant === 'plain' ? path : `${path}?${variant}`);
    },
    checks: { absent: refused(404, 'NotFound') },
  }),
  group({
    subjects: 'lostNodes',
    setup: lost,
    checks: { 'absent-node': isError },
  }),
  group({
    subjects: 'otherMethods',
    setup: async ({ variant = '' }, context) => {
      const { path } = await unscheduledPod(context);
      const type = variant === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      return await context.client.send({ method: variant, path, headers: { 'content-type': type }, body: '{}' });
    },
    // A user who may not write to logs is refused before the method is looked at.
    checks: { 'read-only': (reply) => oneOf(reply.status, [403, 405], `${reply.request}: status`) },
  }),
];
