// Before the first case: whether the target is there, lets us in, permits what the chosen cases send, and what it is.
import type { Case, NotSupported } from '../../matrix/requirements/index.js';
import { type Client, NoAnswer } from '../../suites/index.js';
import { UsageError } from '../usageError.js';
import { clockSkew, skewLimit } from './preflight/clock.js';
import { checkCredentials, refusal } from './preflight/credentials.js';
import { offerOf, versionOf } from './preflight/kind.js';
import { missingPermissions, permissionsOf } from './preflight/permissions.js';
import { reach } from './preflight/reach.js';

/** What was found of a target that can be used. */
export interface Found {
  /** As its `/version` says it. */
  readonly serverVersion?: string;
}

/**
 * Whether the target can be reached, speaks the interface and lets us in. `usesFixtures`: certificates and tokens that
 * are made for the run must be valid by its clock. Throws UsageError with one sentence that says what to do.
 */
export async function preflight(client: Client, usesFixtures: boolean): Promise<Found> {
  const { target } = client;
  checkCredentials(target);
  const { reply, sent, received } = await reach(client);
  const skew = clockSkew(reply.headers.date, sent, received);
  if (Math.abs(skew) > skewLimit) {
    const sentence = `the clock of ${target.url} is ${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} ours: set both by NTP`;
    if (usesFixtures) throw new UsageError(`${sentence}, certificates and tokens of this run would be refused`);
    note(`${sentence}; certificates and tokens may be refused`);
  }
  const namespaces = await asked(client, '/api/v1/namespaces?limit=1');
  for (const { status } of [reply, namespaces]) if (status === 401) throw refusal(target, status);
  if (reply.status === 403 && namespaces.status === 403) throw refusal(target, 403);
  const version = versionOf(reply.tryValue());
  if (version === undefined) return {};
  const offer = target.deviations.length === 0 ? offerOf(version) : undefined;
  if (offer !== undefined) note(offer);
  return { serverVersion: version };
}

/** Throws UsageError where the credentials may not do what the cases need; the sentence names what is missing. */
export async function checkPermissions(
  client: Client,
  cases: readonly Case[],
  notSupported: readonly NotSupported[],
): Promise<void> {
  const missing = await missingPermissions(client, permissionsOf(cases, { ...client.target, notSupported }));
  if (missing === '') return;
  throw new UsageError(
    `${client.target.url} does not permit what the chosen cases need: ${missing}; grant it, by the role cluster-admin for example, or choose fewer cases`,
  );
}

async function asked(client: Client, path: string) {
  try {
    return await client.send({ method: 'GET', path, deadline: 10_000 });
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new UsageError(`${client.target.url} answers some requests and keeps silent on others (${error.message})`);
  }
}

/** Tells something that does not keep the run from starting. */
export function note(sentence: string): void {
  process.stderr.write(`note: ${sentence}\n`);
}
