// Which flow schema a request is of: the first, by precedence and name, with a rule about its user and what it does.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { User } from '../../authentication/authenticator.js';
import type { Attributes } from '../../authorization/attributes.js';
import { type KubeObject, part } from '../../schema/object.js';

type Spec = ObjectOf<'flowcontrol.v1.FlowSchemaSpec'>;
type Rule = NonNullable<Spec['rules']>[number];
type Subject = NonNullable<Rule['subjects']>[number];

/** A stored flow schema. */
export interface Flow {
  readonly name: string;
  readonly uid: string;
  /** The name of its priority level. */
  readonly level: string;
  readonly precedence: number;
  readonly rules: readonly Rule[];
}

const usualPrecedence = 1000;

export function flowOf(schema: KubeObject): Flow {
  const { name = '', uid = '' } = schema.metadata;
  const spec = part<Spec>(schema, 'spec');
  const { priorityLevelConfiguration: level, matchingPrecedence: precedence = usualPrecedence, rules = [] } = spec;
  return { name, uid, level: level?.name ?? '', precedence, rules };
}

/** Returns flows in the order in which they are tried. */
export const inOrder = (flows: readonly Flow[]): readonly Flow[] =>
  [...flows].sort(
    (one, other) => one.precedence - other.precedence || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0),
  );

/** Returns the flows that have rules about a user, with these rules alone. */
export const flowsFor = (user: User, flows: readonly Flow[]): readonly Flow[] =>
  flows.flatMap((flow) => {
    const rules = flow.rules.filter(({ subjects = [] }) => subjects.some((subject) => isOne(subject, user)));
    return rules.length === 0 ? [] : [{ ...flow, rules }];
  });

/** Reports whether a flow has a rule about what a request does. */
export const isAbout = ({ rules }: Flow, attributes: Attributes): boolean =>
  rules.some(({ resourceRules = [], nonResourceRules = [] }) =>
    'path' in attributes
      ? nonResourceRules.some(
          ({ verbs = [], nonResourceURLs = [] }) =>
            has(verbs, attributes.verb) && nonResourceURLs.some((url) => isBelow(url, attributes.path)),
        )
      : resourceRules.some((rule) => isAboutResource(rule, attributes)),
  );

type ResourceRule = NonNullable<Rule['resourceRules']>[number];

function isAboutResource(rule: ResourceRule, asked: Exclude<Attributes, { path: string }>): boolean {
  const { verbs = [], apiGroups = [], resources = [], clusterScope = false, namespaces = [] } = rule;
  const { verb, group, resource, subresource, namespace } = asked;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  if (!has(verbs, verb) || !has(apiGroups, group) || !has(resources, whole)) return false;
  return namespace === '' ? clusterScope : has(namespaces, namespace);
}

const has = (list: readonly string[], value: string): boolean => list[0] === '*' || list.includes(value);

const isBelow = (url: string, path: string): boolean =>
  url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path;

const serviceAccount = 'system:serviceaccount:';

function isOne({ kind, user, group, serviceAccount: account }: Subject, { name, groups }: User): boolean {
  if (kind === 'User') return user?.name === '*' || user?.name === name;
  if (kind === 'Group') return group?.name === '*' || groups.includes(group?.name ?? '');
  const { namespace = '', name: of = '' } = account ?? {};
  const prefix = `${serviceAccount}${namespace}:`;
  return of === '*' ? name.startsWith(prefix) : name === `${prefix}${of}`;
}
