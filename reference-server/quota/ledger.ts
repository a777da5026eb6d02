// The books of the quotas: what a write takes is put down before it is done, and all is counted anew after changes.
import { backOffMillis } from '../backOff.js';
import { reportError, StatusError } from '../errors.js';
import type { Registry } from '../registry/registry.js';
import { equal, type KubeObject, own, part } from '../schema/object.js';
import { addQuantities, compareQuantities, subtractQuantity } from '../schema/quantity.js';
import { type Evaluator, evaluators, type Quantities } from './evaluators.js';

/** A write that is about to take something. */
export interface Taking {
  readonly evaluator: Evaluator;
  readonly namespace: string;
  readonly object: KubeObject;
  readonly before?: KubeObject;
  /** The refusal, in the name of the write. */
  readonly refuse: (why: string) => StatusError;
}

interface QuotaSpec {
  readonly hard?: Quantities;
  readonly scopes?: readonly string[];
}

interface QuotaStatus {
  readonly hard?: Quantities;
  readonly used?: Quantities;
}

const specOf = (quota: KubeObject) => part<QuotaSpec>(quota, 'spec');
const statusOf = (quota: KubeObject) => part<QuotaStatus>(quota, 'status');

/** Changes come in crowds; they are counted together. */
const gatherMillis = 25;

export class QuotaLedger {
  /** What was put down in a quota (by its uid) and is not stored yet: a count that does not find it adds it. */
  readonly #pending = new Map<string, Set<Taking>>();
  readonly #due = new Map<string, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #stopped = false;

  constructor(readonly registry: Registry) {}

  /** How many quotas have something put down that is not stored yet. */
  get pending(): number {
    return this.#pending.size;
  }

  /**
   * Puts down what a write takes of every quota that sees it, or refuses. The answer ends it: given back where the
   * write was not done.
   */
  async take(taking: Taking, dryRun: boolean): Promise<((written: boolean) => Promise<void>) | undefined> {
    const quotas = (await this.#quotas(taking.namespace)).filter((quota) =>
      sees(quota, taking.evaluator, taking.object),
    );
    if (quotas.length === 0) return undefined;
    const wanted = demand(taking);
    const charged: KubeObject[] = [];
    const end = async (written: boolean): Promise<void> => {
      for (const quota of charged) {
        // What cannot be given back now is found by the next count.
        if (!written) await this.#giveBack(quota, wanted).catch(reportError);
        this.#settle(quota, taking);
      }
      if (!written && charged.length > 0) this.refresh(taking.namespace);
    };
    try {
      for (const quota of quotas) if (await this.#charge(quota, wanted, taking, dryRun)) charged.push(quota);
    } catch (error) {
      await end(false);
      throw error;
    }
    return end;
  }

  /** Counts a namespace anew, soon; nobody counts where there is no quota controller. */
  refresh(namespace: string): void {
    if (this.#isUncounted || this.#due.has(namespace)) return;
    this.#countLater(namespace, gatherMillis, 0);
  }

  /** Counts no more; resolves when what is being counted has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#due.values()) clearTimeout(timer);
    this.#due.clear();
    await Promise.all(this.#running);
  }

  /** Counts after a time; what fails is counted again later, and shows in the health of the server. */
  #countLater(namespace: string, millis: number, failures: number): void {
    if (this.#stopped) return;
    const { health } = this.registry;
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
    return this.registry.lacks('quota-controller');
  }

  async #recountAll(namespace: string): Promise<void> {
    for (const quota of await this.#quotas(namespace)) await this.#recount(quota);
  }

  async #quotas(namespace: string): Promise<KubeObject[]> {
    const { entries } = await this.registry.of('core/resourcequotas').list(namespace);
    return entries.map(({ value }) => value as KubeObject);
  }

  #pendingIn({ metadata: { uid = '' } }: KubeObject): readonly Taking[] {
    return [...(this.#pending.get(uid) ?? [])];
  }

  #putDown({ metadata: { uid = '' } }: KubeObject, taking: Taking): void {
    this.#pending.set(uid, (this.#pending.get(uid) ?? new Set()).add(taking));
  }

  /** Ends what was put down: it is stored by now, or will not be. */
  #settle({ metadata: { uid = '' } }: KubeObject, taking: Taking): void {
    const pending = this.#pending.get(uid);
    pending?.delete(taking);
    if (pending?.size === 0) this.#pending.delete(uid);
  }

