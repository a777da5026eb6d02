// Watches in protobuf: the same events as in JSON, one in each frame.

import { mediaTypes } from '../../matrix/api/index.js';
import { isProtobuf, wireType } from '../client/decoders.js';
import { equal, fail } from '../client/expect.js';
import { brief } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { eventsOf, watching } from '../client/streams/watches.js';
import { sameObject } from '../objects/sameness.js';
import { isValid } from '../objects/schemas/validate.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';
import { formOf, makeNamed, versionNow } from '../watch/forms.js';
import { textsOf } from './objects.js';

const label = 'kube-api-conformance/watched';

/** Watches an object from before its create to its delete. */
async function watched({ client }: Context, path: string, from: string, value: string, accept: string) {
  const query = { resourceVersion: from, labelSelector: `${label}=${value}` };
  const read = (stream: Parameters<Parameters<typeof watching>[3]>[0]) =>
    stream
      .until(() => eventsOf(stream).some(({ type }) => type === 'DELETED'))
      .then(() => ({
        request: `${stream.request}, Accept ${accept}`,
        status: stream.status,
        type: stream.headers['content-type'],
        events: eventsOf(stream),
      }));
  return watching(client, path, query, read, { headers: { accept } });
}

type Watched = Recorded<typeof watched>;

/** Throws Failure unless the response is a stream of events with the Content-Type of protobuf. */
function streams({ request, status, type, events }: Watched): void {
  equal(status, 200, `${request}: status`);
  if (!isProtobuf(type)) fail(`${request}: Content-Type is ${type ?? 'absent'}`);
  equal(String(events[0]?.type), 'ADDED', `${request}: the type of the first event`);
}

export const watchGroups = [
  group({
    subjects: 'protobufWatches',
    setup: async ({ operation }, context) => {
      const { sandbox, client } = context;
      const form = await formOf(operation, sandbox);
      const { resource, namespace, name, path } = form;
      const from = await versionNow(sandbox, form);
      await makeNamed(sandbox, form, { labels: { [label]: name }, change: textsOf(resource) });
      const object = `${pathTo(resource, 'delete', namespace, name)}?propagationPolicy=Background`;
      await sandbox.attempt(`delete ${resource.plural}`, 'DELETE', object);
      const protobuf = wireType('protobuf', client.target);
      const accepts = [protobuf, `${protobuf};stream=watch`, mediaTypes.json] as const;
      const [plain, stream, json] = await Promise.all(
        accepts.map((accept) => watched(context, path, from, name, accept)),
      );
      return { plain: plain as Watched, stream: stream as Watched, json: json as Watched };
    },
    checks: {
      watch: ({ plain }) => streams(plain),
      'watch-stream': ({ stream }) => streams(stream),
      'watch-framing': ({ plain, stream }) => {
        for (const { request, type, events } of [plain, stream]) {
          if (!isProtobuf(type)) fail(`${request}: Content-Type is ${type ?? 'absent'}`);
          if (events.length === 0) fail(`${request}: no frame came whole`);
          const wrong = events.find(({ type }) => typeof type !== 'string');
          if (wrong !== undefined)
            fail(`${request}: a frame holds no WatchEvent: ${wrong.streamed.bytes.toString('base64')}`);
        }
      },
      'watch-schema': ({ plain, stream }) => {
        for (const { request, type, events } of [plain, stream]) {
          if (events.length === 0) fail(`${request}: no frame came whole`);
          const encoding = isProtobuf(type) ? 'protobuf' : 'text';
          for (const event of events) isValid(event.object, `${request}: the object of ${brief(event.type)}`, encoding);
        }
      },
      'watch-events': ({ plain, stream, json }) => {
        const expected = brief(json.events.map(({ type }) => type));
        for (const { request, events } of [plain, stream]) {
          equal(brief(events.map(({ type }) => type)), expected, `${request}: the types of the events`);
          for (const [index, { object }] of events.entries()) {
            sameObject(object, json.events[index]?.object, `${request}: event ${index + 1}`);
          }
        }
      },
    },
  }),
];
