// The rules of devices: their classes, slices and claims, a row for each field. Expressions are stored and not compiled.
import { jsonText } from '../../../exactJson.js';
import type { Causes } from '../../../schema/causes.js';
import { dns1123Label, dns1123Subdomain, type Format, labelValue, qualifiedName } from '../../../schema/formats.js';
import { isRecord } from '../../../schema/object.js';
import { all, each, exactlyOneOf, must, notMore, oneOf, type Rule, type Rules, required, unique } from './rules.js';

const mostRequests = 32;
const mostAlternatives = 8;
const mostSelectors = 32;
const mostDevices = 128;
const mostDevicesWithMore = 64;
const mostCounterSets = 8;
const mostAttributes = 32;
const mostReservations = 256;
const longestExpression = 10 * 1024;
const longestParameters = 10 * 1024;
const longestDriver = 63;
const longestPool = 253;
const longestId = 32;
const longestValue = 64;

const named =
  (format: Format): Rule =>
  (value, at, causes) =>
    causes.named(at(), value, format);

const driver: Rule = (name, at, causes) => {
  // Drivers are named without regard to case.
  causes.named(at(), name?.toLowerCase(), dns1123Subdomain);
  if ((name ?? '').length > longestDriver) causes.tooLong(at(), longestDriver);
};

const pool: Rule = (name = '', at, causes) => {
  if (name === '') causes.required(at());
  else if (name.length > longestPool) causes.tooLong(at(), longestPool);
  else for (const part of name.split('/')) causes.format(at(), part, dns1123Subdomain);
};

const noIdentifier =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";

const deviceName = named(dns1123Label);

const alternatives = 'exactly one of `exactly` or `firstAvailable` is required';

const request: Rule = ({ name, exactly, firstAvailable = [] }, at, causes, owner) => {
  causes.named(`${at()}.name`, name, dns1123Label);
  if (exactly === undefined && firstAvailable.length === 0) causes.required(at(), alternatives);
  if (exactly !== undefined && firstAvailable.length > 0) {
    causes.invalid(at(), null, `${alternatives}, but multiple fields are set`);
  }
  const below = () => `${at()}.firstAvailable`;
  all(
    notMore(mostAlternatives),
    unique((each) => each.name || undefined, '.name'),
  )(firstAvailable, below, causes, owner);
  each((one, place) => causes.named(`${place()}.name`, one.name, dns1123Label))(firstAvailable, below, causes, owner);
};

const counted: Rule = ({ allocationMode: mode = '', count }, at, causes) => {
  causes.oneOf(`${at()}.allocationMode`, mode, ['All', 'ExactCount']);
  const field = `${at()}.count`;
  if (mode === 'All' && count) causes.invalid(field, count, "must not be specified when allocationMode is 'All'");
  if (mode === 'ExactCount' && !(count > 0)) causes.invalid(field, count ?? 0, 'must be greater than zero');
};

const isNoRequest =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

/** Returns the names by which a claim refers to its requests: `request`, and `request/alternative`. */
function requestNames({ requests = [] }: Readonly<Record<string, readonly NamedRequest[] | undefined>>): Set<string> {
  const names = requests.flatMap(({ name, firstAvailable = [] }) => [
    name,
    ...firstAvailable.map((one) => `${name}/${one.name}`),
  ]);
  return new Set(names);
}

interface NamedRequest {
  readonly name: string;
  readonly firstAvailable?: readonly { readonly name: string }[];
}

const references: Rule = (claim, at, causes) => {
  const names = requestNames(claim);
  for (const list of ['constraints', 'config']) {
    for (const [index, { requests = [] }] of (claim[list] ?? []).entries()) {
      const field = `${at()}.${list}[${index}].requests`;
      all(
        notMore(mostRequests),
        unique((name) => name),
      )(requests, () => field, causes, claim);
      for (const [place, name] of requests.entries()) {
        const parts = name.split('/');
        for (const part of parts.length > 2 ? [] : parts) causes.format(`${field}[${place}]`, part, dns1123Label);
        if (!names.has(name)) causes.invalid(`${field}[${place}]`, name, isNoRequest);
      }
    }
  }
};

const fullName: Rule = (name, at, causes) => {
  qualified(name, at(), causes);
  const why = 'a fully qualified name must be a domain and a name separated by a slash';
  if (!name.includes('/')) causes.invalid(at(), name, why);
};

