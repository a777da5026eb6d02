// Watches over a WebSocket: one event in each message.

import { equal, fail } from '../client/expect.js';
import { at, brief, readJson } from '../client/json.js';
import { Reply } from '../client/reply.js';
import { watchPath } from '../client/streams/watches.js';
import { keptAlive, type Message, type Socket } from '../client/streams/webSocket.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';
import { formOf, makeNamed, versionNow } from './forms.js';
import { remove } from './removal.js';

/** Watches over a WebSocket, as a browser does, while an object is created and deleted. */
async function socketWatched({ operation }: OperationSubject, { client, sandbox }: Context) {
  const form = await formOf(operation, sandbox);
  const path = watchPath(form.path, { resourceVersion: await versionNow(sandbox, form) });
  return client.webSocket({ path, headers: keptAlive }, async (opened) => {
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
    return readJson(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Codes with which clients close: they are done, or they go away. */
const codes = [1000, 1001];

/** Ends WebSockets in each way: the time of the watch is over, the client closes, and the client is gone. */
async function socketsEnded({ operation }: OperationSubject, { client, sandbox }: Context) {
  const form = await formOf(operation, sandbox);
  const resourceVersion = await versionNow(sandbox, form);
  const path = watchPath(form.path, { resourceVersion });
  const bounded = watchPath(form.path, { resourceVersion, timeoutSeconds: seconds });
  const opened = <T>(at: string, act: (socket: Socket) => Promise<T>): Promise<T | Reply> =>
    client.webSocket({ path: at }, async (socket) => (socket instanceof Reply ? socket : act(socket)));
  const ended = await opened(bounded, (socket) => socket.closed(seconds * 1000 + client.usualStreamTimeout));
  const closed = [];
  for (const code of codes) {
    const closing = await opened(path, (socket) => {
      socket.close(code);
      return socket.closed();
    });
    closed.push({ code, closing });
  }
  await opened(path, async (socket) => socket.cut());
  return { path, bounded, ended, closed, after: await opened(path, async (socket) => !socket.isClosed) };
}

const seconds = 1;

type Ended = Recorded<typeof socketsEnded>;

const accepted = <T>(what: string, answer: T | Reply): T =>
  answer instanceof Reply ? fail(`${what}: it is answered with ${answer.status} ${answer.excerpt()}`) : answer;

function endsInTime({ bounded, ended }: Ended): void {
  const what = `a WebSocket to ${bounded}`;
  const closing = accepted(what, ended);
  if (closing === undefined) fail(`${what}: it goes on after its time`);
  if (closing.code === 1006) fail(`${what}: it ends without a close frame after ${closing.at} ms`);
  if (closing.at < seconds * 1000 - 50) fail(`${what}: it ends after ${closing.at} ms`);
}

function closesToo({ path, closed, after }: Ended): void {
  for (const { code, closing } of closed) {
    const what = `a WebSocket to ${path} that the client closes with ${code}`;
    const answer = accepted(what, closing);
    if (answer === undefined || answer.code === 1006) fail(`${what}: the server does not close it`);
  }
  equal(accepted(`a WebSocket to ${path} after others were closed`, after), true, 'the next WebSocket is open');
}

export const socketGroups = [
  group({
    subjects: 'endedSockets',
    setup: socketsEnded,
    checks: { 'websocket-ends': endsInTime, 'websocket-closed': closesToo },
  }),
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
