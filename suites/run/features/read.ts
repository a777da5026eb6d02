// Finds out at the start of a run which features the target lacks. A feature whose probe gives no result is checked.

import type { Client } from '../../client/client.js';
import { Prerequisite, Unchecked } from '../../client/expect.js';
import { NoAnswer } from '../../client/reply.js';
import { hasNamespaces } from '../../objects/namespaceServer.js';
import { Sandbox } from '../../objects/sandbox.js';
import {
  type Case,
  type DemandedFeatures,
  type Feature,
  type FeatureName,
  featureOf,
  featuresOf,
  isChecked,
  type NotSupported,
} from '../../requirements/index.js';
import { connectControl } from '../../stand-ins/control.js';
import type { Run } from '../settings.js';
import { skipReason } from '../skips.js';
import { controllerProbes } from './controllers.js';
import { pluginProbes } from './plugins.js';
import { offers, type Probe, type ProbeContext, type ProbeFinding } from './probe.js';
import { documentLists, isAtLeast, minorOf, readOpenApi } from './published.js';
import { userProbes } from './users.js';
import { newerFeatureProbes, removedFeatureProbes } from './versionedFeatures.js';
import { watchProbes } from './watches.js';

const probes: Readonly<Record<FeatureName, Probe>> = {
  ...newerFeatureProbes,
  ...watchProbes,
  ...userProbes,
  ...removedFeatureProbes,
  ...controllerProbes,
  ...pluginProbes,
};

/**
 * Features that are removed without a trace: only a later version tells a server that has removed the feature from one
 * that broke it.
 */
const onlyByVersion: readonly FeatureName[] = ['static-password', 'identity-service', 'token-secrets'];

/**
 * Features that belong together: a server that shows one of them has a controller of service accounts, and one that was
 * started with the key of the fixtures was set up for them. Only a declaration says that one of them is absent.
 */
const ofAccounts: readonly FeatureName[] = ['service-account-controller', 'token-controller'];

/** Milliseconds that a controller beside the target may take to show an effect. */
const timeout = 30_000;

export interface FeatureSearch {
  readonly client: Client;
  readonly runId: string;
  /** The cases of the run; only features that the cases need are looked for. */
  readonly cases: readonly Case[];
  /** The known absences. */
  readonly notSupported: readonly NotSupported[];
  readonly serverVersion: string | undefined;
  readonly demanded: DemandedFeatures | undefined;
  /** The configuration that the target was started with; absent if the command line did not start it. */
  readonly authentication: Run['authentication'] | undefined;
  /** Whether deletes of the target are trusted. */
  readonly deletes: boolean;
  /** Milliseconds that a controller may take; 30,000 when absent. */
  readonly timeout?: number;
}

interface FoundFeatures {
  /** The features that the cases need and the target lacks, each with the evidence. */
  readonly lacks: readonly NotSupported[];
  /** The known absences. A feature that the target has after all carries the evidence. */
  readonly known: readonly NotSupported[];
}

/**
 * Looks for the features that the cases need, and for the features that are declared absent. A young feature is checked
 * if the version or the OpenAPI shows it, if it is demanded, or if its probe gives no result. Never rejects because of
 * the target.
 */
export async function readFeatures(looking: FeatureSearch): Promise<FoundFeatures> {
  const { client, notSupported, serverVersion, demanded = [] } = looking;
  const version = minorOf(serverVersion);
  const declared = new Set(notSupported.map(nameOf).filter(isFeature));
  const isSetUp = (name: FeatureName): boolean => looking.authentication !== undefined && ofAccounts.includes(name);
  const isOpen = (name: FeatureName): boolean =>
    demanded !== 'all' &&
    !demanded.includes(name) &&
    !declared.has(name) &&
    !isSetUp(name) &&
    !isDecidedBy(version, name);
  const open = neededBy(looking).filter(isOpen);
  const seen = await lookFor([...open, ...declared], looking);
  client.takeExchanges();
  const hasAccounts = ofAccounts.some((name) => seen.get(name)?.has);
  const lacks = open.flatMap((name): NotSupported[] => {
    const found = seen.get(name);
    const isThere = found === undefined || found.has || (hasAccounts && ofAccounts.includes(name));
    return isThere ? [] : [{ capability: `feature:${name}`, reason: reasonOf(name, found) }];
  });
  const known = notSupported.map((absence) => {
    const name = nameOf(absence);
    if (!isFeature(name)) return absence;
    if (version !== undefined && isDecidedBy(version, name)) return { ...absence, offered: `${serverVersion} has it` };
    const found = seen.get(name);
    return found?.has ? { ...absence, offered: found.how } : absence;
  });
  return { lacks, known };
}

