// Cluster IPs and node ports: what a kill left claimed is free again, and what a service has is claimed.
import type { Registry } from '../registry/registry.js';
import { claimed, claimsPrefix } from '../registry/strategies/allocation.js';
import { claimsOfService } from '../registry/strategies/services.js';
import type { KubeObject } from '../schema/object.js';
import { keepRunning, type Running } from './controller.js';
import { pauseFor } from './later.js';

const name = 'service-claims-controller';
/** Longer than any write takes between its claims and its object. */
const betweenMillis = 60_000;

/** Claims by their keys, with their revisions. */
type Claims = ReadonlyMap<string, number>;

/** Repairs from time to time, until the signal aborts. */
export function serviceClaims(running: Running): Promise<void> {
  const { registry, signal } = running;
  const loop = async (works: () => void): Promise<void> => {
    let strays: Claims = new Map();
    while (!signal.aborted) {
      strays = await repairClaims(registry, strays);
      works();
      await pauseFor(betweenMillis, signal);
    }
  };
  return keepRunning(name, loop, running);
}

/** Repairs what is left of an earlier run, while no client writes: every claim without a service is a stray. */
export async function repairAllClaims(registry: Registry): Promise<void> {
  await repairClaims(registry, await claimsIn(registry));
}

/**
 * Claims what services have, and frees the claims without a service that were there before: a claim is made before its
 * service is there, so one look does not tell. Answers those that are left.
 */
export async function repairClaims(registry: Registry, before: Claims): Promise<Claims> {
  const { storage } = registry;
  const claims = await claimsIn(registry);
  const { entries } = await registry.of('core/services').list(undefined);
  const wanted = new Set(entries.flatMap(({ value }) => claimsOfService(value as KubeObject)));
  const strays = new Map<string, number>();
  for (const [key, revision] of claims) {
    if (wanted.has(key)) continue;
    if (before.get(key) === revision) await storage.delete(key);
    else strays.set(key, revision);
  }
  for (const key of wanted) if (!claims.has(key)) await claimed(storage, key);
  return strays;
}

async function claimsIn({ storage }: Registry): Promise<Claims> {
  const { entries } = await storage.list(claimsPrefix);
  return new Map(entries.map(({ key, revision }) => [key, revision]));
}
