// The quota ledger: charges a write before it is stored, and recounts all objects after changes.
import { backOffMillis } from '../clock.js';
import type { Store } from '../registry/store.js';
import { equal, type KubeObject } from '../schema/object.js';
import { addQuantities, type Quantities, subtractQuantity } from '../schema/quantity.js';
import { reportError, StatusError } from '../statusError.js';
import type { Evaluators } from './evaluators.js';
import type { PendingCharges } from './pendingCharges.js';
import {
  addedUsage,
  appliesTo,
  NamespaceUsage,
  pick,
  type QuotaCharge,
  quotaSpecOf,
  quotaStatusOf,
  requireWithinQuota,
} from './usage.js';

/** Delay that gathers many changes into one recount, in milliseconds. */
const gatherMillis = 25;

export interface LedgerParts {
  readonly quotas: Pick<Store, 'list' | 'updateInternally'>;
  readonly evaluators: Pick<Evaluators, 'all' | 'of'>;
  /** Returns the stored objects of a resource (`group/plural`) in a namespace. */
  readonly objectsOf: (resource: string, namespace: string) => Promise<readonly KubeObject[]>;
  /** Records failed recounts. */
  readonly health: { failed(what: string, error: unknown): void; works(what: string): void };
  /** The charges of writes that are not stored yet. */
  readonly pending: PendingCharges;
  /** Whether a quota controller runs. Without one, clients write the status of quotas. */
  readonly counts: boolean;
}

export class QuotaLedger {
  readonly #due = new Map<string, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #stopped = false;

  constructor(readonly parts: LedgerParts) {}

