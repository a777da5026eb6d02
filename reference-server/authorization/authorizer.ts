// Authorization: all users may do everything, or the default roles of a new cluster apply.
import type { User } from '../authentication/authenticator.js';
import { forbiddenPath, forbiddenResource } from '../errors.js';
import { OptionError } from '../optionValues.js';
import type { StatusError } from '../statusError.js';
import type { Attributes } from './attributes.js';

/** The values of `--authorization-mode`. */
const authorizationModes = ['AlwaysAllow', 'RBAC'] as const;

export type AuthorizationMode = (typeof authorizationModes)[number];

/** Whether a user may send a request, and why; empty if there is nothing to tell. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** Decides whether a user may send a request with these attributes. */
export type Decide = (user: User, attributes: Attributes) => Decision;

/** What a user may do, as a review lists it. */
export interface AccessRules {
  readonly resourceRules: readonly object[];
  readonly nonResourceRules: readonly object[];
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}

export interface Authorizer {
  readonly decide: Decide;
  /** Resolves when the decisions know each write that was acknowledged before the call; absent if they need no writes. */
  current?(): Promise<void>;
  /** Lists what a user may do in a namespace; absent for an authorizer that allows everything. */
  rulesOf?(user: User, namespace: string): AccessRules;
}

/**
 * Returns the authorizer of a mode. Without stored roles, the components of the cluster may do everything. Throws an
 * OptionError for an unknown mode.
 */
export function authorizer(mode: AuthorizationMode, components: readonly string[] = []): Authorizer {
  if (!authorizationModes.includes(mode))
    throw new OptionError(`--authorization-mode: "${mode}" is none of ${authorizationModes.join(', ')}`);
  if (mode === 'AlwaysAllow') return { decide: () => allowed };
  return {
    decide: (user, attributes) => (components.includes(user.name) ? allowed : byFirstRoles(user, attributes)),
  };
}

const allowed: Decision = { allowed: true, reason: '' };
const denied: Decision = { allowed: false, reason: '' };

/** The group that may do everything, whatever the roles say. */
export const masters = 'system:masters';
/** Paths that all users may read, and paths that authenticated users may read, without the slash at the end. */
const publicPaths = ['/version', '/healthz', '/livez', '/readyz'];
const discoveryPaths = [/^\/api(\/|$)/, /^\/apis(\/|$)/, /^\/openapi(\/|$)/];

/** The group of all users that a mechanism knows. */
const authenticated = 'system:authenticated';

/** What all authenticated users may ask about themselves. */
const ownReviews: ReadonlySet<string> = new Set([
  'authentication.k8s.io/selfsubjectreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
]);

const byFirstRoles: Decide = (user, attributes) =>
  user.groups.includes(masters) || isAllowed(user, attributes) ? allowed : denied;

function isAllowed({ groups }: User, attributes: Attributes): boolean {
  const isKnown = groups.includes(authenticated);
  const { verb } = attributes;
  if ('path' in attributes) {
    if (verb !== 'get' && verb !== 'head') return false;
    const path = attributes.path.replace(/(?<=.)\/$/, '');
    return publicPaths.includes(path) || (isKnown && discoveryPaths.some((pattern) => pattern.test(path)));
  }
  const { group, resource } = attributes;
  return isKnown && verb === 'create' && ownReviews.has(`${group}/${resource}`);
}

/** Returns the refusal of a request, or undefined if it is allowed. */
export function refusalBy(decide: Decide, user: User, attributes: Attributes): StatusError | undefined {
  const { allowed, reason } = decide(user, attributes);
  if (allowed) return undefined;
  if ('path' in attributes) return forbiddenPath(user.name, attributes.verb, attributes.path, reason);
  return forbiddenResource(user.name, attributes, reason);
}
