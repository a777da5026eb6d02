// A list that is too large to be read at once is skipped if its pages show that it is large, and else no excuse.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Client } from '../client/client.js';
import { Prerequisite } from '../client/expect.js';
import { bareTarget } from '../testing/bareTarget.js';
import { judgedBySize } from './largeLists.js';

let server: Server;
let client: Client;
afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const item = { metadata: { name: 'x'.repeat(1024 * 1024) } };

/** Starts a server whose list has no end, and returns the error of a read of it. `page`: a page of the list. */
async function errorOf(page: object | undefined): Promise<unknown> {
  server = createServer(({ url = '' }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (page !== undefined && url.includes('limit=')) {
      const from = Number(/continue=(\d+)/.exec(url)?.[1] ?? 0);
      response.end(JSON.stringify({ metadata: { continue: String(from + 1) }, items: [item], ...page }));
      return;
    }
    response.write('{"items":[');
    const more = (): void => {
      while (!response.destroyed && response.write('{},'.repeat(300_000)));
    };
    response.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  // The time is not what is tested.
  client = new Client(bareTarget(`http://127.0.0.1:${port}`), undefined, { timeout: 600_000 });
  const asked = client.send({ method: 'GET', path: '/api/v1/pods?pretty=true' });
  return await asked.then(
    () => undefined,
    (error: unknown) => error,
  );
}

it.each<[what: string, page: object | undefined, skipped: boolean]>([
  ['large pages', {}, true],
  ['one page', { metadata: {} }, false],
  ['no pages', undefined, false],
])('a list with %s', async (_, page, skipped) => {
  const error = new Prerequisite('list pods', { cause: await errorOf(page) });
  const judged = await judgedBySize(client, error);
  if (!skipped) expect(judged).toBe(error);
  else
    expect(judged).toMatchObject({
      verdict: 'skipped',
      message: '/api/v1/pods has too many objects of others: it is too large to be read at once',
    });
});
