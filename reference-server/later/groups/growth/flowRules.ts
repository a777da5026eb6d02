// The rules of flow schemas and priority levels: a row for each field.
import type { Causes } from '../../../schema/causes.js';
import { dns1123Label, dns1123Subdomain } from '../../../schema/formats.js';
import { all, each, exactlyOneOf, must, type Rule, type Rules, required, unique } from './rules.js';

const highestPrecedence = 10_000;
const exempt = 'exempt';

const precedence: Rule = (value = 0, at, causes) => {
  if (value <= 0) causes.invalid(at(), value, 'must be a positive value');
  if (value > highestPrecedence) causes.invalid(at(), value, `must not be greater than ${highestPrecedence}`);
};

const onlyExemptIsFirst: Rule = ({ metadata: { name }, spec = {} }, _at, causes) => {
  if (spec.matchingPrecedence !== 1 || name === exempt) return;
  const why = `only the schema named '${exempt}' may have matchingPrecedence 1`;
  causes.invalid('spec.matchingPrecedence', 1, why);
};

/** The field of a subject of each kind. */
const subjectFields = { Group: 'group', ServiceAccount: 'serviceAccount', User: 'user' } as const;
const subjectKinds = Object.keys(subjectFields);

const subject: Rule = (whom, at, causes) => {
  const { kind = '' } = whom;
  if (!subjectKinds.includes(kind)) {
    causes.notSupported(`${at()}.kind`, kind, subjectKinds);
    return;
  }
  for (const [wanted, field] of Object.entries(subjectFields)) {
    const own = `${at()}.${field}`;
    if (kind !== wanted && whom[field] !== undefined) {
      causes.forbidden(own, `${field} is forbidden when subject kind is not '${wanted}'`);
    } else if (kind === wanted && whom[field] === undefined) {
      causes.required(own, `${field} is required when subject kind is '${wanted}'`);
    } else if (kind === wanted && wanted === 'ServiceAccount') account(whom[field], () => own, causes, whom);
    else if (kind === wanted && !whom[field].name) causes.required(`${own}.name`);
  }
};

const account: Rule = ({ name = '', namespace = '' }, at, causes) => {
  if (name === '') causes.required(`${at()}.name`);
  else if (name !== '*') causes.format(`${at()}.name`, name, dns1123Subdomain);
  if (namespace === '') causes.required(`${at()}.namespace`, 'must specify namespace for service account');
  else causes.format(`${at()}.namespace`, namespace, dns1123Label);
};

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

/** A list of names, or everything. */
const everythingOr =
  (what: string, missing: string): Rule =>
  (list = [], at, causes) => {
    if (list.length === 0) causes.required(at(), missing);
    else if (list.length > 1 && list.includes('*')) {
      causes.invalid(at(), list, `if '*' is present, must not specify other ${what}`);
    }
  };

const verbList: Rule = all(everythingOr('verbs', 'verbs must contain at least one value'), (list = [], at, causes) => {
  if (!list.includes('*') && list.some((verb: string) => !verbs.includes(verb))) causes.notSupported(at(), list, verbs);
});

const namespaces: Rule = (list = [], at, causes, { clusterScope }) => {
  if (list.length === 0 && clusterScope !== true) {
    causes.required(at(), 'resource rules that are not cluster scoped must supply at least one namespace');
  } else if (list.includes('*')) {
    if (list.length > 1) causes.invalid(at(), list, "if '*' is present, must not specify other namespaces");
  } else {
    for (const [index, name] of list.entries()) {
      for (const problem of dns1123Label(name)) {
        causes.invalid(
          `${at()}[${index}]`,
          name,
          `each member of this list must be '*' or a DNS-1123 label; ${problem}`,
        );
      }
    }
  }
};

const url: Rule = (path, at, causes) => {
  if (path === '*' || path === '/') return;
  const problem =
    path === ''
      ? 'must not be empty'
      : !path.startsWith('/')
        ? 'must start with slash'
        : path.includes(' ')
          ? 'must not contain white-space'
          : path.includes('//')
            ? 'must not contain double slash'
            : path.slice(0, -1).includes('*') || (path.endsWith('*') && !path.endsWith('/*'))
              ? 'wildcard can only do suffix matching'
              : undefined;
  if (problem !== undefined) causes.invalid(at(), path, problem);
};

const urls: Rule = (list = [], at, causes, owner) => {
  everythingOr('non-resource URLs', 'nonResourceURLs must contain at least one value')(list, at, causes, owner);
  if (!list.includes('*')) each(url)(list, at, causes, owner);
};

const concerns: Rule = ({ resourceRules = [], nonResourceRules = [] }, at, causes) => {
  if (resourceRules.length + nonResourceRules.length > 0) return;
  causes.required(at(), 'at least one of resourceRules and nonResourceRules has to be non-empty');
};

