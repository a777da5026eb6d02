// The events of a watch while a test acts.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { inject, vi } from 'vitest';
import type { RunningServer } from '../server.js';
import type { AnyShape } from './anyShape.js';

/** Returns the events of a watch until `act` has ended. `seen` resolves when there are so many. */
export async function watched(
  { url, caCertificate, token }: RunningServer,
  path: string,
  act: (seen: (count: number) => Promise<void>) => Promise<void>,
): Promise<readonly AnyShape[]> {
  const events: AnyShape[] = [];
  const asked = request(url + path, { ca: caCertificate, headers: { authorization: `Bearer ${token}` } }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    events.push(...lines.filter((line) => line !== '').map((line) => JSON.parse(line)));
  });
  response.on('error', () => {});
  const seen = (count: number) =>
    vi.waitFor(
      () => {
        if (events.length < count) throw new Error(`${events.length} events instead of ${count}`);
      },
      { timeout: inject('deadline') / 2, interval: 20 },
    );
  try {
    await act(seen);
  } finally {
    asked.destroy();
  }
  return events;
}