  /** Whether something was put down. */
  async #charge(quota: KubeObject, wanted: Quantities, taking: Taking, dryRun: boolean): Promise<boolean> {
    const counted = await this.#counted(quota);
    if (counted === undefined) return false;
    const unsaid = taking.evaluator.unsaid?.(taking.object, Object.keys(specOf(counted).hard ?? {})) ?? [];
    if (unsaid.length > 0 && !taking.before) {
      throw taking.refuse(`failed quota: ${quota.metadata.name}: must specify ${unsaid.join(',')}`);
    }
    const change = (now: KubeObject): KubeObject => {
      const { hard = {}, used = {} } = statusOf(now);
      const asked = pick(wanted, hard);
      requireRoom(now, asked, taking);
      // Together with the sum: no count may find the one without the other.
      if (!dryRun) this.#putDown(counted, taking);
      const sums = Object.entries(asked).map(([name, amount]) => [name, addQuantities([used[name] ?? '0', amount])]);
      return { ...now, status: { hard, used: { ...used, ...Object.fromEntries(sums) } } };
    };
    let isCharged = false;
    try {
      isCharged = (await this.#amend(counted, change, dryRun)) !== undefined && !dryRun;
      return isCharged;
    } finally {
      if (!isCharged) this.#settle(counted, taking);
    }
  }

  /** A quota whose status can be judged by; undefined where there is none. */
  async #counted(quota: KubeObject): Promise<KubeObject | undefined> {
    const { hard } = statusOf(quota);
    if (this.#isUncounted) return hard === undefined ? undefined : quota;
    return equal(hard, specOf(quota).hard) ? quota : await this.#recount(quota);
  }

  async #giveBack(quota: KubeObject, wanted: Quantities): Promise<void> {
    await this.#amend(quota, (now) => {
      const { hard = {}, used = {} } = statusOf(now);
      const left = Object.entries(pick(wanted, hard)).map(([name, amount]) => [
        name,
        subtractQuantity(used[name] ?? '0', amount),
      ]);
      return { ...now, status: { hard, used: { ...used, ...Object.fromEntries(left) } } };
    });
  }

  /**
   * Writes what is in use; the quota as it is then, or undefined where it is gone. What is pending is looked up
   * before the storage, so that nothing can pass unseen from the one to the other.
   */
  async #recount(quota: KubeObject): Promise<KubeObject | undefined> {
    const { namespace = '', name = '' } = quota.metadata;
    let seen: KubeObject | undefined = quota;
    while (seen !== undefined) {
      const { resourceVersion } = seen.metadata;
      const { hard = {} } = specOf(seen);
      const used = await this.#usage(namespace, seen, this.#pendingIn(seen));
      let moved = false;
      const counted = await this.#amend(seen, (now) => {
        moved = now.metadata.resourceVersion !== resourceVersion;
        return moved ? now : { ...now, status: { hard, used } };
      });
      if (!moved) return counted;
      seen = counted && (await this.#find(namespace, name));
    }
    return undefined;
  }

  async #usage(namespace: string, quota: KubeObject, pending: readonly Taking[]): Promise<Quantities> {
    const names = Object.keys(specOf(quota).hard ?? {});
    const used: Record<string, string> = {};
    for (const evaluator of evaluators) {
      const covered = names.filter((name) => evaluator.covers(name));
      if (covered.length === 0) continue;
      for (const name of covered) used[name] = '0';
      const { entries } = await this.registry.of(evaluator.resource).list(namespace);
      const stored = entries.map(({ value }) => value as KubeObject);
      const coming = pending.filter((taking) => taking.evaluator === evaluator).map(({ object }) => object);
      for (const usage of usages(quota, evaluator, stored, coming)) {
        for (const [name, amount] of Object.entries(usage)) {
          if (Object.hasOwn(used, name)) used[name] = addQuantities([used[name] ?? '0', amount]);
        }
      }
    }
    return used;
  }

  async #find(namespace: string, name: string): Promise<KubeObject | undefined> {
    return (await this.#quotas(namespace)).find(({ metadata }) => metadata.name === name);
  }

  /** Changes a quota; undefined where it is gone. */
  async #amend(
    { metadata: { namespace, name = '' } }: KubeObject,
    change: (now: KubeObject) => KubeObject,
    dryRun = false,
  ): Promise<KubeObject | undefined> {
    try {
      const entry = await this.registry.of('core/resourcequotas').amend({ namespace, name }, change, { dryRun });
      return entry.value as KubeObject;
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return undefined;
      throw error;
    }
  }
}

