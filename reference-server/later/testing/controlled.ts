// A server with its controls, for tests of what authors of tests do.

import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { ask } from '../../testing/standIn.js';
import type { Controls } from '../control/controls.js';
import { type FullServerOptions, startFullServer } from '../index.js';

export interface ControlledServer extends AsyncDisposable {
  readonly server: RunningServer;
  readonly controls: Controls;
  /** Sends a request with the token of the server. The body of the response is parsed if it is JSON. */
  send(
    method: string,
    path: string,
    body?: unknown,
    contentType?: string,
  ): Promise<{ readonly status: number; readonly headers: AnyShape; readonly body: AnyShape }>;
}

/** Starts a server that records requests. Its present state is the one that `reset` returns to. */
export async function startControlled(options: FullServerOptions = {}): Promise<ControlledServer> {
  const server = await startFullServer({ requests: true, ...options });
  const controls = server.controls as Controls;
  await controls.markStart();
  return {
    server,
    controls,
    async send(method, path, body, contentType = 'application/json') {
      const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': contentType } };
      const { status, headers, text } = await ask(server, path, { method, ...sent });
      return { status, headers, body: text.startsWith('{') ? JSON.parse(text) : text };
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

export class OpenWatch {
  readonly events: AnyShape[] = [];
  /** Resolves when the watch has ended: with undefined, or with the error of its connection. */
  readonly ended: Promise<unknown>;

  constructor({ server }: ControlledServer, path: string) {
    const read = ask(server, path).then(({ text }) => {
      for (const line of text.split('\n')) if (line !== '') this.events.push(JSON.parse(line));
    });
    this.ended = read.then(
      () => undefined,
      (error: unknown) => error,
    );
  }
}