/** A name that is an identifier of C, with an optional domain. */
function qualified(name: string, at: string, causes: Causes): void {
  const [first = '', second, ...more] = name.split('/');
  // Real servers look at no name with more parts.
  if (more.length > 0) return;
  if (second !== undefined) {
    if (first === '') causes.invalid(at, '', 'the domain must not be empty');
    else driver(first, () => at, causes, undefined);
    if (second === '') causes.invalid(at, '', 'the name must not be empty');
  }
  const id = second ?? first;
  if (id === '' && second !== undefined) return;
  if (id.length > longestId) causes.longerThan(at, longestId);
  if (!/^[A-Za-z_]\w*$/.test(id)) causes.invalid(at, id, noIdentifier);
}

/** Real servers look at the second attribute where the first is absent, and say so of neither. */
const constraint: Rule = ({ matchAttribute: same, distinctAttribute: distinct }, at, causes, owner) => {
  if (same !== undefined) fullName(same, () => `${at()}.matchAttribute`, causes, owner);
  else if (distinct !== undefined) fullName(distinct, () => `${at()}.distinctAttribute`, causes, owner);
  else {
    const why = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
    causes.required(at(), why);
  }
};

const operators = ['', 'Equal', 'Exists'];

const toleration: Rule = ({ key = '', operator = '', value = '', effect }, at, causes) => {
  if (key === '' && operator !== 'Exists') causes.required(`${at()}.key`);
  if (key !== '') causes.format(`${at()}.key`, key, qualifiedName);
  if (!operators.includes(operator)) {
    causes.notSupported(`${at()}.operator`, operator, ['Equal', 'Exists']);
  } else if (operator === 'Exists' && value !== '') {
    causes.invalid(`${at()}.value`, value, 'must be empty for operator `Exists`');
  } else causes.format(`${at()}.value`, value, labelValue);
  causes.oneOf(`${at()}.effect`, effect, ['NoExecute', 'NoSchedule']);
};

/** The fields of which a slice has exactly one. */
const places = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'] as const;
const onePlace = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

