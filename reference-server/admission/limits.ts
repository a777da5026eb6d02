// The limits of a LimitRange, applied to what a container, a pod or a claim asks for and may use.
import { own } from '../schema/object.js';
import { addQuantities, compareQuantities, quantityRatio } from '../schema/quantity.js';

export type Quantities = Readonly<Record<string, string>>;

/** What something asks for and may use. */
export interface Amounts {
  readonly requests?: Quantities;
  readonly limits?: Quantities;
}

export interface Limit {
  readonly type?: string;
  readonly min?: Quantities;
  readonly max?: Quantities;
  readonly default?: Quantities;
  readonly defaultRequest?: Quantities;
  readonly maxLimitRequestRatio?: Quantities;
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

/** A claim has requests only. */
const maximumRequest: Rule = (resource, type, bound, request) => {
  const rule = `maximum ${resource} usage per ${type} is ${bound}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  return above(request, bound) ? `${rule}, but request is ${request}` : '';
};

const ratio: Rule = (resource, type, bound, request, limit) => {
  const rule = `${resource} max limit to request ratio per ${type} is ${bound}`;
  if (!above(request, '0')) return `${rule}, but no request is specified or request is 0`;
  if (!above(limit, '0')) return `${rule}, but no limit is specified or limit is 0`;
  const provided = quantityRatio(limit as string, request as string);
  return provided > quantityRatio(bound, '1') ? `${rule}, but provided ratio is ${provided.toFixed(6)}` : '';
};

/** What of the amounts breaks the limit, a sentence each. */
export function broken(item: Limit, { requests = {}, limits = {} }: Amounts): string[] {
  const type = item.type ?? '';
  const apply = (bounds: Quantities = {}, rule: Rule) =>
    Object.entries(bounds)
      .sort()
      .map(([name, bound]) => rule(name, type, bound, quantity(requests, name), quantity(limits, name)));
  const highest = type === 'PersistentVolumeClaim' ? maximumRequest : maximum;
  return [...apply(item.min, minimum), ...apply(item.max, highest), ...apply(item.maxLimitRequestRatio, ratio)].filter(
    (sentence) => sentence !== '',
  );
}

const quantity = (of: Quantities, name: string) => own(of, name) as string | undefined;

/** What all of them need together; a resource that one of them leaves open has no total. */
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