  /**
   * Charges a write to every quota that applies to it. Returns a function that ends the charge and refunds it if the
   * write failed, or undefined if no quota applies. Throws the refusal of `charge` if a quota is exceeded.
   */
  async take(charge: QuotaCharge, dryRun: boolean): Promise<((written: boolean) => Promise<void>) | undefined> {
    const { entries } = await this.parts.quotas.list(charge.namespace);
    if (entries.length === 0) return undefined;
    const quotas = entries
      .map(({ value }) => value)
      .filter((quota) => appliesTo(quota, charge.evaluator, charge.object));
    if (quotas.length === 0) return undefined;
    const wanted = addedUsage(charge);
    const charged: KubeObject[] = [];
    const end = async (written: boolean): Promise<void> => {
      for (const quota of charged) {
        // If this fails, the next recount corrects the quota.
        await this.#endCharge(quota, charge, written ? {} : wanted).catch(reportError);
      }
      if (!written && charged.length > 0) this.refresh(charge.namespace);
    };
    try {
      for (const quota of quotas) if (await this.#charge(quota, wanted, charge, dryRun)) charged.push(quota);
    } catch (error) {
      await end(false);
      throw error;
    }
    return end;
  }

  /** Schedules a recount of a namespace. Does nothing without a quota controller. */
  refresh(namespace: string): void {
    if (this.#isUncounted || this.#due.has(namespace)) return;
    this.#countLater(namespace, gatherMillis, 0);
  }

  /** Stops recounts. Resolves when the running ones have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#due.values()) clearTimeout(timer);
    this.#due.clear();
    await Promise.all(this.#running);
  }

  /**
   * Schedules a recount after a delay, in milliseconds. A failed recount is recorded in the health and retried with a
   * back-off.
   */
  #countLater(namespace: string, millis: number, failures: number): void {
    if (this.#stopped) return;
    const { health } = this.parts;
    const what = `quota-controller ${namespace}`;
    const count = async (): Promise<void> => {
      try {
        await this.#recountAll(namespace);
        health.works(what);
      } catch (error) {
        reportError(error);
        health.failed(what, error);
        if (!this.#due.has(namespace)) this.#countLater(namespace, backOffMillis(failures + 1), failures + 1);
      }
    };
    const begin = (): void => {
      this.#due.delete(namespace);
      const running = count();
      this.#running.add(running);
      void running.then(() => this.#running.delete(running));
    };
    this.#due.set(namespace, setTimeout(begin, millis));
  }

  get #isUncounted(): boolean {
    return !this.parts.counts;
  }

  async #recountAll(namespace: string): Promise<void> {
    const quotas = await this.#quotas(namespace);
    // Read before the storage, as `#recount` does.
    const isPending = new Set(quotas.filter((quota) => this.parts.pending.in(quota).length > 0));
    const usage = this.#usageNow(namespace);
    for (const quota of quotas) await this.#recount(quota, isPending.has(quota) ? undefined : usage);
  }

  async #quotas(namespace: string): Promise<KubeObject[]> {
    const { entries } = await this.parts.quotas.list(namespace);
    return entries.map(({ value }) => value);
  }

  /**
   * Charges a quota. Reports whether it was charged. Throws the refusal of `charge` if the quota is exceeded or the
   * object lacks a required field.
   */
  async #charge(quota: KubeObject, wanted: Quantities, charge: QuotaCharge, dryRun: boolean): Promise<boolean> {
    const { pending } = this.parts;
    const counted = await this.#counted(quota);
    if (counted === undefined) return false;
    const unspecified =
      charge.evaluator.unspecified?.(charge.object, Object.keys(quotaSpecOf(counted).hard ?? {})) ?? [];
    if (unspecified.length > 0 && !charge.before) {
      throw charge.refuse(`failed quota: ${quota.metadata.name}: must specify ${unspecified.join(',')}`);
    }
    const change = (now: KubeObject): KubeObject => {
      const { hard = {}, used = {} } = quotaStatusOf(now);
      const asked = pick(wanted, hard);
      requireWithinQuota(now, asked, charge);
      const sums = Object.entries(asked).map(([name, amount]) => [name, addQuantities([used[name] ?? '0', amount])]);
      const next = { ...now, status: { hard, used: { ...used, ...Object.fromEntries(sums) } } };
      // Added in the same step as the sum, so that no recount sees only one of them.
      return dryRun ? next : pending.added(next, charge);
    };
    let isCharged = false;
    try {
      isCharged = (await this.#update(counted, change, dryRun)) !== undefined && !dryRun;
      return isCharged;
    } finally {
      if (!isCharged) pending.removed(counted, charge);
    }
  }

  /** Returns a quota with a current status, recounted if necessary, or undefined if there is none. */
  async #counted(quota: KubeObject): Promise<KubeObject | undefined> {
    const { hard } = quotaStatusOf(quota);
    if (this.#isUncounted) return hard === undefined ? undefined : quota;
    return equal(hard, quotaSpecOf(quota).hard) ? quota : await this.#recount(quota);
  }

  /** Ends a charge, and refunds an amount of it. */
  async #endCharge(quota: KubeObject, charge: QuotaCharge, refund: Quantities): Promise<void> {
    const { pending } = this.parts;
    try {
      if (Object.keys(refund).length === 0 && !pending.isStored) return;
      await this.#update(quota, (now) => {
        const { hard = {}, used = {} } = quotaStatusOf(now);
        const left = Object.entries(pick(refund, hard)).map(([name, amount]) => [
          name,
          subtractQuantity(used[name] ?? '0', amount),
        ]);
        const next = { ...now, status: { hard, used: { ...used, ...Object.fromEntries(left) } } };
        return pending.isStored ? pending.removed(next, charge) : next;
      });
    } finally {
      if (!pending.isStored) pending.removed(quota, charge);
    }
  }

  /**
   * Writes the current usage, or `usage` if the quota has not changed since. Returns the updated quota, or undefined if
   * it is gone. Reads the pending charges before the storage, so that a write that becomes stored meanwhile is not
   * missed.
   */
  async #recount(quota: KubeObject, usage?: NamespaceUsage): Promise<KubeObject | undefined> {
    const { namespace = '', name = '' } = quota.metadata;
    let seen: KubeObject | undefined = quota;
    for (let known = usage; seen !== undefined; known = undefined) {
      const { resourceVersion } = seen.metadata;
      const { hard = {} } = quotaSpecOf(seen);
      const pending = known === undefined ? this.parts.pending.in(seen) : [];
      const used = await (known ?? this.#usageNow(namespace)).of(seen, pending);
      // A charge that changes the quota meanwhile ends with a recount of its own.
      const { pending: charges } = this.parts;
      if (known !== undefined && equal(quotaStatusOf(seen), { hard, used }) && charges.swept(seen) === seen)
        return seen;
      let isStale = false;
      const counted = await this.#update(seen, (now) => {
        isStale = now.metadata.resourceVersion !== resourceVersion;
        return isStale ? now : { ...charges.swept(now), status: { hard, used } };
      });
      if (!isStale) return counted;
      seen = counted && (await this.#find(namespace, name));
    }
    return undefined;
  }

  #usageNow(namespace: string): NamespaceUsage {
    const { evaluators, objectsOf } = this.parts;
    return new NamespaceUsage(evaluators.all, (resource) => objectsOf(resource, namespace));
  }

  async #find(namespace: string, name: string): Promise<KubeObject | undefined> {
    return (await this.#quotas(namespace)).find(({ metadata }) => metadata.name === name);
  }

  /** Updates a quota. Returns undefined if it is gone. */
  async #update(
    { metadata: { namespace, name = '' } }: KubeObject,
    change: (now: KubeObject) => KubeObject,
    dryRun = false,
  ): Promise<KubeObject | undefined> {
    try {
      const entry = await this.parts.quotas.updateInternally({ namespace, name }, change, {
        dryRun,
        part: 'status',
      });
      return entry.value;
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return undefined;
      throw error;
    }
  }
}
