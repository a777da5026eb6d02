// Field selectors: the grammar of `fieldSelector`, the fields that each kind supports, and matching.
import { type Resource, resourceId } from '../../matrix/api/index.js';
import type { ApiObject } from '../codecs/codec.js';
import { badRequest } from '../errors.js';
import { runTimeKindOf } from '../schema/runTimeKind.js';

export type FieldMatcher = (object: ApiObject) => boolean;

/** The selectable fields of each kind besides `metadata.name` and `metadata.namespace`, as dotted paths. */
const supported: Readonly<Record<string, readonly string[]>> = {
  'core/pods': [
    'spec.hostNetwork',
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  'core/events': [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  'events.k8s.io/events': [
    'reason',
    'regarding.apiVersion',
    'regarding.fieldPath',
    'regarding.kind',
    'regarding.name',
    'regarding.namespace',
    'regarding.resourceVersion',
    'regarding.uid',
    'reportingController',
    'type',
  ],
  'core/nodes': ['spec.unschedulable'],
  'core/secrets': ['type'],
  'core/namespaces': ['status.phase'],
  'core/replicationcontrollers': ['status.replicas'],
  'extensions/replicasets': ['status.replicas'],
  'batch/jobs': ['status.successful'],
  'extensions/jobs': ['status.successful'],
  'certificates.k8s.io/certificatesigningrequests': ['spec.signerName'],
  'resource.k8s.io/resourceslices': ['spec.driver', 'spec.nodeName'],
};

/** Selectable fields whose name differs from the path of the value. */
const paths: Readonly<Record<string, string>> = {
  source: 'source.component',
  'status.podIPs': 'status.podIP',
  'status.successful': 'status.succeeded',
};

/** Where the value is if it is not at its path: an event of a later version names its source elsewhere. */
const otherPaths: Readonly<Record<string, string>> = { source: 'reportingComponent' };

/** The values of absent fields, if not the empty string. */
const absentValues: Readonly<Record<string, string>> = {
  'spec.hostNetwork': 'false',
  'spec.unschedulable': 'false',
  'status.replicas': '0',
  'status.successful': '0',
};

/**
 * Parses a field selector for a kind. Returns undefined if it selects everything. Throws 400 for invalid text or an
 * unsupported field.
 */
export function parseFieldSelector(text: string, resource: Resource): FieldMatcher | undefined {
  const terms = splitTerms(text).filter((term) => term !== '');
  if (terms.length === 0) return undefined;
  const byField = new Map<string, FieldTerms>();
  for (const term of terms) {
    const { field, operator, value } = parseTerm(term);
    const ofField = byField.get(field) ?? { of: valuesOf(field, resource), equal: new Set(), refused: new Set() };
    (operator === '!=' ? ofField.refused : ofField.equal).add(value);
    byField.set(field, ofField);
  }
  const fields = [...byField.values()];
  return (object) =>
    fields.every(({ of, equal, refused }) => {
      const value = of(object);
      return (equal.size === 0 || (equal.size === 1 && equal.has(value))) && !refused.has(value);
    });
}

/** All terms about one field together: a selector may have thousands, and is asked about every object of a list. */
interface FieldTerms {
  readonly of: (object: ApiObject) => string;
  /** A field does not equal two values. */
  readonly equal: Set<string>;
  readonly refused: Set<string>;
}

/** Splits at commas that have no backslash before them. */
function splitTerms(text: string): string[] {
  return text.match(/(?:\\[\s\S]|\\$|[^\\,])+/g) ?? [];
}

/** Returns the field, the operator and the escaped value of a term, or undefined for invalid text. */
function partsOf(term: string): readonly [field: string, operator: string, escaped: string] | undefined {
  const [, field = '', operator, escaped = ''] = /^((?:\\[\s\S]|[^\\=!])*)(!=|==|=)([\s\S]*)$/.exec(term) ?? [];
  return operator === undefined ? undefined : [field, operator, escaped];
}

/** Returns the name that a field selector demands, or undefined if it demands none that a path can have. */
export function demandedName(text: string): string | undefined {
  const terms = splitTerms(text).map(partsOf);
  const [, , name] = terms.find((parts) => parts?.[0] === 'metadata.name' && parts[1] !== '!=') ?? [];
  return name === undefined || name === '' || /^\.{1,2}$|[/%\\]/.test(name) ? undefined : name;
}

function parseTerm(term: string): { readonly field: string; readonly operator: string; readonly value: string } {
  const parts = partsOf(term);
  if (parts === undefined) throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
  const [field, operator, escaped] = parts;
  return { field, operator, value: unescaped(escaped) };
}

/** Returns what reads a field of objects. Throws 400 for a field that cannot be selected. */
function valuesOf(field: string, resource: Resource): (object: ApiObject) => string {
  const path = pathOf(field, resource);
  const other = otherPaths[field]?.split('.');
  const absent = absentValues[field] ?? '';
  return (object) => valueAt(object, path, '') || valueAt(object, other ?? path, absent);
}

function unescaped(text: string): string {
  if (/(?:^|[^\\])(?:\\\\)*\\(?:[^\\,=]|$)/.test(text))
    throw badRequest(`invalid field selector: invalid escape sequence: ${text}`);
  if (/(?:^|[^\\])(?:\\\\)*=/.test(text)) throw badRequest('invalid field selector: unescaped character in value: 61');
  return text.replace(/\\([\\,=])/g, '$1');
}

/** Returns the path of a selectable field. Throws 400 for another field. */
function pathOf(field: string, resource: Resource): readonly string[] {
  const plain = (paths[field] ?? field).split('.');
  const made = runTimeKindOf(resource);
  const more = made === undefined ? supported[resourceId(resource)] : undefined;
  // a cluster's kind with fields of its own lists all of its fields
  const isInPlace = field === 'metadata.namespace' && (resource.namespaced || more === undefined);
  if (field === 'metadata.name' || isInPlace || more?.includes(field)) return plain;
  const own = made?.selectable.get(field);
  if (own !== undefined) return own;
  if (more === undefined) {
    throw badRequest(`"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`);
  }
  throw badRequest(
    resourceId(resource) === 'batch/jobs'
      ? `field label ${JSON.stringify(field)} not supported for batchv1.Job`
      : `field label not supported: ${field}`,
  );
}

function valueAt(object: ApiObject, path: readonly string[], absent: string): string {
  let value: unknown = object;
  for (const step of path) value = (value as ApiObject | undefined)?.[step];
  return value === undefined ? absent : String(value);
}
