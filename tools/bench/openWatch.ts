// Opens watches, each on its own connection.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { json } from './format.js';

/** The address of a server, and the credentials for it. */
export interface Access {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
}

interface WatchOptions {
  readonly mediaType?: string;
  readonly signal?: AbortSignal;
}

/** Opens a watch and resolves when its head is there. Throws for any status but 200. */
export async function openWatch(
  { url, ca, token }: Access,
  path: string,
  { mediaType = json.mediaType, signal }: WatchOptions = {},
): Promise<IncomingMessage> {
  const asked = request(`${url}${path}`, {
    ca,
    agent: false,
    ...(signal && { signal }),
    headers: { accept: mediaType, authorization: `Bearer ${token}` },
  }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  if (response.statusCode === 200) return response;
  response.destroy();
  throw new Error(`GET ${path}: ${response.statusCode}`);
}
