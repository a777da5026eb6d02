// The permissions of a run's credentials: asks the target if possible, otherwise tries harmless requests.
import { groupBy } from '../../../matrix/api/groupBy.js';
import {
  type Method,
  type Resource,
  resourceId,
  subresourceOf,
  type Verb,
  type VerbRow,
  verbs,
} from '../../../matrix/api/index.js';
import {
  aliasFor,
  type Client,
  effectiveTarget,
  NoAnswer,
  ownCredential,
  type Reply,
  scaled,
  skipReason,
} from '../../../suites/index.js';
import type { Case, Target } from '../../../suites/requirements/index.js';
import { kindsBeside, makesNothing, verbsBeside } from './beside.js';

/** A verb on a resource of a group, or on a subresource (`pods/log`). */
export interface Permission {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly verb: string;
  readonly namespaced: boolean;
}

/** The verbs with which checks make, read and remove their objects, if the kind supports them. */
const around = [
  ['create', 'create'],
  ['get', 'read'],
  ['list', 'list'],
  ['delete', 'delete'],
] as const satisfies readonly (readonly [verb: string, Verb])[];
/** How namespaces are made and removed, also where no controller removes them. */
const ofNamespaces = [
  ...around.map(([verb]) => [verb, 'namespaces'] as const),
  ['update', 'namespaces/finalize'],
] as const;
const batch = 16;

/**
 * Returns the permissions that the cases need: their own verbs and, unless the run is read-only, those of the checks. A
 * run in one namespace needs fewer, because its cases are skipped where the user may do less.
 */
export function permissionsOf(cases: readonly Case[], target: Target): Permission[] {
  const needed = new Map<string, Permission>();
  const need = (permission: Permission): void => void needed.set(keyOf(permission), permission);
  const kinds = new Set<Resource>();
  for (const one of cases) {
    const { subject } = one;
    if (skipReason(effectiveTarget(target, subject), subject) !== undefined) continue;
    const { operation } = subject;
    const resource = operation?.resource;
    if (operation !== undefined && resource !== undefined)
      need(permissionFor(resource, operation.verb as Verb, target, operation.method));
    if (target.only !== undefined) {
      if (resource === undefined || target.readOnly) continue;
      for (const [, of] of around) if (verbsOf(resource).includes(of)) need(permissionFor(resource, of, target));
      continue;
    }
    for (const [verb, group, name] of verbsBeside(one))
      if (!target.readOnly || reading.has(verb))
        need({ group, version: 'v1', resource: name, verb, namespaced: false });
    if (makesNothing(one)) continue;
    const own = resource === undefined ? [] : [resource, scaled(resource)];
    if (target.readOnly) {
      for (const kind of own) kinds.add(kind);
      continue;
    }
    for (const kind of [...own, ...kindsBeside(one)]) if (isServed(kind, target)) kinds.add(kind);
    for (const [verb, resource] of ofNamespaces) need({ group: '', version: 'v1', resource, verb, namespaced: false });
  }
  for (const kind of kinds)
    for (const verb of verbsOf(kind)) {
      const row: VerbRow = verbs[verb];
      const permission = permissionFor(kind, verb, target);
      if (row.answer !== 'connect' && (!target.readOnly || reading.has(permission.verb))) need(permission);
    }
  return [...needed.values()];
}

const reading = new Set(['get', 'list', 'watch']);

const verbsOf = ({ stated, unstated }: Resource): readonly Verb[] => [...stated, ...unstated];

/** Returns the permission for a method of a verb, in the version in which the target serves the resource. */
function permissionFor(resource: Resource, verb: Verb, { aliases }: Target, method?: Method): Permission {
  const { plural, namespaced, groupVersion } = resource;
  const [group = '', version = ''] = aliasFor(aliases, { resource })?.to.split('/') ?? [
    groupVersion.group,
    groupVersion.version,
  ];
  const row: VerbRow = verbs[verb];
  const subresource = subresourceOf(verb);
  return {
    ...{ group, version, namespaced },
    resource: subresource === undefined ? plural : `${plural}/${subresource}`,
    // An authorizer knows the paths of old proxies by a verb of their own.
    verb:
      row.form === 'legacy'
        ? 'proxy'
        : (row.discovery[method ? row.methods.indexOf(method) : 0] ?? row.discovery[0] ?? ''),
  };
}

const isServed = (resource: Resource, { aliases, notSupported }: Target): boolean =>
  aliasFor(aliases, { resource }) !== undefined ||
  !notSupported.some(({ capability }) =>
    [`resource:${resourceId(resource)}`, `group:${resource.groupVersion.group || 'core'}`].includes(capability),
  );

/** Returns, for each operation of the cases, what the user may not do of that which it needs: `create on pods`. */
export function forbiddenOf(
  cases: readonly Case[],
  target: Target,
  missing: readonly Permission[],
): Readonly<Record<string, string>> {
  const keys = new Set(missing.map(keyOf));
  const operations = new Map(cases.flatMap((one) => (one.subject.operation ? [[one.subject.operation.id, one]] : [])));
  return Object.fromEntries(
    [...operations].flatMap(([id, one]) => {
      const lacks = permissionsOf([one], target).filter((permission) => keys.has(keyOf(permission)));
      if (lacks.length === 0) return [];
      const whole = lacks.filter(({ resource, verb }) => !resource.includes('/') && isAround(verb));
      return [[id, sentenceOf(whole.length > 0 ? whole : lacks)]];
    }),
  );
}

