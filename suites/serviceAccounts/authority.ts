// The authority in the Secrets of accounts, and the certificate of the server that it must verify.
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { Unchecked } from '../client/expect.js';
import { dial, type Reachable } from '../client/route.js';
import { afterRunning } from '../client/runningTime.js';

/** The name by which pods call the server. With it, some servers present another certificate than to clients outside. */
const nameInPods = 'kubernetes.default.svc';

export function isCertificate(text: string | undefined): boolean {
  try {
    return text !== undefined && new X509Certificate(text).ca;
  } catch {
    return false;
  }
}

/** Returns why this authority alone does not verify a connection to the target in time; undefined if it does. */
export async function whyUnverified(
  target: Reachable,
  ca: string | undefined,
  timeout: number,
): Promise<Unchecked | string | undefined> {
  if (!target.url.startsWith('https:'))
    return new Unchecked('skipped', 'the target speaks plain HTTP: it has no certificate');
  if (ca === undefined) return 'there is no ca.crt';
  const why = await whyNotBy(ca, target, timeout);
  if (why === undefined || (await whyNotBy(ca, target, timeout, nameInPods)) === undefined) return undefined;
  return why;
}

/** Returns why the authority does not verify a connection, with a name other than that of the target if one is given. */
async function whyNotBy(ca: string, target: Reachable, timeout: number, name?: string): Promise<string | undefined> {
  try {
    const anyName = name === undefined ? {} : { checkServerIdentity: () => undefined };
    const socket = dial(target, { ca, rejectUnauthorized: true, ...anyName }, name);
    const cancel = afterRunning(timeout, () => socket.destroy(new Error('the handshake took too long')));
    await once(socket, 'secureConnect').finally(cancel);
    socket.destroy();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
