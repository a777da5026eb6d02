// Values that only one object may have: cluster IPs and node ports. A claim is a key in the storage, so it is atomic.
import { randomInt } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { StatusError } from '../../statusError.js';
import { KeyExists } from '../../storage/storage.js';
import { type ClaimStorage, type Preparation, Unavailable } from '../strategy.js';

export interface Pool {
  readonly size: number;
  at(index: number): string;
  /** Returns the reason why a value cannot be claimed, or undefined. */
  problem(value: string): string | undefined;
  key(value: string): string;
  /** What a value is, and how it is in JSON. */
  readonly noun: string;
  shown(value: string): unknown;
}

export const claimsPrefix = 'claims/';

const network = '10.0.';
const last = 65_535;
const [firstPort, lastPort] = [30000, 32767];

/** The addresses of services: 10.0.0.0/16 without its first and last address. */
export const addresses: Pool = {
  size: last - 1,
  at: (index) => `${network}${(index + 1) >> 8}.${(index + 1) & 255}`,
  problem: (value) =>
    isIPv4(value) && value.startsWith(network) && value !== `${network}0.0` && value !== `${network}255.255`
      ? undefined
      : 'provided IP is not in the valid range. The range of valid IPs is 10.0.0.0/16',
  key: (value) => `${claimsPrefix}clusterIPs/${value}`,
  noun: 'IP',
  shown: (value) => value,
};

export const ports: Pool = {
  size: lastPort - firstPort + 1,
  at: (index) => String(firstPort + index),
  problem: (value) =>
    Number(value) >= firstPort && Number(value) <= lastPort
      ? undefined
      : `provided port is not in the valid range. The range of valid ports is ${firstPort}-${lastPort}`,
  key: (value) => `${claimsPrefix}nodePorts/${value}`,
  noun: 'port',
  shown: Number,
};

/** The claims that an object has, by their keys, and those that a write adds. */
export interface Claims {
  readonly owned: ReadonlySet<string>;
  readonly made: Set<string>;
}

/**
 * Claims the value `asked` for a field, or any free value. Values that the object owns are not claimed again; a dry run
 * stores no claim. Throws Unavailable if `asked` is invalid or taken, and 500 if no value is free.
 */
export async function claim(
  pool: Pool,
  field: string,
  { storage, dryRun }: Preparation,
  asked: string | undefined,
  { owned, made }: Claims,
): Promise<string> {
  const take = async (value: string): Promise<boolean> => {
    const key = pool.key(value);
    if (owned.has(key)) return true;
    if (dryRun ? made.has(key) || (await storage.get(key)) : !(await claimed(storage, key))) return false;
    made.add(key);
    return true;
  };
  if (asked) {
    const taken = `provided ${pool.noun} is already allocated`;
    const problem = pool.problem(asked) ?? ((await take(asked)) ? undefined : taken);
    if (problem !== undefined) throw new Unavailable(field, pool.shown(asked), problem);
    return asked;
  }
  const start = randomInt(pool.size);
  for (let step = 0; step < pool.size; step++) {
    const value = pool.at((start + step) % pool.size);
    if (await take(value)) return value;
  }
  throw new StatusError(500, 'InternalError', `Internal error occurred: failed to allocate ${field}: range is full`);
}

/** Claims a key. Returns false if the key is taken. */
export async function claimed(storage: ClaimStorage, key: string): Promise<boolean> {
  try {
    await storage.create(key, { metadata: { name: key.slice(key.lastIndexOf('/') + 1) } });
    return true;
  } catch (error) {
    if (error instanceof KeyExists) return false;
    throw error;
  }
}

export async function giveBack(storage: ClaimStorage, claims: Iterable<string>): Promise<void> {
  for (const key of claims) await storage.delete(key);
}
