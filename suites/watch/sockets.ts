// Watches over a WebSocket: one event in each message.

import { equal, fail } from '../client/expect.js';
import { at, brief } from '../client/json.js';
import { Reply } from '../client/reply.js';
import { watchPath } from '../client/streams/watches.js';
import type { Message } from '../client/streams/webSocket.js';
import type { OperationSubject } from '../requirements/index.js';
import { group } from '../run/group.js';
import type { Context } from '../run/worker.js';
import { formOf, makeNamed, versionNow } from './forms.js';
import { remove } from './removal.js';

/** Watches over a WebSocket while an object is created and deleted. */
async function socketWatched({ operation }: OperationSubject, { client, sandbox }: Context) {
  const form = await formOf(operation, sandbox);
  const path = watchPath(form.path, { resourceVersion: await versionNow(sandbox, form) });
  return client.webSocket({ path }, async (opened) => {
    if (opened instanceof Reply) return { path, refusal: opened };
    const told = () =>
      opened.received.map(decoded).filter((event) => at(event, 'object', 'metadata', 'name') === form.name);
    const made = await makeNamed(sandbox, form);
    await remove(sandbox, made);
    await opened.until(() => told().some((event) => at(event, 'type') === 'DELETED'));
    return { path, received: opened.received, types: told().map((event) => at(event, 'type')) };
  });
}

function decoded({ bytes }: Message): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

export const socketGroups = [
  group({
    subjects: 'webSocketWatches',
    setup: socketWatched,
    checks: {
      websocket: ({ path, refusal, received = [], types = [] }) => {
        const what = `a WebSocket to ${path}`;
        if (refusal !== undefined) fail(`${what}: it is answered with ${refusal.status} ${refusal.excerpt()}`);
        for (const message of received) {
          equal(message.binary, false, `${what}: a binary message`);
          if (typeof at(decoded(message), 'type') !== 'string')
            fail(`${what}: no event: ${brief(message.bytes.toString())}`);
        }
        const told = types.filter((type) => type !== 'MODIFIED');
        equal(brief(told), brief(['ADDED', 'DELETED']), `${what}: the events of an object that is created and deleted`);
      },
    },
  }),
];
