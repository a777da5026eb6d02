// The questions to the authorizer that rules of admission can ask.
import { EvaluationError, Opaque } from '../values.js';
import { define, fail, type Overload } from './define.js';

/** What an expression asks: may a user do this? */
export interface AccessQuestion {
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly verb: string;
  /** The service account that is asked for, instead of the user of the request. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

/** Answers a question. It is asked while the expression runs, so it cannot wait. */
export type Authorize = (question: AccessQuestion) => { readonly allowed: boolean; readonly reason: string };

abstract class Check extends Opaque {
  constructor(
    readonly authorize: Authorize,
    readonly question: Omit<AccessQuestion, 'verb'>,
  ) {
    super();
  }

  equals(other: Opaque): boolean {
    return this === other;
  }
}

export class Authorizer extends Check {
  readonly typeName = 'kubernetes.authorization.Authorizer';
}

class PathCheck extends Check {
  readonly typeName = 'kubernetes.authorization.PathCheck';
}

class GroupCheck extends Check {
  readonly typeName = 'kubernetes.authorization.GroupCheck';
}

/** The check of a resource: `authorizer.requestResource` is that of the request. */
export class ResourceCheck extends Check {
  readonly typeName = 'kubernetes.authorization.ResourceCheck';
}

class Decision extends Opaque {
  readonly typeName = 'kubernetes.authorization.Decision';

  constructor(
    readonly allowed: boolean,
    readonly reason: string,
    readonly error?: string,
  ) {
    super();
  }

  equals(other: Opaque): boolean {
    return this === other;
  }
}

/** What one question costs: far more than a step of the expression. */
const questionCost = (): number => 350_000;

function decide({ authorize, question }: Check, verb: string): Decision {
  try {
    const { allowed, reason } = authorize({ ...question, verb });
    return new Decision(allowed, reason);
  } catch (error) {
    if (error instanceof EvaluationError) throw error;
    return new Decision(false, '', error instanceof Error ? error.message : String(error));
  }
}

const kind = 'kubernetes.authorization';
const resource = `${kind}.ResourceCheck`;

const narrowed = (name: string, field: keyof AccessQuestion): Overload =>
  define<[ResourceCheck, string]>(
    `(${resource}).${name}(string): ${resource}`,
    (check, value) => new ResourceCheck(check.authorize, { ...check.question, [field]: value }),
  );

export const authorizers: readonly Overload[] = [
  define<[Authorizer, string]>(
    `(${kind}.Authorizer).path(string): ${kind}.PathCheck`,
    ({ authorize, question }, path) =>
      path === '' ? fail('path must not be empty') : new PathCheck(authorize, { ...question, path }),
  ),
  define<[Authorizer, string]>(
    `(${kind}.Authorizer).group(string): ${kind}.GroupCheck`,
    ({ authorize, question }, group) => new GroupCheck(authorize, { ...question, group }),
  ),
  define<[Authorizer, string, string]>(
    `(${kind}.Authorizer).serviceAccount(string, string): ${kind}.Authorizer`,
    ({ authorize }, namespace, name) => new Authorizer(authorize, { serviceAccount: { namespace, name } }),
  ),
  define<[GroupCheck, string]>(`(${kind}.GroupCheck).resource(string): ${resource}`, ({ authorize, question }, name) =>
    name === '' ? fail('resource must not be empty') : new ResourceCheck(authorize, { ...question, resource: name }),
  ),
  narrowed('subresource', 'subresource'),
  narrowed('namespace', 'namespace'),
  narrowed('name', 'name'),
  define<[PathCheck, string]>(`(${kind}.PathCheck).check(string): ${kind}.Decision`, decide, questionCost),
  define<[ResourceCheck, string]>(`(${resource}).check(string): ${kind}.Decision`, decide, questionCost),
  define<[Decision]>(`(${kind}.Decision).allowed(): bool`, ({ allowed }) => allowed),
  define<[Decision]>(`(${kind}.Decision).reason(): string`, ({ reason }) => reason),
  define<[Decision]>(`(${kind}.Decision).errored(): bool`, ({ error }) => error !== undefined),
  define<[Decision]>(`(${kind}.Decision).error(): string`, ({ error = '' }) => error),
];
