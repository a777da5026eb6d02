// The server that keeps the namespaces of a target that has none itself, such as the one that aggregates the target.

import { Client } from '../client/client.js';
import type { Target } from '../requirements/index.js';

/**
 * Calls `act` with a client of the server that keeps the namespaces of the client's target. Returns undefined if the
 * user names no such server.
 */
export async function onNamespaceServer<T>(
  client: Client,
  act: (keeper: Client) => Promise<T>,
): Promise<T | undefined> {
  const { namespaceServer, aliases: _, route, ...target } = client.target;
  if (namespaceServer === undefined) return undefined;
  const there: Target = { ...target, ...namespaceServer, ...(route?.insecure && { route: { insecure: true } }) };
  const keeper = new Client(there, client.usualStreamPatience, {
    patience: client.fullPatience,
    redactor: client.redactor,
  });
  try {
    return await act(keeper);
  } finally {
    await keeper.close();
  }
}
