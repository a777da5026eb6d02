// Finds out at the start of a run which features the target lacks; what cannot be said is judged.
import {
  type Case,
  type DemandedFeatures,
  type Feature,
  type FeatureName,
  featureOf,
  featuresOf,
  isChecked,
  type NotSupported,
} from '../../../matrix/requirements/index.js';
import { connectControl } from '../../stand-ins/control.js';
import type { Client } from '../client.js';
import { Prerequisite, Unjudged } from '../expect.js';
import { gate } from '../gate.js';
import { NoAnswer } from '../reply.js';
import type { Run } from '../run.js';
import { Scope } from '../scope.js';
import { type Asked, type Probe, type Seen, there } from './asked.js';
import { controllerProbes } from './controllers.js';
import { goneProbes } from './gone.js';
import { isAtLeast, lists, minorOf, readOpenApi } from './published.js';
import { userProbes } from './users.js';
import { watchProbes } from './watches.js';
import { youngProbes } from './young.js';

const probes: Readonly<Record<FeatureName, Probe>> = {
  ...youngProbes,
  ...watchProbes,
  ...userProbes,
  ...goneProbes,
  ...controllerProbes,
};

/** Removed without a trace: only a later version tells a server that has removed it from one that broke it. */
const onlyByVersion: readonly FeatureName[] = ['static-password', 'identity-service', 'token-secrets'];

/** Milliseconds that a controller beside the target is given to show itself. */
const patience = 30_000;

/** What is needed to find out. */
export interface Looking {
  readonly client: Client;
  readonly runId: string;
  /** The cases of the run: only what they need is looked for. */
  readonly cases: readonly Case[];
  /** What is known to be absent. */
  readonly notSupported: readonly NotSupported[];
  /** As `/version` says it. */
  readonly serverVersion: string | undefined;
  readonly demanded: DemandedFeatures | undefined;
  /** What the target was started with; absent where it is on its own. */
  readonly authentication: Run['authentication'] | undefined;
  /** Whether deletes of the target are trusted. */
  readonly deletes: boolean;
  /** Milliseconds that a controller is given; 30,000 when absent. */
  readonly patience?: number;
}

/** What was found of the features of a target. */
interface FoundFeatures {
  /** The features that the cases need and the target lacks, each with how that was seen. */
  readonly lacks: readonly NotSupported[];
  /** What is known to be absent, each feature of it with how it was seen that the target has it, where that was seen. */
  readonly known: readonly NotSupported[];
}

/**
 * Looks for the features that the cases need, and for those that are declared absent. A version or an OpenAPI that shows
 * a young feature means that it is judged, as does a demand; so does all that a probe cannot say. Never rejects for what
 * the target does.
 */
export async function readFeatures(looking: Looking): Promise<FoundFeatures> {
  const { client, notSupported, serverVersion, demanded = [] } = looking;
  const version = minorOf(serverVersion);
  const declared = new Set(notSupported.map(nameOf).filter(isFeature));
  const isOpen = (name: FeatureName): boolean =>
    demanded !== 'all' && !demanded.includes(name) && !declared.has(name) && !isDecidedBy(version, name);
  const open = neededBy(looking).filter(isOpen);
  const seen = await lookFor([...open, ...declared], looking);
  client.takeExchanges();
  const lacks = open.flatMap((name): NotSupported[] => {
    const found = seen.get(name);
    return found === undefined || found.has ? [] : [{ capability: `feature:${name}`, reason: reasonOf(name, found) }];
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

/** The name of the feature that an absence is about; empty for any other absence. */
const nameOf = ({ capability }: NotSupported): string => /^feature:(.*)$/.exec(capability)?.[1] ?? '';

const isFeature = (name: string): name is FeatureName => Object.hasOwn(probes, name);

/** What is seen of some features; a feature of which nothing can be said is left out. */
async function lookFor(names: readonly FeatureName[], looking: Looking): Promise<ReadonlyMap<FeatureName, Seen>> {
  if (names.length === 0) return new Map();
  const { client, runId, serverVersion } = looking;
  const version = minorOf(serverVersion);
  const asked = askedOf(looking, new Scope(client, runId, 'features'));
  const document = names.some((name) => featureOf(name).listing !== undefined)
    ? await unlessSilent(() => readOpenApi(client))
    : undefined;
  const isShown = ({ listing, gatedSince }: Feature): boolean => {
    const isGated = version !== undefined && gatedSince !== undefined && isAtLeast(version, gatedSince);
    return listing !== undefined && !isGated && lists(document, listing);
  };
  const found = await Promise.all(
    names.map(async (name) => {
      if (isShown(featureOf(name))) return [name, there('its OpenAPI lists it')] as const;
      return [name, await unlessSilent(() => probes[name](asked))] as const;
    }),
  );
  return new Map(found.flatMap(([name, seen]) => (seen === undefined ? [] : [[name, seen] as const])));
}

/** The features that some case needs that is tried. */
function neededBy({ client, cases, notSupported }: Looking): FeatureName[] {
  const target = { ...client.target, notSupported };
  const needed = new Set<FeatureName>();
  for (const { requirement, subject } of cases) {
    const { row } = requirement;
    const names = isChecked(row) ? featuresOf(subject, row) : [];
    if (names.some((name) => !needed.has(name)) && gate(target, subject) === undefined)
      for (const name of names) needed.add(name);
  }
  return [...needed];
}

/** Whether the version alone says that a feature is judged. */
function isDecidedBy(version: ReturnType<typeof minorOf>, name: FeatureName): boolean {
  const { since, until } = featureOf(name);
  if (version === undefined) return onlyByVersion.includes(name);
  if (since !== undefined) return isAtLeast(version, since);
  // a server that says itself that it has no export is believed, whatever its version
  return until !== undefined && name !== 'export' && !isLater(version, until);
}

const isLater = (version: readonly [number, number], until: `${number}.${number}`): boolean => {
  const [major, minor] = until.split('.');
  return isAtLeast(version, `${Number(major)}.${Number(minor) + 1}`);
};

function askedOf({ client, deletes, authentication, patience: given = patience }: Looking, scope: Scope): Asked {
  return {
    scope,
    namespace: async () => (client.target.readOnly ? 'default' : await scope.namespace('space')),
    setting: authentication && {
      scope,
      fixtures: authentication.fixtures,
      standIns: connectControl(authentication.controlUrl),
    },
    deletes,
    patience: given,
  };
}

const told = [NoAnswer, Prerequisite, Unjudged] as const;

/** Undefined where the target denies what a question needs: that decides nothing. */
async function unlessSilent<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (told.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}

function reasonOf(name: FeatureName, { how }: Seen): string {
  const { title, since, until, kind } = featureOf(name);
  const when = since === undefined ? (until === undefined ? [] : [`until ${until}`]) : [`since ${since}`];
  const beside = kind === 'controller' ? ['a controller beside the server'] : [];
  return `${title} (${[...when, ...beside, how].join('; ')})`;
}
