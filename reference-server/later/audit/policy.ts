// The audit policy: which requests are logged, and how much of them. The rules are those of audit.k8s.io/v1.
import { unknownField, unknownName } from '../../../matrix/api/nearest.js';
import { yaml } from '../../codecs/yaml.js';
import { OptionError, readOptionFile } from '../../optionValues.js';
import { isRecord } from '../../schema/object.js';
import type { RequestFacts } from '../requests/facts.js';

const levels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;

type Level = (typeof levels)[number];
export type AuditStage = (typeof stages)[number];

/** What a rule says about a request. */
export interface Decision {
  readonly level: Level;
  readonly omits: ReadonlySet<string>;
}

interface GroupResources {
  readonly group?: string;
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

interface Rule extends Decision {
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly resources: readonly GroupResources[];
}

/** Decides about a request. */
export type Policy = (facts: RequestFacts, groups: readonly string[]) => Decision;

/** The policy without a file: the metadata of all requests. */
export const metadataOfAll: Policy = () => ({ level: 'Metadata', omits: new Set() });

const nothing: Decision = { level: 'None', omits: new Set() };

/** Reads a policy. Throws an OptionError that names the field which is wrong. */
export async function readPolicy(file: string): Promise<Policy> {
  const where = `--audit-policy-file: ${file}`;
  const text = await readOptionFile('--audit-policy-file', file);
  let policy: unknown;
  try {
    policy = yaml.decode(Buffer.from(text));
  } catch (error) {
    throw new OptionError(`${where}: ${(error as Error).message}`);
  }
  const fields = fieldsOf(where, policy, [
    'apiVersion',
    'kind',
    'metadata',
    'omitStages',
    'omitManagedFields',
    'rules',
  ]);
  if (fields.apiVersion !== 'audit.k8s.io/v1' || fields.kind !== 'Policy')
    throw new OptionError(`${where}: begin it with apiVersion: audit.k8s.io/v1 and kind: Policy`);
  const omits = namesOf(`${where}: omitStages`, fields.omitStages, stages);
  if (!Array.isArray(fields.rules) || fields.rules.length === 0)
    throw new OptionError(`${where}: rules: give at least one rule, such as {level: Metadata}`);
  const rules = fields.rules.map((rule, index) => ruleOf(`${where}: rules[${index}]`, rule, omits));
  return (facts, groups) => rules.find((rule) => matches(rule, facts, groups)) ?? nothing;
}

function ruleOf(where: string, value: unknown, omitted: readonly string[]): Rule {
  const lists = ['users', 'userGroups', 'verbs', 'namespaces', 'nonResourceURLs'] as const;
  const fields = fieldsOf(where, value, ['level', 'resources', 'omitStages', 'omitManagedFields', ...lists]);
  const level = levels.find((known) => known === fields.level);
  if (level === undefined)
    throw new OptionError(`${where}: level: ${unknownName('level', String(fields.level ?? '""'), levels)}`);
  const [users, userGroups, verbs, namespaces, nonResourceURLs] = lists.map((name) =>
    namesOf(`${where}: ${name}`, fields[name]),
  ) as [string[], string[], string[], string[], string[]];
  const given = listOf(`${where}: resources`, fields.resources);
  const resources = given.map((each, index) => groupOf(`${where}: resources[${index}]`, each));
  if (nonResourceURLs.length > 0 && resources.length + namespaces.length > 0)
    throw new OptionError(`${where}: a rule is for resources or for nonResourceURLs: write two rules`);
  for (const url of nonResourceURLs) {
    if (url !== '*' && !/^\/[^*]*\*?$/.test(url))
      throw new OptionError(`${where}: nonResourceURLs: "${url}": write /path, or /path* for what begins with it`);
  }
  const omits = new Set([...omitted, ...namesOf(`${where}: omitStages`, fields.omitStages, stages)]);
  return { level, omits, users, userGroups, verbs, namespaces, nonResourceURLs, resources };
}

function groupOf(where: string, value: unknown): GroupResources {
  const { group = '', resources, resourceNames } = fieldsOf(where, value, ['group', 'resources', 'resourceNames']);
  if (typeof group !== 'string') throw new OptionError(`${where}: group: give a text`);
  return {
    group,
    resources: namesOf(`${where}: resources`, resources),
    resourceNames: namesOf(`${where}: resourceNames`, resourceNames),
  };
}

function fieldsOf(where: string, value: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new OptionError(`${where}: this is not an object`);
  for (const field of Object.keys(value))
    if (!known.includes(field)) throw new OptionError(`${where}: ${unknownField(field, known)}`);
  return value;
}

function listOf(where: string, value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new OptionError(`${where}: give a list`);
  return value;
}

function namesOf(where: string, value: unknown, known?: readonly string[]): string[] {
  return listOf(where, value).map((name) => {
    if (typeof name !== 'string') throw new OptionError(`${where}: give a list of texts`);
    if (known !== undefined && !known.includes(name))
      throw new OptionError(`${where}: ${unknownName('stage', name, known)}`);
    return name;
  });
}

const allows = (names: readonly string[], name: string): boolean => names.length === 0 || names.includes(name);

function matches(rule: Rule, facts: RequestFacts, groups: readonly string[]): boolean {
  const { users, userGroups, verbs, namespaces, nonResourceURLs, resources } = rule;
  if (!allows(users, facts.user ?? '') || !allows(verbs, facts.verb)) return false;
  if (userGroups.length > 0 && !userGroups.some((group) => groups.includes(group))) return false;
  const { resource, namespace = '' } = facts;
  if (namespaces.length + resources.length > 0) {
    if (resource === undefined || !allows(namespaces, namespace)) return false;
    return resources.length === 0 || resources.some((each) => matchesResource(each, facts));
  }
  if (nonResourceURLs.length === 0) return true;
  return resource === undefined && nonResourceURLs.some((url) => matchesPath(url, facts.path));
}

function matchesResource({ group = '', resources = [], resourceNames = [] }: GroupResources, facts: RequestFacts) {
  const { resource = '', subresource = '', name = '' } = facts;
  if (group !== facts.group) return false;
  if (resources.length === 0) return true;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  const forms = ['*', whole, ...(subresource === '' ? [] : [`*/${subresource}`, `${resource}/*`])];
  return allows(resourceNames, name) && resources.some((each) => forms.includes(each));
}

const matchesPath = (url: string, path: string): boolean =>
  url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path;