/** Returns the name of the feature of an absence; empty for other absences. */
const nameOf = ({ capability }: NotSupported): string => /^feature:(.*)$/.exec(capability)?.[1] ?? '';

const isFeature = (name: string): name is FeatureName => Object.hasOwn(probes, name);

/** Returns the findings about some features, without features whose probe gives no result. */
async function lookFor(
  names: readonly FeatureName[],
  looking: FeatureSearch,
): Promise<ReadonlyMap<FeatureName, ProbeFinding>> {
  if (names.length === 0) return new Map();
  const { client, runId, serverVersion } = looking;
  const version = minorOf(serverVersion);
  const asked = askedOf(looking, new Sandbox(client, runId, 'features', hasNamespaces(looking.notSupported)));
  const document = names.some((name) => featureOf(name).listing !== undefined)
    ? await unlessSilent(() => readOpenApi(client))
    : undefined;
  const isShown = ({ listing, gatedSince }: Feature): boolean => {
    const isGated = version !== undefined && gatedSince !== undefined && isAtLeast(version, gatedSince);
    return listing !== undefined && !isGated && documentLists(document, listing);
  };
  const found = await Promise.all(
    names.map(async (name) => {
      if (isShown(featureOf(name))) return [name, offers('its OpenAPI lists it')] as const;
      return [name, await unlessSilent(() => probes[name](asked))] as const;
    }),
  );
  return new Map(found.flatMap(([name, seen]) => (seen === undefined ? [] : [[name, seen] as const])));
}

function neededBy({ client, cases, notSupported }: FeatureSearch): FeatureName[] {
  const target = { ...client.target, notSupported };
  const needed = new Set<FeatureName>();
  for (const { requirement, subject } of cases) {
    const { row } = requirement;
    const names = isChecked(row) ? featuresOf(subject, row) : [];
    if (names.some((name) => !needed.has(name)) && skipReason(target, subject) === undefined)
      for (const name of names) needed.add(name);
  }
  return [...needed];
}

function isDecidedBy(version: ReturnType<typeof minorOf>, name: FeatureName): boolean {
  const { since, until, gatedUntil } = featureOf(name);
  if (version === undefined) return onlyByVersion.includes(name);
  if (since !== undefined)
    return isAtLeast(version, since) && (gatedUntil === undefined || isLater(version, gatedUntil));
  return until !== undefined && !isLater(version, until);
}

const isLater = (version: readonly [number, number], until: `${number}.${number}`): boolean => {
  const [major, minor] = until.split('.');
  return isAtLeast(version, `${Number(major)}.${Number(minor) + 1}`);
};

function askedOf(
  { client, deletes, authentication, timeout: given = timeout }: FeatureSearch,
  sandbox: Sandbox,
): ProbeContext {
  return {
    sandbox,
    namespace: async () => (client.target.readOnly ? 'default' : await sandbox.namespace('space')),
    setting: authentication && {
      sandbox,
      fixtures: authentication.fixtures,
      backends: connectControl(authentication.controlUrl),
    },
    deletes,
    timeout: given,
  };
}

const inconclusive = [NoAnswer, Prerequisite, Unchecked] as const;

/** Returns undefined if the target refuses or does not answer a request of the probe: the result is open then. */
async function unlessSilent<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (inconclusive.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}

function reasonOf(name: FeatureName, { how }: ProbeFinding): string {
  const { title, since, until, kind } = featureOf(name);
  const when = since === undefined ? (until === undefined ? [] : [`until ${until}`]) : [`since ${since}`];
  const beside = kind === 'controller' ? ['a controller beside the server'] : [];
  return `${title} (${[...when, ...beside, how].join('; ')})`;
}
