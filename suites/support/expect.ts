// How a check says no: each function throws a Failure with what was required and what came.

import type { SkipReason } from '../../matrix/requirements/index.js';
import { brief, type Json, missing } from './json.js';
import type { Reply } from './reply.js';

/** The target broke the requirement. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** Something that the check needs could not be had; the requirement itself was not reached. */
export class Prerequisite extends Error {
  override readonly name = 'Prerequisite';
}

/** The requirement cannot be judged here, through no fault of the target; the message says why. */
export class Unjudged extends Error {
  override readonly name = 'Unjudged';

  constructor(
    readonly verdict: 'not-supported' | 'skipped',
    reason: string,
    /** Of what is skipped. */
    readonly skip: SkipReason = 'could-not-run',
  ) {
    super(reason);
  }
}

/** What a check that passes returns to have something told quietly, without a verdict: `<about>: <what>, <what>`. */
export class Note {
  constructor(readonly text: string) {}
}

export function fail(message: string): never {
  throw new Failure(message);
}

/** Strict equality of two plain values. */
export function equal(actual: unknown, expected: string | number | boolean, what: string): void {
  if (actual !== expected) fail(`${what}: expected ${brief(expected)}, got ${brief(actual)}`);
}

export function oneOf(actual: unknown, allowed: readonly unknown[], what: string): void {
  if (!allowed.includes(actual)) fail(`${what}: expected one of ${brief(allowed)}, got ${brief(actual)}`);
}

/** Every field of `expected` is in `actual` with the same value; lists are equal item by item. */
export function holds(actual: unknown, expected: Json, what: string): void {
  const lack = missing(actual, expected);
  if (lack !== undefined) fail(`${what}: ${lack}`);
}

export function nonEmptyString(value: unknown, what: string): string {
  if (typeof value !== 'string' || value === '')
    fail(`${what}: expected a string that is not empty, got ${brief(value)}`);
  return value as string;
}

/** The answer's status is one of those given. */
export function status(reply: Reply, ...allowed: readonly number[]): void {
  if (!allowed.includes(reply.status)) {
    fail(`${reply.request}: expected ${allowed.join(' or ')}, got ${reply.status} ${reply.excerpt()}`);
  }
}

/** The answer is a client error: 400 to 499. */
export function clientError(reply: Reply): void {
  if (reply.status < 400 || reply.status > 499) {
    fail(`${reply.request}: expected a client error (4xx), got ${reply.status} ${reply.excerpt()}`);
  }
}

/** The answer is a success: 200 to 299. */
export function success(reply: Reply): void {
  if (reply.status < 200 || reply.status > 299) {
    fail(`${reply.request}: expected success (2xx), got ${reply.status} ${reply.excerpt()}`);
  }
}

/** The body is a Status of a failure whose code is the answer's, with one of the given reasons. */
export function statusObject(reply: Reply, ...reasons: readonly string[]): void {
  const body = reply.value();
  holds(body, { kind: 'Status', status: 'Failure', code: reply.status }, `${reply.request}: Status of the failure`);
  if (reasons.length > 0)
    oneOf((body as { reason?: unknown }).reason, reasons, `${reply.request}: reason of the Status`);
}