const slice: Rule = (spec, at, causes) => {
  for (const field of ['allNodes', 'perDeviceNodeSelection']) {
    if (spec[field] === false) causes.invalid(`${at()}.${field}`, false, 'must be either unset or set to true');
  }
  if (spec.nodeName === '') {
    causes.invalid(`${at()}.nodeName`, '', 'must be either unset or set to a non-empty string');
  } else if (spec.nodeName !== undefined) causes.format(`${at()}.nodeName`, spec.nodeName, dns1123Subdomain);
  const { nodeSelectorTerms: terms = [] } = spec.nodeSelector ?? {};
  if (spec.nodeSelector !== undefined && terms.length !== 1) {
    const field = `${at()}.nodeSelector.nodeSelectorTerms`;
    causes.invalid(field, terms, 'must have exactly one node selector term');
  }
  const set = places.filter((place) => Boolean(spec[place]));
  if (set.length === 0) causes.required(at(), onePlace);
  if (set.length > 1) {
    const given = `{${set.map((place) => `\`${place}\``).join(', ')}}`;
    causes.invalid(at(), given, `${onePlace}, but multiple fields are set`);
  }
  const { devices, sharedCounters } = spec;
  if (devices !== undefined && sharedCounters !== undefined) {
    causes.invalid(at(), '', 'only one of `sharedCounters` or `devices` is allowed');
  }
  const hasMore = (devices ?? []).some(
    ({ taints = [], consumesCounters = [] }: Listed) => taints.length + consumesCounters.length > 0,
  );
  notMore(hasMore ? mostDevicesWithMore : mostDevices)(devices, () => `${at()}.devices`, causes, spec);
};

interface Listed {
  readonly taints?: readonly unknown[];
  readonly consumesCounters?: readonly unknown[];
}

const device: Rule = ({ attributes = {}, capacity = {} }, at, causes) => {
  const count = Object.keys(attributes).length + Object.keys(capacity).length;
  if (count > mostAttributes) {
    const why = `the total number of attributes and capacities must not exceed ${mostAttributes}`;
    causes.invalid(at(), count, why);
  }
  for (const [field, map] of Object.entries({ attributes, capacity })) {
    for (const name of Object.keys(map as object)) qualified(name, `${at()}.${field}[${name}]`, causes);
  }
};

/** The fields of an attribute, of which it has exactly one. */
const values = ['int', 'bool', 'string', 'version', 'ints', 'bools', 'strings', 'versions'];

const attribute: Rule = (value, at, causes) => {
  const set = values.filter((field) => value[field] !== undefined);
  if (set.length === 0) causes.required(at(), 'exactly one value must be specified');
  if (set.length > 1) causes.invalid(at(), set.join(', '), 'exactly one value must be specified');
  for (const field of ['string', 'version']) {
    if ((value[field] ?? '').length > longestValue) causes.tooLong(`${at()}.${field}`, longestValue);
  }
};

const taint = {
  key: all(required(), (key, at, causes) => key && causes.format(at(), key, qualifiedName)),
  value: (value, at, causes) => causes.format(at(), value, labelValue),
  effect: all(required(), oneOf('NoExecute', 'NoSchedule', 'None')),
} satisfies Rules[string];

const asked = {
  '': counted,
  deviceClassName: named(dns1123Subdomain),
  selectors: notMore(mostSelectors),
  tolerations: each(toleration),
} satisfies Rules[string];

export const deviceRules: Rules = {
  'resource.v1.DeviceClassSpec': {
    selectors: notMore(mostSelectors),
    config: notMore(mostRequests),
    extendedResourceName: must((name) => name.includes('/'), 'must be a valid extended resource name'),
  },
  'resource.v1.DeviceSelector': { cel: required() },
  'resource.v1.CELDeviceSelector': {
    expression: all(required(), (text, at, causes) => {
      if ((text ?? '').length > longestExpression) causes.tooLong(at(), longestExpression);
    }),
  },
  'resource.v1.DeviceConfiguration': { opaque: required() },
  'resource.v1.DeviceClassConfiguration': { opaque: required() },
  'resource.v1.DeviceClaimConfiguration': { opaque: required() },
  'resource.v1.OpaqueDeviceConfiguration': {
    driver,
    parameters: (parameters, at, causes) => {
      if (parameters === undefined) causes.required(at());
      else if (!isRecord(parameters)) causes.invalid(at(), '<value omitted>', 'must be a valid JSON object');
      else if (jsonText(parameters).length > longestParameters) causes.tooLong(at(), longestParameters);
    },
  },
  'resource.v1.DeviceClaim': {
    requests: all(
      notMore(mostRequests),
      unique(({ name }) => name || undefined, '.name'),
      each(request),
    ),
    constraints: notMore(mostRequests),
    config: notMore(mostRequests),
    '': references,
  },
  'resource.v1.DeviceConstraint': { '': constraint },
  'resource.v1.ExactDeviceRequest': asked,
  'resource.v1.DeviceSubRequest': asked,
  'resource.v1.ResourceClaimStatus': {
    reservedFor: all(
      notMore(mostReservations),
      unique(({ uid }) => uid || undefined, '.uid'),
    ),
    '': ({ reservedFor = [], allocation }, at, causes) => {
      if (reservedFor.length > 0 && allocation === undefined) {
        causes.forbidden(`${at()}.reservedFor`, 'may not be specified when `allocated` is not set');
      }
    },
  },
  'resource.v1.ResourceClaimConsumerReference': { resource: required(), name: required(), uid: required() },
  'resource.v1.DeviceRequestAllocationResult': { driver, pool, device: deviceName },
  'resource.v1.DeviceAllocationConfiguration': { source: exactlyOneOf('FromClaim', 'FromClass'), opaque: required() },
  'resource.v1.ResourceSliceSpec': {
    driver,
    devices: unique(({ name }) => name || undefined, '.name'),
    sharedCounters: all(
      notMore(mostCounterSets),
      unique(({ name }) => name || undefined, '.name'),
    ),
    '': slice,
  },
  'resource.v1.ResourcePool': {
    name: pool,
    resourceSliceCount: (count, at, causes) => {
      if (!(count > 0)) causes.invalid(at(), count ?? 0, 'must be greater than zero');
    },
    generation: must((count) => count >= 0, 'must be greater than or equal to zero'),
  },
  'resource.v1.Device': { name: deviceName, '': device },
  'resource.v1.DeviceAttribute': { '': attribute },
  'resource.v1.DeviceTaint': taint,
  'resource.v1.CounterSet': {
    name: deviceName,
    counters: (counters, at, causes) => {
      if (Object.keys(counters ?? {}).length === 0) causes.required(at());
    },
  },
};
