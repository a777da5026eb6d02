// Before the first case: whether the target is there and lets us in.
import { type Client, NoAnswer } from '../../suites/index.js';
import { UsageError } from '../usageError.js';

/** Whether the target can be reached and lets us in. Throws UsageError with one sentence that says what to do. */
export async function preflight(client: Client): Promise<string | undefined> {
  const { url } = client.target;
  let reply: Awaited<ReturnType<Client['send']>>;
  try {
    reply = await client.send({ method: 'GET', path: '/version', deadline: 10_000 });
    if (reply.status === 404) reply = await client.send({ method: 'GET', path: '/api/v1', deadline: 10_000 });
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new UsageError(`${url} does not answer (${adviceOn(error.message)})`);
  }
  if (reply.status === 401 || reply.status === 403) {
    throw new UsageError(
      `${url} does not let us in (${reply.status}): give valid credentials with --token or --kubeconfig`,
    );
  }
  const gitVersion = (reply.tryValue() as { gitVersion?: unknown } | null | undefined)?.gitVersion;
  return typeof gitVersion === 'string' ? gitVersion : undefined;
}

function adviceOn(message: string): string {
  if (/self.signed|unable to (verify|get)|issuer/i.test(message))
    return `${message}; give its authority with --ca FILE`;
  if (/altnames|Hostname/i.test(message)) return `${message}; use a host name that the certificate holds`;
  return `${message}; is it running, and is the address right?`;
}
