// The usage of quotas: the objects that a quota applies to, the demand of a write, and the remaining amount.

import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { eachField, type KubeObject, own, part } from '../schema/object.js';
import { addQuantities, compareQuantities, type Quantities, subtractQuantity } from '../schema/quantity.js';
import type { StatusError } from '../statusError.js';
import type { Evaluator, Scope } from './evaluator.js';

/** A write that uses quota. */
export interface QuotaCharge {
  readonly evaluator: Evaluator;
  readonly namespace: string;
  readonly object: KubeObject;
  readonly before?: KubeObject;
  /** Makes the error that refuses the write. */
  readonly refuse: (why: string) => StatusError;
}

export const quotaSpecOf = (quota: KubeObject) => part<ObjectOf<'ResourceQuotaSpec'>>(quota, 'spec');
export const quotaStatusOf = (quota: KubeObject) => part<ObjectOf<'ResourceQuotaStatus'>>(quota, 'status');

export function appliesTo(quota: KubeObject, evaluator: Evaluator, object: KubeObject): boolean {
  const { hard = {} } = quotaSpecOf(quota);
  return Object.keys(hard).some((name) => evaluator.covers(name)) && inScopes(scopesOf(quota), evaluator, object);
}

function scopesOf(quota: KubeObject): readonly Scope[] {
  const { scopes, scopeSelector: { matchExpressions = [] } = {} } = quotaSpecOf(quota);
  return [...[...new Set(scopes)].map((scopeName) => ({ scopeName, operator: 'Exists' })), ...matchExpressions];
}

const inScopes = (scopes: readonly Scope[], evaluator: Evaluator, object: KubeObject): boolean =>
  scopes.every((scope) => evaluator.inScope?.(object, scope) === true);

export function addedUsage({ evaluator, object, before }: QuotaCharge): Quantities {
  const had = before === undefined ? {} : evaluator.usage(before);
  const more = Object.entries(evaluator.usage(object)).map(([name, amount]): [string, string] => [
    name,
    subtractQuantity(amount, had[name] ?? '0'),
  ]);
  return Object.fromEntries(more.filter(([, amount]) => amount !== '0'));
}

/**
 * Returns the usage of the objects in scopes. An object that is both stored and being written counts with the larger
 * amount of each resource.
 */
function totalOf(
  evaluator: Evaluator,
  scopes: readonly Scope[],
  stored: readonly KubeObject[],
  coming: readonly KubeObject[],
): Quantities {
  const most = new Map<string | undefined, Quantities>();
  for (const object of [...stored, ...coming]) {
    if (!inScopes(scopes, evaluator, object)) continue;
    const { uid } = object.metadata;
    const [known, usage] = [most.get(uid), evaluator.usage(object)];
    most.set(uid, known === undefined ? usage : largest(known, usage));
  }
  const total: Record<string, string> = {};
  for (const usage of most.values()) {
    eachField(usage, (name, amount) => {
      total[name] = addQuantities([total[name] ?? '0', amount]);
    });
  }
  return total;
}

function largest(one: Quantities, other: Quantities): Quantities {
  const all = { ...one };
  eachField(other, (name, amount) => {
    if (compareQuantities(amount, all[name] ?? '0') >= 0) all[name] = amount;
  });
  return all;
}

/** The usage of a namespace at one time. Quotas of the same scopes share the sums: a namespace may have many quotas. */
export class NamespaceUsage {
  readonly #objects = new Map<Evaluator, Promise<readonly KubeObject[]>>();
  readonly #totals = new Map<string, Quantities>();

  constructor(
    readonly evaluators: readonly Evaluator[],
    readonly objectsOf: (resource: string) => Promise<readonly KubeObject[]>,
  ) {}

  /** Returns the usage of each limited resource by the stored objects, and by those that are being written. */
  async of(quota: KubeObject, pending: readonly Pick<QuotaCharge, 'evaluator' | 'object'>[]): Promise<Quantities> {
    const names = Object.keys(quotaSpecOf(quota).hard ?? {});
    const scopes = scopesOf(quota);
    const used: Record<string, string> = {};
    for (const evaluator of this.evaluators) {
      const covered = names.filter((name) => evaluator.covers(name));
      if (covered.length === 0) continue;
      const coming = pending.filter((charge) => charge.evaluator === evaluator).map(({ object }) => object);
      const total = await this.#total(evaluator, scopes, coming);
      for (const name of covered) used[name] = total[name] ?? '0';
    }
    return used;
  }

  async #total(evaluator: Evaluator, scopes: readonly Scope[], coming: readonly KubeObject[]): Promise<Quantities> {
    const stored = this.#objects.get(evaluator) ?? this.objectsOf(evaluator.resource);
    this.#objects.set(evaluator, stored);
    if (coming.length > 0) return totalOf(evaluator, scopes, await stored, coming);
    const key = JSON.stringify([evaluator.resource, scopes]);
    const total = this.#totals.get(key) ?? totalOf(evaluator, scopes, await stored, []);
    this.#totals.set(key, total);
    return total;
  }
}

export const pick = (amounts: Quantities, of: Quantities): Quantities =>
  Object.fromEntries(Object.entries(amounts).filter(([name]) => own(of, name) !== undefined));

export function requireWithinQuota(quota: KubeObject, asked: Quantities, { refuse }: QuotaCharge): void {
  const { hard = {}, used = {} } = quotaStatusOf(quota);
  const over = Object.keys(asked)
    .filter((name) => compareQuantities(addQuantities([used[name] ?? '0', asked[name] ?? '0']), hard[name] ?? '0') > 0)
    .sort();
  if (over.length === 0) return;
  const list = (amounts: Quantities) => over.map((name) => `${name}=${amounts[name] ?? '0'}`).join(',');
  throw refuse(
    `exceeded quota: ${quota.metadata.name}, requested: ${list(asked)}, used: ${list(used)}, limited: ${list(hard)}`,
  );
}
