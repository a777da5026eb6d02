// The fixtures of a run: made where none are given, with the stand-ins that they describe, running while it lasts.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mechanism } from '../matrix/api/index.js';
import type { Target } from '../matrix/requirements/index.js';
import { type Fixtures, fixtureCredentials, openidUser, startStandIns } from '../suites/index.js';
import { writeNewFiles } from '../test-certs/index.js';
import { readFixtures } from './fixtures/directory.js';
import { makeFixtures } from './fixtures/make.js';
import { UsageError } from './usageError.js';

/** Fixtures whose stand-ins are running. */
export interface RunFixtures {
  readonly directory: string;
  readonly fixtures: Fixtures;
  /** A valid credential of each mechanism that needs no server for it. */
  readonly credentials: Target['credentials'];
  /** Where the suite's workers reach the control of the stand-ins. */
  readonly controlUrl: string;
  /** Where they reach a second server; absent where nobody can start one. */
  readonly secondServerUrl?: string;
  close(): Promise<void>;
}

/** What the server's certificate is good for, beside its address. */
const serverNames = ['DNS:kubernetes.default.svc', 'DNS:api.example.org', 'IP:192.0.2.1'];

/** Seconds that the target's ID token is valid: longer than any run. */
const idTokenLifetime = 12 * 3600;

/**
 * Starts the stand-ins of the fixtures in `given`, or of fresh ones in a directory that is removed at the end.
 * `domain` is that of the authentication group. Throws UsageError where a port is taken or the directory has none.
 */
export async function startFixtures(given: string | undefined, domain: string): Promise<RunFixtures> {
  const directory = given ?? (await mkdtemp(join(tmpdir(), 'kube-api-conformance-fixtures-')));
  const remove = async (): Promise<void> => {
    if (given === undefined) await rm(directory, { recursive: true, force: true });
  };
  try {
    if (given === undefined) {
      const choices = { ip: '127.0.0.1', names: serverNames, standInsAddress: '127.0.0.1' };
      await writeNewFiles(directory, await makeFixtures(choices), true);
    }
    const fixtures = await readFixtures(directory);
    const standIns = await startStandIns(fixtures, domain).catch((error: NodeJS.ErrnoException) => {
      throw error.syscall === 'listen' ? new UsageError(adviceOn(error, directory)) : error;
    });
    const idToken = await standIns.mintIdToken({ claims: openidUser, lifetime: idTokenLifetime });
    return {
      directory,
      fixtures,
      credentials: fixtureCredentials(fixtures, idToken),
      controlUrl: standIns.controlUrl,
      close: async () => {
        await standIns.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function adviceOn({ message }: Error, directory: string): string {
  return `a backend of the fixtures in ${directory} cannot listen (${message}): stop the program that does, or make new fixtures and restart the server`;
}

/**
 * The target with the credentials of the fixtures beside its own. The suite's own client goes on showing the target's;
 * where there are none it is the admin of the token file.
 */
export function withFixtures(target: Target, { credentials, fixtures }: RunFixtures): Target {
  const own = Object.keys(target.credentials) as Mechanism[];
  const lacks = new Set<string>(target.notSupported.map(({ capability }) => capability));
  const offered = Object.entries(credentials).filter(([mechanism]) => !lacks.has(`mechanism:${mechanism}`));
  return {
    ...target,
    ca: target.ca ?? fixtures.serverCa,
    credentials: { ...Object.fromEntries(offered), ...target.credentials },
    own: own.length > 0 ? own : ['staticToken'],
  };
}
