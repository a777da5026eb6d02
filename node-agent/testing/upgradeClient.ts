// A client that requests an upgrade and returns the response.
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** Sends an upgrade request. Resolves with the text of a refusal, or with the socket of a 101. */
export function upgrade(port: number, target: string, headers: Record<string, string | string[]>, method = 'POST') {
  return new Promise<{ status: number; headers: Record<string, unknown>; text?: string; socket?: Socket }>(
    (resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path: target, method, headers });
      sent.on('error', reject);
      sent.on('upgrade', (response, socket) => resolve({ status: 101, headers: response.headers, socket }));
      sent.on('response', async (response) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: await text(response) });
      });
      sent.end();
    },
  );
}
