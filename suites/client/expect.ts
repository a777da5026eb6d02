// How a check fails: each function throws a Failure with the requirement and the actual value.

import type { SkipReason } from '../requirements/index.js';
import { Failure } from './failure.js';
import { brief, difference, type Json, missing } from './json.js';
import type { Reply } from './reply.js';

export { Failure };

/** A prerequisite of the check failed; the requirement itself was not checked. */
export class Prerequisite extends Error {
  override readonly name = 'Prerequisite';
}

/** The requirement cannot be checked here, and the target is not at fault. The message gives the reason. */
export class Unchecked extends Error {
  override readonly name = 'Unchecked';

  constructor(
    readonly verdict: 'not-supported' | 'skipped',
    reason: string,
    readonly skip: SkipReason = 'could-not-run',
  ) {
    super(reason);
  }
}

/** A passed check returns a note to report a fact without a verdict: `<about>: <what>, <what>`. */
export class Note {
  constructor(readonly text: string) {}
}

export function fail(message: string): never {
  throw new Failure(message);
}

/** Throws Failure unless two plain values are strictly equal. */
export function equal(actual: unknown, expected: string | number | boolean, what: string): void {
  if (actual !== expected) fail(`${what}: expected ${brief(expected)}, got ${brief(actual)}`);
}

/** Throws Failure unless a value is what it was before; it may be absent both times. */
export function isStill({ before, after }: { readonly before: unknown; readonly after: unknown }, what: string): void {
  if (after !== before) fail(`${what}: expected ${brief(before)}, got ${brief(after)}`);
}

export function oneOf(actual: unknown, allowed: readonly unknown[], what: string): void {
  if (!allowed.includes(actual)) fail(`${what}: expected one of ${brief(allowed)}, got ${brief(actual)}`);
}

/** Throws Failure unless two values are deeply equal. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const found = difference(actual, expected);
  if (found !== undefined) fail(`${what}: ${found}`);
}

/** Throws Failure unless every field of `expected` is in `actual` with the same value; lists are compared by item. */
export function holds(actual: unknown, expected: Json, what: string): void {
  const lack = missing(actual, expected);
  if (lack !== undefined) fail(`${what}: ${lack}`);
}

export function nonEmptyString(value: unknown, what: string): string {
  if (typeof value !== 'string' || value === '')
    fail(`${what}: expected a string that is not empty, got ${brief(value)}`);
  return value as string;
}

/** Throws Failure unless the response has one of the given statuses. */
export function status(reply: Reply, ...allowed: readonly number[]): void {
  if (!allowed.includes(reply.status)) {
    fail(`${reply.request}: expected ${allowed.join(' or ')}, got ${reply.status} ${reply.excerpt()}`);
  }
}

/** Throws Failure unless the response is a client error: 400 to 499. */
export function clientError(reply: Reply): void {
  if (reply.status < 400 || reply.status > 499) {
    fail(`${reply.request}: expected a client error (4xx), got ${reply.status} ${reply.excerpt()}`);
  }
}

/** Throws Failure unless the response is a success: 200 to 299. */
export function success(reply: Reply): void {
  if (reply.status < 200 || reply.status > 299) {
    fail(`${reply.request}: expected success (2xx), got ${reply.status} ${reply.excerpt()}`);
  }
}

/** Throws Failure unless the body is a Status of a failure with the response's code and one of the given reasons. */
export function statusObject(reply: Reply, ...reasons: readonly string[]): void {
  const body = reply.value();
  holds(body, { kind: 'Status', status: 'Failure', code: reply.status }, `${reply.request}: Status of the failure`);
  if (reasons.length > 0)
    oneOf((body as { reason?: unknown }).reason, reasons, `${reply.request}: reason of the Status`);
}
