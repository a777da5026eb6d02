// Where the namespaces of a target are: on itself, or on another server, such as the one that aggregates the target.
import { Client } from '../client/client.js';
import type { NotSupported, Target } from '../requirements/index.js';

/** Reports whether a target has namespaces as objects. A target without them takes any name of a namespace. */
export function hasNamespaces(notSupported: readonly NotSupported[]): boolean {
  return !notSupported.some(
    ({ capability }) => capability === 'group:core' || capability === 'resource:core/namespaces',
  );
}

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
  const keeper = new Client(there, client.usualStreamTimeout, {
    timeout: client.fullTimeout,
    redactor: client.redactor,
  });
  try {
    return await act(keeper);
  } finally {
    await keeper.close();
  }
}