const level: Rule = ({ metadata: { name }, spec = {} }, _at, causes) => {
  const { type, limited, exempt: exemption } = spec;
  if ((name === exempt) !== (type === 'Exempt') && (type === 'Exempt' || type === 'Limited')) {
    causes.invalid('spec.type', type, `type must be 'Exempt' if and only if name is '${exempt}'`);
  }
  if (type === 'Limited' && limited === undefined) {
    causes.required('spec.limited', 'must not be empty when type is Limited');
  }
  if (type === 'Exempt' && exemption !== undefined) {
    const { nominalConcurrencyShares, lendablePercent } = exemption;
    shares(nominalConcurrencyShares, () => 'spec.exempt.nominalConcurrencyShares', causes, exemption);
    percent(lendablePercent, () => 'spec.exempt.lendablePercent', causes, exemption);
  }
  if (type === 'Limited' && exemption !== undefined) {
    causes.forbidden('spec.exempt', 'must be nil if the type is Limited');
  }
  if (type === 'Exempt' && limited !== undefined) {
    causes.forbidden('spec.limited', 'must be nil if the type is not Limited');
  }
};

const response: Rule = ({ type, queuing }, at, causes) => {
  const field = `${at()}.queuing`;
  if (type === 'Queue' && queuing === undefined) {
    causes.required(field, 'must not be empty if limited.limitResponse.type is Limited');
  } else if (type === 'Reject' && queuing !== undefined) {
    causes.forbidden(field, 'must be nil if limited.limitResponse.type is not Limited');
  } else if (type === 'Queue') queues(queuing, () => field, causes, queuing);
};

const mostQueues = 10_000_000;
const mostBits = 60;

/** Returns how many bits a choice of a hand takes, or one number above the limit. */
function bitsOfHand(queues: number, hand: number): number {
  let bits = 0;
  for (let dealt = 0; dealt < hand && bits <= mostBits; dealt += 1) bits += Math.log2(queues - dealt);
  return Math.ceil(bits);
}

const mostOfQueues = must((count) => count <= mostQueues, `must not be greater than ${mostQueues}`);
const positive = must((count) => count > 0, 'must be positive');

const queuing: Rule = ({ queues = 0, handSize: hand = 0 }, at, causes) => {
  const field = `${at()}.handSize`;
  if (hand > queues) causes.invalid(field, hand, `should not be greater than queues (${queues})`);
  else if (bitsOfHand(queues, hand) > mostBits) {
    const why = `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${mostBits}`;
    causes.invalid(field, hand, why);
  }
};

const queues: Rule = (configuration, at, causes) => {
  const { queueLengthLimit, queues: count, handSize } = configuration;
  positive(queueLengthLimit, () => `${at()}.queueLengthLimit`, causes, configuration);
  positive(count, () => `${at()}.queues`, causes, configuration);
  mostOfQueues(count, () => `${at()}.queues`, causes, configuration);
  positive(handSize, () => `${at()}.handSize`, causes, configuration);
  queuing(configuration, at, causes, configuration);
};

const percent = must((share) => share >= 0 && share <= 100, 'must be between 0 and 100, inclusive');
const shares = must((count) => count >= 0, 'must be a non-negative integer');

/** The conditions of a schema or a level: one of each type. */
const conditions: Rule = (list, at, causes: Causes, owner) => {
  unique(({ type }) => type || undefined, '.type')(list, at, causes, owner);
  each(({ type }, place) => type || causes.required(`${place()}.type`, 'must not be empty'))(list, at, causes, owner);
};

export const flowRules: Rules = {
  'flowcontrol.v1.FlowSchema': { '': onlyExemptIsFirst },
  'flowcontrol.v1.FlowSchemaSpec': { matchingPrecedence: precedence },
  'flowcontrol.v1.PriorityLevelConfigurationReference': {
    name: (name = '', at, causes) => {
      if (name === '') causes.required(at(), 'must reference a priority level');
      else causes.format(at(), name, dns1123Subdomain);
    },
  },
  'flowcontrol.v1.FlowDistinguisherMethod': { type: exactlyOneOf('ByNamespace', 'ByUser') },
  'flowcontrol.v1.PolicyRulesWithSubjects': {
    subjects: all(required('subjects must contain at least one value'), each(subject)),
    '': concerns,
  },
  'flowcontrol.v1.ResourcePolicyRule': {
    verbs: verbList,
    apiGroups: everythingOr('api groups', 'resource rules must supply at least one api group'),
    resources: everythingOr('resources', 'resource rules must supply at least one resource'),
    namespaces,
  },
  'flowcontrol.v1.NonResourcePolicyRule': { verbs: verbList, nonResourceURLs: urls },
  'flowcontrol.v1.FlowSchemaStatus': { conditions },
  'flowcontrol.v1.PriorityLevelConfiguration': { '': level },
  'flowcontrol.v1.PriorityLevelConfigurationSpec': { type: exactlyOneOf('Exempt', 'Limited') },
  'flowcontrol.v1.PriorityLevelConfigurationStatus': { conditions },
  'flowcontrol.v1.LimitedPriorityLevelConfiguration': {
    nominalConcurrencyShares: shares,
    lendablePercent: percent,
    borrowingLimitPercent: must((share) => share >= 0, 'if specified, must be a non-negative integer'),
  },
  'flowcontrol.v1.LimitResponse': { type: exactlyOneOf('Queue', 'Reject'), '': response },
};
