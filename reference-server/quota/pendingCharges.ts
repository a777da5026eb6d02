// Charges of writes that are not stored yet. A recount adds them to the stored objects.
import { randomUUID } from 'node:crypto';
import { internalOf, type KubeObject, withInternal } from '../schema/object.js';
import type { Evaluator } from './evaluator.js';
import type { QuotaCharge } from './usage.js';

/** What a recount needs to know about a charge. */
export type PendingCharge = Pick<QuotaCharge, 'evaluator' | 'object'>;

/** The charges that are under way. `added` and `removed` return the quota to store, in the same step as its sum. */
export interface PendingCharges {
  in(quota: KubeObject): readonly PendingCharge[];
  added(quota: KubeObject, charge: QuotaCharge): KubeObject;
  removed(quota: KubeObject, charge: QuotaCharge): KubeObject;
  /** Returns the quota without the charges of servers that have ended; the same quota if it has none. */
  swept(quota: KubeObject): KubeObject;
  /** Whether the end of a charge has to be stored. */
  readonly isStored: boolean;
}

/** The charges of a server that has its storage for itself. */
export class OwnCharges implements PendingCharges {
  readonly isStored = false;
  readonly #byUid = new Map<string, Set<QuotaCharge>>();

  /** The number of quotas with charges. */
  get size(): number {
    return this.#byUid.size;
  }

  in({ metadata: { uid = '' } }: KubeObject): readonly QuotaCharge[] {
    return [...(this.#byUid.get(uid) ?? [])];
  }

  added(quota: KubeObject, charge: QuotaCharge): KubeObject {
    const { uid = '' } = quota.metadata;
    this.#byUid.set(uid, (this.#byUid.get(uid) ?? new Set()).add(charge));
    return quota;
  }

  removed(quota: KubeObject, charge: QuotaCharge): KubeObject {
    const { uid = '' } = quota.metadata;
    const charges = this.#byUid.get(uid);
    charges?.delete(charge);
    if (charges?.size === 0) this.#byUid.delete(uid);
    return quota;
  }

  swept(quota: KubeObject): KubeObject {
    return quota;
  }
}

interface StoredCharge {
  /** The resource of the object, as `group/plural`. */
  readonly resource: string;
  readonly object: KubeObject;
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
}

/** Longer than any write takes, in milliseconds: the server of an older charge has ended. */
export const longestMillis = 60_000;

/**
 * The charges of several servers. They are stored in the quota, in a field that only servers see: a recount by one
 * server knows the charges of all, and the sum of a quota and its charges change in one write.
 */
export class SharedCharges implements PendingCharges {
  readonly isStored = true;
  readonly #ids = new WeakMap<QuotaCharge, string>();

  constructor(readonly evaluatorOf: (resource: string) => Evaluator | undefined) {}

  in(quota: KubeObject): readonly PendingCharge[] {
    return Object.values(chargesOf(quota)).flatMap(({ resource, object, at }) => {
      const evaluator = this.evaluatorOf(resource);
      return evaluator === undefined || isOld(at) ? [] : [{ evaluator, object }];
    });
  }

  added(quota: KubeObject, charge: QuotaCharge): KubeObject {
    const id = this.#ids.get(charge) ?? randomUUID();
    this.#ids.set(charge, id);
    const { evaluator } = charge;
    // The write changes its own object until it is stored.
    const object = { ...charge.object };
    return withCharges(quota, { ...chargesOf(quota), [id]: { resource: evaluator.resource, object, at: Date.now() } });
  }

  removed(quota: KubeObject, charge: QuotaCharge): KubeObject {
    const { [this.#ids.get(charge) ?? '']: _ended, ...left } = chargesOf(quota);
    return withCharges(quota, left);
  }

  swept(quota: KubeObject): KubeObject {
    const charges = Object.entries(chargesOf(quota));
    const left = charges.filter(([, { at }]) => !isOld(at));
    return left.length === charges.length ? quota : withCharges(quota, Object.fromEntries(left));
  }
}

/** The time of day may have jumped in either direction since. */
const isOld = (at: number): boolean => Math.abs(Date.now() - at) > longestMillis;

const chargesOf = (quota: KubeObject) => (internalOf(quota) ?? {}) as Readonly<Record<string, StoredCharge>>;

const withCharges = (quota: KubeObject, charges: Readonly<Record<string, StoredCharge>>): KubeObject =>
  withInternal(quota, Object.keys(charges).length === 0 ? undefined : charges);
