// Port-forwards: several connections at once, a port without a listener, and large amounts of data.

import { randomBytes } from 'node:crypto';
import { defined } from '../../matrix/api/index.js';
import { equal, fail } from '../client/expect.js';
import { at } from '../client/json.js';
import { Reply } from '../client/reply.js';
import type { OperationSubject } from '../requirements/index.js';
import { group } from '../run/group.js';
import type { Context } from '../run/worker.js';
import { made, pathOn } from './connections.js';
import { web } from './containers.js';
import { type PortForward, withPortForward } from './portForward.js';
import { usual } from './transports.js';
import { echoed, httpGet } from './tunnelled.js';

/** A port without a listener. */
const closedPort = 8099;

async function opened<T>(
  { operation }: OperationSubject,
  context: Context,
  ports: readonly number[],
  use: (forward: PortForward) => Promise<T>,
): Promise<{ readonly what: string; readonly refusal?: Reply; readonly result?: T }> {
  const { method } = operation;
  const transport = usual(method);
  const path = pathOn(operation, await web(context));
  const what = `${method} ${path} over ${transport}`;
  return await withPortForward(context.client, { method, path, transport, ports }, async (forward) =>
    forward instanceof Reply ? { what, refusal: forward } : { what, result: await use(forward) },
  );
}

/**
 * Opens two connections to one port and one to another at once; then connects to a port without a listener, and to the
 * first port again.
 */
async function several(subject: OperationSubject, context: Context) {
  const ports = [8080, 8080, 8081, closedPort, 8080];
  const { client } = context;
  return await opened(subject, context, ports, async (forward) => {
    const answers: string[] = [];
    for (const port of ports.slice(0, 3)) {
      const { stream } = await forward.connect(port);
      answers.push(await httpGet(client, stream, `/${answers.length}/${port}`));
    }
    const closed = await forward.connect(closedPort);
    const trouble = await closed.trouble();
    const { stream } = await forward.connect(8080);
    return { answers, trouble, after: await httpGet(client, stream, '/after') };
  });
}

/** Returns the port and the path of the request that the HTTP server received. */
function seen(answer: string | undefined): string {
  try {
    const said: unknown = JSON.parse(answer ?? '');
    return `${at(said, 'port')}${at(said, 'path')}`;
  } catch {
    return 'nothing';
  }
}

async function large(subject: OperationSubject, context: Context) {
  const sent = randomBytes(3 * 1024 * 1024);
  const use = async (forward: PortForward) => {
    const { stream } = await forward.connect(8080);
    return await echoed(context.client, stream, sent);
  };
  return { sent, ...(await opened(subject, context, [8080], use)) };
}

export const portForwardGroups = [
  group({
    subjects: 'portForwardCalls',
    setup: several,
    checks: {
      'portforward-several': (record) => {
        made(record);
        for (const [index, asked] of ['8080/0/8080', '8080/1/8080', '8081/2/8081'].entries()) {
          equal(seen(record.result?.answers[index]), asked, `${record.what}: what the port saw on connection ${index}`);
        }
      },
      'portforward-closed': (record) => {
        made(record);
        const { what, result } = record;
        if (!result?.trouble) fail(`${what}: no error came on the error stream of port ${closedPort}`);
        equal(seen(result?.after), '8080/after', `${what}: what the next connection saw`);
      },
    },
  }),
  group({
    subjects: 'largePortForwards',
    setup: large,
    checks: {
      'portforward-bytes': ({ what, refusal, sent, result }) => {
        made({ what, ...defined({ refusal }) });
        if (result === undefined || !sent.equals(result)) {
          fail(`${what}: ${sent.length} bytes were sent, ${result?.length ?? 0} came back, and they are not the same`);
        }
      },
    },
  }),
];
