// Checks the server that keeps the namespaces of the target.

import { type Client, hasNamespaces, onNamespaceServer } from '../../../suites/index.js';
import type { NotSupported } from '../../../suites/requirements/index.js';
import { UsageError } from '../../errors.js';
import { cameIn } from './cameIn.js';
import { reach } from './reach.js';

/** Throws UsageError if the target has namespaces itself, or if the server that should keep them lists none. */
export async function checkNamespaceServer(client: Client, notSupported: readonly NotSupported[]): Promise<void> {
  const { namespaceServer, url } = client.target;
  if (namespaceServer === undefined) return;
  if (hasNamespaces(notSupported))
    throw new UsageError(
      `${url} has namespaces itself: leave out --namespace-server (namespaceServer of a target file)`,
    );
  await onNamespaceServer(client, async (keeper) => {
    await reach(keeper);
    const reply = await keeper.send({ method: 'GET', path: '/api/v1/namespaces?limit=1' });
    if (reply.status !== 200)
      throw new UsageError(
        `--namespace-server: ${keeper.target.url} responds with ${cameIn(keeper, reply)} to a list of namespaces: the credentials of the run must be valid there too, and may create and delete namespaces`,
      );
  });
}
