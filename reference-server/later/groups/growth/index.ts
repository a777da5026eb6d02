// The strategies of a server that came after the interface: they fill in what servers of
// its version fill in, and refuse what these refuse.
import { apiVersionOf, type Resource, resourceId } from '../../../../matrix/api/index.js';
import { fieldsOf, isTypeName, typeOf, typeOfKind } from '../../../../matrix/api/modern/index.js';
import type { IsDisabled } from '../../../features/features.js';
import type { Strategy } from '../../../registry/strategy.js';
import { withTemplatePorts } from '../../../schema/hostPorts.js';
import type { DecodedObject } from '../../../schema/object.js';
import { administeredRules } from './administeredRules.js';
import { type Complete, Completion } from './completion.js';
import { defaultsOfKinds, laterDefaultsByVersion } from './defaults.js';
import { deviceRules } from './deviceRules.js';
import { endpointRules } from './endpointRules.js';
import { flowRules } from './flowRules.js';
import { jobRules } from './jobRules.js';
import { kindRules } from './kindRules.js';
import { laterRules } from './laterRules.js';
import { podRules } from './podRules.js';
import { RuleBook, together } from './rules.js';
import { grownKinds, laterCores } from './strategies.js';
import { warningsOf } from './warnings/index.js';

/** Since this version, the ports of the host are filled in in pods, and no longer in their templates. */
const templatesSince = 28;

/** One for each minor version: the functions of a type are made once. */
const completions = new Map<number, Completion>();

function completionOf(minor: number): Completion {
  const known = completions.get(minor) ?? new Completion(laterDefaultsByVersion, minor);
  completions.set(minor, known);
  return known;
}

/** Returns what fills in the fields of a kind in one of its versions. */
function completerOf(stored: Resource, { groupVersion, kind }: Resource, minor: number): Complete {
  const type = typeOfKind(apiVersionOf(groupVersion), kind);
  if (type === undefined) return (object) => object;
  const common = completionOf(minor).of(type);
  const ofKind = defaultsOfKinds[resourceId(stored)];
  const own = ofKind && new Completion(ofKind, minor).of(type);
  return (object) => {
    const filled = common?.(object) ?? object;
    return own?.(filled) ?? filled;
  };
}

const rules = [podRules, kindRules, administeredRules, flowRules, deviceRules, endpointRules, jobRules];
/** One for each minor version, as the completions. */
const books = new Map<number, RuleBook>();

function bookOf(minor: number): RuleBook {
  const later = laterRules.flatMap(([since, added, last = Infinity]) =>
    since <= minor && minor <= last ? [added] : [],
  );
  const known = books.get(minor) ?? new RuleBook(together(...rules, ...later));
  books.set(minor, known);
  return known;
}

interface KindChecks {
  readonly whole?: ReturnType<RuleBook['of']>;
  readonly status?: ReturnType<RuleBook['of']>;
}

/** Returns the checks of a kind, and of the status that a subresource writes. */
function checksOf({ groupVersion, kind }: Resource, book: RuleBook): KindChecks {
  const type = typeOfKind(apiVersionOf(groupVersion), kind);
  if (type === undefined) return {};
  const status = fieldsOf(type).find(({ name }) => name === 'status')?.type ?? '';
  return { whole: book.of(type), ...(isTypeName(status) && { status: book.of(typeOf(status)) }) };
}

/** Returns the strategy of a stored resource as a server has it that reports a version such as `1.36`. */
export function grownStrategy(stored: Resource, own: Strategy, kubeVersion: string, lacks: IsDisabled): Strategy {
  // The kinds of definitions have their own defaults.
  if (stored.groupVersion.group === 'apiextensions.k8s.io' || own.validateSchema !== undefined) return own;
  const minor = Number(kubeVersion.split('.')[1]);
  const core = laterCores[resourceId(stored)]?.(minor) ?? own;
  const completers = new Map<Resource, Complete>();
  const { whole, status } = checksOf(stored, bookOf(minor));
  const warnings = warningsOf(resourceId(stored), minor);
  const completed: Strategy = {
    ...core,
    ...(warnings && { warnings }),
    ...(whole && {
      validate(object, causes, view) {
        core.validate?.(object, causes, view);
        whole(object, () => '', causes);
      },
    }),
    ...(status && {
      validateStatus(next, current, causes, part) {
        core.validateStatus?.(next, current, causes, part);
        if (next.status !== undefined) status(next.status, () => 'status', causes);
      },
    }),
    complete(object, view) {
      const complete = completers.get(view) ?? completerOf(stored, view, minor);
      completers.set(view, complete);
      const filled = complete(object) as DecodedObject;
      return minor < templatesSince ? withTemplatePorts(filled) : filled;
    },
  };
  return grownKinds[resourceId(stored)]?.(completed, { minor, lacks }) ?? completed;
}
