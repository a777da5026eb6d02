// Repairs the claims of cluster IPs and node ports: frees claims without a service, and claims the values that services
// have.
import type { Store } from '../registry/store.js';
import { claimed, claimsPrefix } from '../registry/strategies/allocation.js';
import { claimsOfService } from '../registry/strategies/services.js';
import type { KubeObject } from '../schema/object.js';
import type { Storage } from '../storage/storage.js';
import { keepRunning, type Running } from './controller.js';
import { pauseFor } from './later.js';

const name = 'service-claims-controller';
/** Longer than a write takes between its claims and its object, in milliseconds. */
const betweenMillis = 60_000;

/** The revisions of claims, by key. */
type Claims = ReadonlyMap<string, number>;

/** The stores of claims and services. */
export interface ClaimParts {
  readonly storage: Pick<Storage, 'list' | 'get' | 'create' | 'delete'>;
  readonly services: Pick<Store, 'list'>;
}

/** Repairs claims periodically until the signal aborts. */
export function serviceClaims(parts: ClaimParts, running: Omit<Running, 'registry' | 'storage'>): Promise<void> {
  const { signal } = running;
  const loop = async (works: () => void): Promise<void> => {
    let strays: Claims = new Map();
    while (!signal.aborted) {
      strays = await repairClaims(parts, strays);
      works();
      await pauseFor(betweenMillis, signal);
    }
  };
  return keepRunning(name, loop, running);
}

/** Repairs the claims of an earlier run, before clients write: every claim without a service is freed. */
export async function repairAllClaims(parts: ClaimParts): Promise<void> {
  await repairClaims(parts, await claimsIn(parts));
}

/**
 * Claims the values that services have, and frees the claims without a service that are in `before`. A claim is made
 * before its service is stored, so a claim is freed only on the second look. Returns the claims without a service that
 * remain.
 */
export async function repairClaims({ storage, services }: ClaimParts, before: Claims): Promise<Claims> {
  const claims = await claimsIn({ storage });
  const { entries } = await services.list();
  const wanted = new Set(entries.flatMap(({ value }) => claimsOfStored(value)));
  const strays = new Map<string, number>();
  for (const [key, revision] of claims) {
    if (wanted.has(key)) continue;
    if (before.get(key) === revision) await storage.delete(key);
    else strays.set(key, revision);
  }
  for (const key of wanted) if (!claims.has(key)) await claimed(storage, key);
  return strays;
}

/** A stored service may be damaged: then it claims nothing. */
function claimsOfStored(service: KubeObject): string[] {
  try {
    return claimsOfService(service);
  } catch {
    return [];
  }
}

async function claimsIn({ storage }: Pick<ClaimParts, 'storage'>): Promise<Claims> {
  const { entries } = await storage.list(claimsPrefix);
  return new Map(entries.map(({ key, revision }) => [key, revision]));
}
