// The kind of one version of a custom resource: how its objects are read, checked and shown.
import { apiVersionOf, type Resource } from '../../../matrix/api/index.js';
import { typeOf } from '../../../matrix/api/modern/index.js';
import { FieldPaths } from '../../codecs/fieldPaths.js';
import { versionRank } from '../../discovery/discovery.js';
import { standardFinalizers } from '../../registry/metadata.js';
import type { Strategy } from '../../registry/strategy.js';
import { type Causes, rootField } from '../../schema/causes.js';
import { type DecodedObject, isRecord, type KubeObject } from '../../schema/object.js';
import { DefaultsRoom, ShownDefaults } from '../../schema/objectSize.js';
import type { RunTimeKind, ScalePaths } from '../../schema/runTimeKind.js';
import { unknownFields } from '../../schema/unknownFields.js';
import type { Cause } from '../../statusError.js';
import { doAll, type Steps } from '../../turns.js';
import { relinked } from '../../versions/views.js';
import { Budget } from '../cel/expression.js';
import type { ScaleSubresource } from './definition.js';
import { checkEmbedded } from './embeddedObjects.js';
import { namesIn } from './fieldPath.js';
import { checkLists } from './listValues.js';
import { decodedMetadata, normalised } from './normalised.js';
import type { MadeVersion } from './rows.js';
import { checkRules, hasRules } from './rules.js';
import { checkScale, scaleNames } from './scaleValues.js';
import { validate } from './validation.js';
import { ValueChecks } from './valueChecks.js';

/**
 * Returns the kind of a version. `all` are the versions that stored objects may have. `maxObjectSize`: the most bytes that
 * defaults add to an object. `converted` returns what an object of another version was converted to, if somebody else
 * converts them.
 */
export function kindOf(
  made: MadeVersion,
  all: readonly MadeVersion[],
  ended: AbortSignal,
  maxObjectSize: number,
  converted?: (object: KubeObject) => KubeObject | undefined,
): RunTimeKind {
  const { resource, version, schema } = made;
  const scale = version.subresources?.scale;
  const byApiVersion = new Map(all.map((one) => [apiVersionOf(one.resource.groupVersion), one]));
  const deprecation = deprecationOf(made, all);
  const apiVersion = apiVersionOf(resource.groupVersion);
  return {
    ended,
    ...(deprecation !== undefined && { deprecation }),
    ...(scale && { scale: scalePaths(scale) }),
    selectable: new Map(
      (version.selectableFields ?? []).map(({ jsonPath }) => [jsonPath.replace(/^\./, ''), namesIn(jsonPath)]),
    ),
    body: {
      decode: (object, keepsNulls) => decoded(object, made, new DefaultsRoom(maxObjectSize), keepsNulls),
      *unknownFields(object) {
        if (!isRecord(object)) return [];
        const unknown = new FieldPaths();
        const inMetadata = yield* unknownFields(typeOf('ObjectMeta'), object.metadata);
        yield* normalised(contentOf(object), schema, { setsDefaults: false, unknown });
        // Real servers sort what they find, that in the metadata first.
        return [...inMetadata.map((path) => `metadata.${path}`).sort(), ...[...unknown.found].sort()];
      },
    },
    read(given) {
      const stored = converted?.(given) ?? given;
      const storedAs = byApiVersion.get(String(stored.apiVersion)) ?? made;
      const room = new ShownDefaults(maxObjectSize);
      const own = doAll(normalised(contentOf(stored), storedAs.schema, { setsDefaults: true, room })) as object;
      const shown = storedAs === made ? own : (doAll(normalised(own, schema, { setsDefaults: false })) as object);
      return {
        apiVersion,
        kind: resource.kind,
        metadata: relinked(stored.metadata, resource, stored.metadata.namespace),
        ...shown,
      };
    },
  };
}

/** Returns the fields that the schema describes. */
export function contentOf(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...content } = object;
  return content;
}

function* decoded(
  object: Readonly<Record<string, unknown>>,
  { resource, schema }: MadeVersion,
  room: DefaultsRoom,
  keepsNulls = false,
): Steps<DecodedObject> {
  const metadata = yield* decodedMetadata(object.metadata);
  const content = (yield* normalised(contentOf(object), schema, { setsDefaults: true, keepsNulls, room })) as object;
  return { apiVersion: apiVersionOf(resource.groupVersion), kind: resource.kind, metadata, ...content };
}

