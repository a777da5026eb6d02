// Authorization: all users may do everything, or the default roles of a new cluster apply.
import type { User } from '../authentication/authenticator.js';
import { forbiddenPath, forbiddenResource } from '../errors.js';
import { OptionError } from '../optionValues.js';
import type { StatusError } from '../statusError.js';
import { type Attributes, attributesOf } from './attributes.js';

/** The values of `--authorization-mode`. */
const authorizationModes = ['AlwaysAllow', 'RBAC'] as const;

export type AuthorizationMode = (typeof authorizationModes)[number];

/** Returns the refusal of a request, or undefined if it is allowed. */
export type Authorize = (user: User, method: string, pathname: string, isWatch: boolean) => StatusError | undefined;

/** Returns the authorizer of a mode. Throws an OptionError for an unknown mode. */
export function authorizer(mode: AuthorizationMode): Authorize {
  if (!authorizationModes.includes(mode))
    throw new OptionError(`--authorization-mode: "${mode}" is none of ${authorizationModes.join(', ')}`);
  return mode === 'AlwaysAllow' ? () => undefined : byFirstRoles;
}

const masters = 'system:masters';
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

/** Reports whether a user may send a request with these attributes, for reviews of access. */
export type Allows = (user: User, attributes: Attributes) => boolean;

/** Returns the answers of a mode to reviews of access. */
export function accessIn(mode: AuthorizationMode): Allows {
  return (user, attributes) => mode === 'AlwaysAllow' || user.groups.includes(masters) || isAllowed(user, attributes);
}

const byFirstRoles: Authorize = (user, method, pathname, isWatch) => {
  if (user.groups.includes(masters)) return undefined;
  const attributes = attributesOf(method, pathname, isWatch);
  return isAllowed(user, attributes) ? undefined : refusal(user, attributes);
};

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

function refusal({ name: user }: User, attributes: Attributes): StatusError {
  if ('path' in attributes) return forbiddenPath(user, attributes.verb, attributes.path);
  return forbiddenResource(user, attributes);
}
