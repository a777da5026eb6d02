// Applies the limits of LimitRanges to the requests and limits of containers, pods and claims.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { own } from '../schema/object.js';
import { addQuantities, compareQuantities, type Quantities, quantityRatio } from '../schema/quantity.js';

/** The requests and limits of an object. */
export type Amounts = ObjectOf<'ResourceRequirements'>;

/** The merged limits of one type: the tightest bound and the first default for each resource. */
export interface Merged {
  readonly type: string;
  readonly min: Bounds;
  readonly max: Bounds;
  readonly maxLimitRequestRatio: Bounds;
  readonly default: Bounds;
  readonly defaultRequest: Bounds;
}

/** Bounds by resource, sorted by name. */
type Bounds = ReadonlyMap<string, string>;

/** Returns the tighter of two bounds, or the first of two defaults. */
const tighter: Readonly<Record<keyof Omit<Merged, 'type'>, (one: string, other: string) => string>> = {
  min: (one, other) => (compareQuantities(one, other) < 0 ? other : one),
  max: (one, other) => (compareQuantities(one, other) > 0 ? other : one),
  maxLimitRequestRatio: (one, other) => (compareQuantities(one, other) > 0 ? other : one),
  default: (one) => one,
  defaultRequest: (one) => one,
};

const parts = Object.keys(tighter) as (keyof typeof tighter)[];

/** Merges limits by type, so that an object is compared with each bound once, however many limits there are. */
export function mergeLimits(limits: readonly ObjectOf<'LimitRangeItem'>[]): ReadonlyMap<string, Merged> {
  const byType = new Map<string, Record<keyof typeof tighter, Map<string, string>>>();
  for (const limit of limits) {
    const type = limit.type ?? '';
    const bounds = byType.get(type) ?? (Object.fromEntries(parts.map((part) => [part, new Map()])) as never);
    byType.set(type, bounds);
    for (const part of parts) {
      for (const [name, bound] of Object.entries(limit[part] ?? {})) {
        const known = bounds[part].get(name);
        bounds[part].set(name, known === undefined ? bound : tighter[part](known, bound));
      }
    }
  }
  return new Map(
    [...byType].map(([type, bounds]) => {
      const ordered = parts.map((part) => [
        part,
        new Map([...bounds[part]].sort(([one], [other]) => (one < other ? -1 : 1))),
      ]);
      return [type, { type, ...Object.fromEntries(ordered) } as Merged];
    }),
  );
}

type Rule = (resource: string, type: string, bound: string, request: string | undefined, limit?: string) => string;

const below = (one: string | undefined, other: string) => one !== undefined && compareQuantities(one, other) < 0;
const above = (one: string | undefined, other: string) => one !== undefined && compareQuantities(one, other) > 0;

const minimum: Rule = (resource, type, bound, request, limit) => {
  const rule = `minimum ${resource} usage per ${type} is ${bound}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  if (below(request, bound)) return `${rule}, but request is ${request}`;
  return below(limit, bound) ? `${rule}, but limit is ${limit}` : '';
};

const maximum: Rule = (resource, type, bound, request, limit) => {
  const rule = `maximum ${resource} usage per ${type} is ${bound}`;
  if (limit === undefined) return `${rule}.  No limit is specified`;
  if (above(limit, bound)) return `${rule}, but limit is ${limit}`;
  return above(request, bound) ? `${rule}, but request is ${request}` : '';
};

const maximumRequest: Rule = (resource, type, bound, request) => {
  const rule = `maximum ${resource} usage per ${type} is ${bound}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  return above(request, bound) ? `${rule}, but request is ${request}` : '';
};

const minimumRequest: Rule = (resource, type, bound, request) => minimum(resource, type, bound, request);

const ratio: Rule = (resource, type, bound, request, limit) => {
  const rule = `${resource} max limit to request ratio per ${type} is ${bound}`;
  if (!above(request, '0')) return `${rule}, but no request is specified or request is 0`;
  if (!above(limit, '0')) return `${rule}, but no limit is specified or limit is 0`;
  const provided = quantityRatio(limit as string, request as string);
  return provided > quantityRatio(bound, '1') ? `${rule}, but provided ratio is ${provided.toFixed(6)}` : '';
};

/** The most violations to report: an object without amounts violates each rule once for each container. */
const mostBroken = 100;

/** Adds a sentence for each violated limit, until there are enough. */
export function addBroken(merged: Merged, { requests = {}, limits = {} }: Amounts, sentences: string[]): void {
  const { type } = merged;
  const apply = (bounds: Bounds, rule: Rule): void => {
    for (const [name, bound] of bounds) {
      if (sentences.length >= mostBroken) return;
      const sentence = rule(name, type, bound, quantity(requests, name), quantity(limits, name));
      if (sentence !== '') sentences.push(sentence);
    }
  };
  // Of a claim only the requests count.
  if (type === 'PersistentVolumeClaim') {
    apply(merged.min, minimumRequest);
    apply(merged.max, maximumRequest);
  } else {
    apply(merged.min, minimum);
    apply(merged.max, maximum);
    apply(merged.maxLimitRequestRatio, ratio);
  }
}

const quantity = (of: Quantities, name: string) => own(of, name) as string | undefined;

/** The totals of several amounts. A resource that one of them leaves open has no total. */
export function totals(of: readonly Amounts[]): Amounts {
  const total = (parts: readonly Quantities[]): Quantities => {
    const [first = {}] = parts;
    const named = Object.keys(first).filter((name) => parts.every((part) => Object.hasOwn(part, name)));
    return Object.fromEntries(named.map((name) => [name, addQuantities(parts.map((part) => part[name] ?? '0'))]));
  };
  return {
    requests: total(of.map(({ requests = {} }) => requests)),
    limits: total(of.map(({ limits = {} }) => limits)),
  };
}