/** Returns the warning about a deprecated version. It names the best later one. */
function deprecationOf({ resource, version }: MadeVersion, all: readonly MadeVersion[]): string | undefined {
  if (version.deprecated !== true) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const called = ({ groupVersion, kind }: Resource): string => `${apiVersionOf(groupVersion)} ${kind}`;
  const rankOf = (one: MadeVersion): number => versionRank(one.resource.groupVersion);
  const [best] = all
    .filter(
      (one) =>
        one.version.served && one.version.deprecated !== true && rankOf(one) > versionRank(resource.groupVersion),
    )
    .sort((one, other) => rankOf(other) - rankOf(one));
  return `${called(resource)} is deprecated${best === undefined ? '' : `; use ${called(best.resource)}`}`;
}

const scalePaths = ({ specReplicasPath, statusReplicasPath, labelSelectorPath }: ScaleSubresource): ScalePaths => ({
  replicas: scaleNames(specReplicasPath),
  statusReplicas: scaleNames(statusReplicasPath),
  ...(labelSelectorPath && { selector: scaleNames(labelSelectorPath) }),
});

/**
 * Returns the strategy of a version on a server of a minor version of Kubernetes. `checkCreate` throws if no object of a
 * name may be created.
 */
export function customStrategyOf(made: MadeVersion, minor: number, checkCreate: (name: string) => void): Strategy {
  const checks = new ValueChecks(minor);
  const { scale } = made.version.subresources ?? {};
  const ruleWarnings = new WeakMap<KubeObject, readonly string[]>();
  return {
    generation: 'content',
    initialStatus: 'given',
    statusKeepsMetadata: true,
    needsRevision: true,
    plainFinalizers: true,
    warnings: (object, current) => [...finalizerWarnings(object, current), ...(ruleWarnings.get(object) ?? [])],
    clearStatus(object) {
      delete object.status;
    },
    prepareCreate: ({ metadata }) => checkCreate(metadata.name ?? ''),
    *validateSchema(object, current, causes, part) {
      const content = part === 'status' ? pick(object, 'status') : contentOf(object);
      const before = current && (part === 'status' ? pick(current, 'status') : contentOf(current));
      const schema = part === 'status' ? { ...made.schema, required: [] } : made.schema;
      yield* validate({ schema, value: content, field: '', before }, checks, causes);
      const { metadataSchema } = made;
      if (metadataSchema !== undefined && current === undefined) {
        yield* validate({ schema: metadataSchema, value: object.metadata, field: 'metadata' }, checks, causes);
      }
      yield* checkEmbedded(schema, content, '', causes);
      yield* checkLists(schema, content, before, causes);
      if (scale !== undefined) checkScale(object, scale, part, causes);
      ruleWarnings.set(object, yield* checkAllRules(object, current, made, causes));
    },
  };
}

/** The mistakes after which no rule is checked: what rules see may not have the types of the schema. */
const blocking: readonly Cause['reason'][] = [
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
];

/** Checks the rules of the schema. Returns warnings of those that unchanged parts break. */
function* checkAllRules(
  object: KubeObject,
  current: KubeObject | undefined,
  { schema }: MadeVersion,
  causes: Causes,
): Steps<readonly string[]> {
  if (!hasRules(schema)) return [];
  if (causes.list.some(({ reason }) => blocking.includes(reason))) {
    const why =
      'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
    causes.invalid(rootField, null, why);
    return [];
  }
  return yield* checkRules(
    { schema, value: object, field: '', before: current, isResource: true },
    new Budget(),
    causes,
  );
}

/** Warns of new finalizers that do not say whose they are. */
function finalizerWarnings({ metadata }: KubeObject, current?: KubeObject): readonly string[] {
  const before = current?.metadata.finalizers ?? [];
  return (metadata.finalizers ?? [])
    .filter((name) => !name.includes('/') && !standardFinalizers.includes(name) && !before.includes(name))
    .map((name) => {
      const better = name.includes('.') ? 'finalizer name including a path (/)' : 'finalizer name';
      const why = 'to avoid accidental conflicts with other finalizer writers';
      return `metadata.finalizers: "${name}": prefer a domain-qualified ${better} ${why}`;
    });
}

const pick = (object: KubeObject, name: string): object => (name in object ? { [name]: object[name] } : {});