/** Whether a quota is about an object. */
function sees(quota: KubeObject, evaluator: Evaluator, object: KubeObject): boolean {
  const { hard = {} } = specOf(quota);
  return Object.keys(hard).some((name) => evaluator.covers(name)) && inScopes(scopesOf(quota), evaluator, object);
}

/** The scopes of a quota, each once. */
const scopesOf = (quota: KubeObject): readonly string[] => [...new Set(specOf(quota).scopes)];

const inScopes = (scopes: readonly string[], evaluator: Evaluator, object: KubeObject): boolean =>
  scopes.every((scope) => evaluator.inScope?.(object, scope) === true);

/** What a write takes that was not taken before. */
function demand({ evaluator, object, before }: Taking): Quantities {
  const had = before === undefined ? {} : evaluator.usage(before);
  const more = Object.entries(evaluator.usage(object)).map(([name, amount]): [string, string] => [
    name,
    subtractQuantity(amount, had[name] ?? '0'),
  ]);
  return Object.fromEntries(more.filter(([, amount]) => amount !== '0'));
}

/** The usage of each object in the scopes of a quota that counts them; one that is being written counts as what takes more. */
function usages(
  quota: KubeObject,
  evaluator: Evaluator,
  stored: readonly KubeObject[],
  coming: readonly KubeObject[],
): Quantities[] {
  const most = new Map<string | undefined, Quantities>();
  const scopes = scopesOf(quota);
  for (const object of [...stored, ...coming]) {
    if (!inScopes(scopes, evaluator, object)) continue;
    const { uid } = object.metadata;
    const known = most.get(uid) ?? {};
    const usage = { ...known };
    for (const [name, amount] of Object.entries(evaluator.usage(object))) {
      if (compareQuantities(amount, usage[name] ?? '0') >= 0) usage[name] = amount;
    }
    most.set(uid, usage);
  }
  return [...most.values()];
}

const pick = (amounts: Quantities, of: Quantities): Quantities =>
  Object.fromEntries(Object.entries(amounts).filter(([name]) => own(of, name) !== undefined));

function requireRoom(quota: KubeObject, asked: Quantities, { refuse }: Taking): void {
  const { hard = {}, used = {} } = statusOf(quota);
  const over = Object.keys(asked)
    .filter((name) => compareQuantities(addQuantities([used[name] ?? '0', asked[name] ?? '0']), hard[name] ?? '0') > 0)
    .sort();
  if (over.length === 0) return;
  const list = (amounts: Quantities) => over.map((name) => `${name}=${amounts[name] ?? '0'}`).join(',');
  throw refuse(
    `exceeded quota: ${quota.metadata.name}, requested: ${list(asked)}, used: ${list(used)}, limited: ${list(hard)}`,
  );
}