const isAround = (verb: string): boolean => around.some(([name]) => name === verb);

const keyOf = (permission: Permission): string => Object.values(permission).join(' ');

export async function missingPermissions(client: Client, needed: readonly Permission[]): Promise<Permission[]> {
  if (needed.length === 0) return [];
  const isMissing = (await reviewer(client)) ?? trial(client);
  const missing: Permission[] = [];
  try {
    for (let start = 0; start < needed.length; start += batch) {
      const some = needed.slice(start, start + batch);
      const lacks = await Promise.all(some.map(isMissing));
      missing.push(...some.filter((_, index) => lacks[index]));
    }
  } catch (error) {
    // The run itself finds out whether the target still responds.
    if (!(error instanceof NoAnswer)) throw error;
  }
  client.takeExchanges();
  return missing;
}

type Asks = (permission: Permission) => Promise<boolean>;

/**
 * Returns a function that asks the target for a permission, or undefined if reviews are not available. A review is a
 * POST.
 */
async function reviewer(client: Client): Promise<Asks | undefined> {
  if (client.target.readOnly) return undefined;
  const group = `authorization.${client.target.domains.authentication}`;
  for (const version of ['v1', 'v1beta1']) {
    const review = async (attributes: object): Promise<boolean | undefined> => {
      const reply = await post(client, `/apis/${group}/${version}/selfsubjectaccessreviews`, {
        apiVersion: `${group}/${version}`,
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: attributes },
      });
      const { status } = (reply.tryValue() ?? {}) as { readonly status?: { readonly allowed?: unknown } };
      return reply.status < 300 && typeof status?.allowed === 'boolean' ? status.allowed : undefined;
    };
    const only = client.target.only?.namespace;
    const everything = await review({ group: '*', resource: '*', verb: '*' });
    if (everything === undefined) continue;
    return async ({ group, resource, verb }) => {
      const [plural, subresource] = resource.split('/');
      if (everything) return false;
      return (
        (await review({
          group,
          resource: plural,
          ...(subresource && { subresource }),
          ...(only && { namespace: only }),
          verb,
        })) === false
      );
    };
  }
  return undefined;
}

/**
 * Tries requests without effect: reads, a create without an object, an empty patch of an absent object. Deletes and
 * replaces are not tried, because a faulty server may apply them to the objects of others.
 */
function trial(client: Client): Asks {
  return async ({ group, version, resource, verb, namespaced }) => {
    const [plural = '', subresource] = resource.split('/');
    if (subresource !== undefined) return false;
    const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const collection = `${prefix}${namespaced ? `/namespaces/${client.target.only?.namespace ?? 'kac-absent'}` : ''}/${plural}`;
    const object = `${collection}/kac-absent`;
    const all = client.target.only === undefined ? `${prefix}/${plural}` : collection;
    const calls: Readonly<Record<string, () => Promise<Reply | undefined>>> = {
      get: () => client.send({ method: 'GET', path: object, as: ownCredential(client.target) }),
      list: () => client.send({ method: 'GET', path: `${all}?limit=1`, as: ownCredential(client.target) }),
      watch: () => firstOfWatch(client, `${all}?watch=true&timeoutSeconds=1`),
      create: () => post(client, `${collection}?dryRun=All`, {}),
      patch: () => post(client, `${object}?dryRun=All`, {}, 'PATCH', 'application/merge-patch+json'),
    };
    const reply = await calls[verb]?.();
    return reply?.status === 403;
  };
}

/** Returns the head of a watch; undefined if none comes: some servers send it with the first event. */
async function firstOfWatch(client: Client, path: string): Promise<Reply | undefined> {
  const as = ownCredential(client.target);
  try {
    return await client.send({ method: 'GET', path, as, headersOnly: true, deadline: 3_000 });
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

/** Sends a request with explicit credentials, so that an expected refusal does not end the run. */
function post(client: Client, path: string, body: object, method = 'POST', type = 'application/json'): Promise<Reply> {
  const as = ownCredential(client.target);
  return client.send({ method, path, headers: { 'content-type': type }, body: JSON.stringify(body), as });
}

/** Returns `create, delete on configmaps, pods; list on nodes`: resources with the same missing verbs are grouped. */
export function sentenceOf(missing: readonly Permission[]): string {
  const verbsOf = new Map<string, Set<string>>();
  for (const { group, resource, verb } of missing) {
    const name = group === '' ? resource : `${resource}.${group}`;
    verbsOf.set(name, (verbsOf.get(name) ?? new Set()).add(verb));
  }
  const groups = groupBy(verbsOf.keys(), (name) => [...(verbsOf.get(name) ?? [])].sort().join(', '));
  return [...groups].map(([verbs, names]) => `${verbs} on ${names.join(', ')}`).join('; ');
}
