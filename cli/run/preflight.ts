// Checks before the first case: the target responds, accepts the credentials, and permits the requests of the chosen
// cases.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, NoAnswer } from '../../suites/index.js';
import type { Case, Target } from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';
import { writeTextFile } from '../files.js';
import { clockSkew, skewLimit } from './preflight/clock.js';
import { clusterRole } from './preflight/clusterRole.js';
import { checkCredentials, refusal } from './preflight/credentials.js';
import { offerOf, versionOf } from './preflight/kind.js';
import { forbiddenOf, missingPermissions, permissionsOf, sentenceOf } from './preflight/permissions.js';
import { askPatiently, reach } from './preflight/reach.js';

export interface UsableTarget {
  /** The version in the target's `/version`. */
  readonly serverVersion?: string;
}

/**
 * Checks that the target is reachable, is an API server, and accepts the credentials. With `usesFixtures`, certificates
 * and tokens of the run must be valid by its clock. Throws UsageError with one sentence that says what to do.
 */
export async function preflight(client: Client, usesFixtures: boolean): Promise<UsableTarget> {
  const { target } = client;
  checkCredentials(target);
  const { reply, sent, received } = await reach(client);
  const skew = clockSkew(reply.headers.date, sent, received);
  if (Math.abs(skew) > skewLimit) {
    const sentence = `the clock of ${target.url} is ${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} the clock of this machine: synchronize both`;
    if (usesFixtures)
      throw new UsageError(`${sentence}; the target would refuse the certificates and tokens of this run`);
    printNote(`${sentence}; the target may refuse certificates and tokens`);
  }
  const namespaces = await asked(client, '/api/v1/namespaces?limit=1');
  for (const each of [reply, namespaces]) if (each.status === 401) throw refusal(client, each);
  if (reply.status === 403 && namespaces.status === 403) throw refusal(client, reply);
  await checkNamespace(client, namespaces.status);
  const version = versionOf(reply.tryValue());
  if (version === undefined) return {};
  const offer = target.deviations.length === 0 ? offerOf(version) : undefined;
  if (offer !== undefined) printNote(offer);
  return { serverVersion: version };
}

/**
 * Throws UsageError if the credentials lack permissions for the cases; in one namespace, returns them, and their cases
 * are skipped. The sentence names the permissions, and the file
 * in the directory `output` that contains them as a ClusterRole.
 */
export async function checkPermissions(
  client: Client,
  cases: readonly Case[],
  found: Pick<Target, 'notSupported' | 'aliases'>,
  output: string,
): Promise<Target['only']> {
  const { only } = client.target;
  const target = { ...client.target, ...found };
  const missing = await missingPermissions(client, permissionsOf(cases, target));
  const file = join(output, 'clusterrole.yaml');
  rmSync(file, { force: true });
  if (only !== undefined) return { ...only, forbidden: forbiddenOf(cases, target, missing) };
  if (missing.length === 0) return undefined;
  writeTextFile(file, clusterRole(missing));
  throw new UsageError(
    `${client.target.url} does not permit what the chosen cases need: ${sentenceOf(missing)}; ${file} is a ClusterRole with these permissions: apply it and bind it to your user, or choose fewer cases`,
  );
}

/** Throws UsageError if the target has namespaces, and not the only one of the run. */
async function checkNamespace(client: Client, listed: number): Promise<void> {
  const { only, url } = client.target;
  if (only === undefined || listed === 404) return;
  const { status } = await asked(client, `/api/v1/namespaces/${only.namespace}`);
  if (status === 404) throw new UsageError(`--namespace: ${url} has no namespace ${only.namespace}: create it first`);
}

async function asked(client: Client, path: string) {
  try {
    return await askPatiently(client, path);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new UsageError(`${client.target.url} responds to some requests and not to others (${error.message})`);
  }
}

/** Prints a note that does not prevent the run. */
export function printNote(sentence: string): void {
  process.stderr.write(`note: ${sentence}\n`);
}
