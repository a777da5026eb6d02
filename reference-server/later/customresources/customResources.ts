// The custom resources of a server: follows the definitions, and serves what they define.
import { apiVersionOf, type Resource } from '../../../matrix/api/index.js';
import type { Controller, Handled } from '../../controllers/controller.js';
import { forbidden } from '../../errors.js';
import { excerpt } from '../../excerpt.js';
import type { Registry } from '../../registry/registry.js';
import type { Store } from '../../registry/store.js';
import { equal, type KubeObject, withoutFinalizer } from '../../schema/object.js';
import { setRunTimeKind } from '../../schema/runTimeKind.js';
import { reportStored, unlessGone } from '../../statusError.js';
import { setKindConversion } from '../../versions/kindConversions.js';
import type { ServedResources } from '../../versions/servedResources.js';
import { withCondition } from '../conditions.js';
import { metadataShape } from '../managedfields/fieldTable.js';
import { setVersions } from '../managedfields/kinds.js';
import type { ObjectShape } from '../managedfields/shape.js';
import { setSchema } from '../openapi/source.js';
import { setTable } from '../representations/columns/index.js';
import { type CallWebhook, convertedBy } from './conversionReviews.js';
import {
  cleanupFinalizer,
  type DefinitionCondition,
  type DefinitionNames,
  type DefinitionSpec,
  type DefinitionVersion,
  definitionSpecOf,
  definitionStatusOf,
  definitionsId,
  isTrue,
  type PrinterColumn,
} from './definition.js';
import type { ConvertObjects } from './kindConversion.js';
import { GroupNames, withAcceptedNames } from './names.js';
import { GroupVersions, versionsOf } from './rows.js';
import { shapeOfSchema } from './shape.js';
import type { StructuralSchema } from './structuralSchema.js';
import { requireValid } from './validDefinitions.js';

interface Parts {
  readonly registry: Registry;
  readonly served: ServedResources;
  readonly now: () => Date;
  /** The minor version of Kubernetes that the server reports. */
  readonly minor: number;
  /** Asks the webhooks that convert objects. */
  readonly call: CallWebhook;
}

/** What a definition has made. */
interface Made {
  readonly uid: string | undefined;
  readonly spec: DefinitionSpec;
  readonly names: DefinitionNames;
  /** The resource whose version the objects are stored in, and the served ones. */
  readonly stored: Resource;
  readonly resources: readonly Resource[];
  readonly end: AbortController;
}

/** The code that needs Ajv. It is loaded when the first definition comes. */
const loadKinds = () => import('./kind.js');
const loadConversion = () => import('./kindConversion.js');
const loadColumns = () => import('./columns.js');

export class CustomResources {
  readonly #made = new Map<string, Made>();
  readonly #terminating = new Set<string>();
  readonly #groupVersions = new GroupVersions();
  readonly #names: GroupNames;
  /** The group versions of the table, which custom resources cannot have. */
  readonly #ofTable: ReadonlySet<string>;
  readonly #definitions: Store;

  constructor(readonly parts: Parts) {
    const { table } = parts.served;
    this.#definitions = parts.registry.of(definitionsId);
    this.#names = new GroupNames(table);
    this.#ofTable = new Set(table.map(({ groupVersion }) => apiVersionOf(groupVersion)));
  }

  /** The controller that serves the resources of definitions, and removes the objects of those that are deleted. */
  get controller(): Controller {
    return {
      name: 'customresourcedefinitions',
      resource: definitionsId,
      runsEverywhere: true,
      reconcile: (definition) => this.#reconcile(definition),
      forget: (definition) => this.#forget(definition),
    };
  }

  /** Serves the resources of all stored definitions. Call it before the server takes requests. */
  async start(): Promise<void> {
    for (const { value } of (await this.#definitions.list()).entries) {
      this.#names.set(value);
      const problem = await this.#tryServe(value);
      if (problem !== undefined) reportStored(`${value.metadata.name} is not served: ${problem}`);
    }
  }

  /**
   * Serves the resources of a definition. A stored one may be damaged, or of another version of this program: then
   * returns why it cannot be served.
   */
  async #tryServe(definition: KubeObject): Promise<string | undefined> {
    try {
      await this.#serve(definition);
      return undefined;
    } catch (error) {
      this.#end(definition.metadata.name ?? '');
      return error instanceof Error ? error.message : String(error);
    }
  }

  async #reconcile(given: KubeObject): Promise<Handled> {
    const { name = '', uid } = given.metadata;
    const key = { namespace: undefined, name };
    // The controller may be behind: the last state counts.
    const current = (await this.#definitions.find(key))?.value;
    if (current === undefined || current.metadata.uid !== uid) return undefined;
    this.#names.set(current);
    if (current.metadata.deletionTimestamp !== undefined) return this.#terminate(current);
    const beside = this.#names.beside(name, definitionSpecOf(current).group);
    const named = withAcceptedNames(current, beside, this.parts.now());
    // Served before the condition says so: clients that wait for it send their requests at once.
    const problem = await this.#tryServe(named);
    const wasServed = !isTrue(current, unserved);
    if (problem !== undefined && wasServed) reportStored(`${name} is not served: ${problem}`);
    const next = problem === undefined && wasServed ? named : this.#withCondition(named, served(problem));
    if (equal(next.status, current.status)) return undefined;
    const written = await this.#definitions
      .updateInternally(key, (latest) => withAcceptedStatus(latest, current, next), { part: 'status' })
      .catch(unlessGone);
    if (written) this.#names.set(written.value);
    return undefined;
  }

  async #serve(definition: KubeObject): Promise<void> {
    const { name = '', uid } = definition.metadata;
    const spec = definitionSpecOf(definition);
    const names = definitionStatusOf(definition).acceptedNames;
    const before = this.#made.get(name);
    if (!isTrue(definition, 'Established') || names === undefined) return this.#end(name);
    if (before?.uid === uid && equal(before?.spec, spec) && equal(before?.names, names)) return;
    const [{ kindOf, customStrategyOf }, { columnsOf, unreadColumn }, { WebhookKindConversion }] = await Promise.all([
      loadKinds(),
      loadColumns(),
      loadConversion(),
    ]);
    await requireValid(definition, this.parts.minor);
    const versions = versionsOf(spec, names, this.#groupVersions.of);
    const stored = versions.find(({ version }) => version.storage)?.resource;
    if (stored === undefined) return this.#end(name);
    const end = new AbortController();
    const { maxObjectSize } = this.#definitions.context;
    const convert = conversionBy(spec, this.parts.call);
    for (const made of versions) {
      const { resource, schema } = made;
      const conversion = convert && new WebhookKindConversion(made, versions, convert);
      if (conversion !== undefined) setKindConversion(resource, conversion);
      const converted = conversion && ((object: KubeObject) => conversion.known(object));
      setRunTimeKind(resource, kindOf(made, versions, end.signal, maxObjectSize, converted));
      setTable(resource, columnsOf(made.version));
      const unread = unreadColumn(made.version);
      if (unread !== undefined) reportStored(unreadMessage(name, made.version, unread));
      setSchema(resource, schema);
      const strategy = customStrategyOf(made, this.parts.minor, (object) =>
        this.#requireLiving(name, resource, object),
      );
      this.parts.registry.add({ resource, strategy });
    }
    setVersions(stored, new Map(versions.map(({ resource, schema }) => [resource, shapeMaker(schema)])));
    // Present servers serve the group versions of the table themselves.
    const resources = versions
      .filter(({ version, resource }) => version.served && !this.#ofTable.has(apiVersionOf(resource.groupVersion)))
      .map(({ resource }) => resource);
    this.#made.set(name, { uid, spec, names, stored, resources, end });
    this.parts.served.change(before?.resources ?? [], resources);
    before?.end.abort();
  }

  /** Ends the service of the resources of a definition. */
  #end(name: string): void {
    const made = this.#made.get(name);
    if (made === undefined) return;
    this.#made.delete(name);
    this.parts.served.change(made.resources, []);
    made.end.abort();
  }

  #requireLiving(name: string, resource: Resource, object: string): void {
    if (this.#terminating.has(name))
      throw forbidden(resource, object, 'create not allowed while custom resource definition is terminating');
  }

  /** Deletes the objects of a deleted definition, and then lets it go. */
  async #terminate(definition: KubeObject): Promise<Handled> {
    const { name = '', finalizers = [] } = definition.metadata;
    if (!finalizers.includes(cleanupFinalizer)) return undefined;
    this.#terminating.add(name);
    await this.#tryServe(definition);
    const key = { namespace: undefined, name };
    await this.#setCondition(
      key,
      terminating('True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress'),
    );
    if ((await this.#deleteObjects(name)) > 0) return 'again';
    const done = terminating('False', 'InstanceDeletionCompleted', 'removed all instances');
    await this.#definitions
      .updateInternally(key, (current) => withoutFinalizer(this.#withCondition(current, done), cleanupFinalizer))
      .catch(unlessGone);
    return undefined;
  }

  async #setCondition(key: { readonly namespace: undefined; readonly name: string }, condition: DefinitionCondition) {
    await this.#definitions
      .updateInternally(key, (current) => this.#withCondition(current, condition), { part: 'status' })
      .catch(unlessGone);
  }

  #withCondition(definition: KubeObject, condition: DefinitionCondition): KubeObject {
    const status = definitionStatusOf(definition);
    const conditions = withCondition(status.conditions ?? [], condition, this.parts.now());
    return { ...definition, status: { ...status, conditions } };
  }

  /** Deletes the objects of a definition. Returns the number of those that remain, because finalizers hold them. */
  async #deleteObjects(name: string): Promise<number> {
    const made = this.#made.get(name);
    if (made === undefined) return 0;
    const store = this.parts.registry.of(made.stored);
    for (const { value } of (await store.list()).entries) {
      const { namespace, name: object = '', deletionTimestamp } = value.metadata;
      if (deletionTimestamp !== undefined) continue;
      const key = { namespace, name: object };
      await store.delete(key, { dryRun: false, propagationPolicy: 'Background' }).catch(unlessGone);
    }
    return (await store.list()).entries.length;
  }

  /** Ends the service of a removed definition. Others in its group may have its names now. */
  async #forget(removed: KubeObject): Promise<void> {
    const { name = '', uid } = removed.metadata;
    if (this.#made.get(name)?.uid === uid) this.#end(name);
    this.#terminating.delete(name);
    this.#names.delete(removed);
    for (const waiting of this.#names.waiting(definitionSpecOf(removed).group)) {
      const entry = await this.#definitions.find({ namespace: undefined, name: waiting });
      if (entry !== undefined) await this.#reconcile(entry.value);
    }
  }
}

const unreadMessage = (definition: string, { name }: DefinitionVersion, column: PrinterColumn): string =>
  `${definition}: the path of the column ${excerpt(column.name)} of ${name} cannot be read: ${excerpt(column.jsonPath)}; ` +
  'tables end before it';

/** Returns what converts the objects of a definition; undefined if its versions differ in their schemas only. */
function conversionBy({ conversion }: DefinitionSpec, call: CallWebhook): ConvertObjects | undefined {
  if (conversion?.strategy !== 'Webhook') return undefined;
  return (objects, apiVersion) => convertedBy(conversion.webhook ?? {}, call, objects, apiVersion);
}

/** Returns a function that makes the shape of the objects of a schema once. */
function shapeMaker(schema: StructuralSchema): () => ObjectShape {
  let shape: ObjectShape | undefined;
  return () => {
    shape ??= shapeOfSchema(schema, metadataShape());
    return shape;
  };
}

/** The condition of a definition whose schema violates a rule. */
const unserved = 'NonStructuralSchema';
const served = (problem: string | undefined): DefinitionCondition =>
  problem === undefined
    ? { type: unserved, status: 'False', reason: 'Served', message: 'the schema can be compiled' }
    : { type: unserved, status: 'True', reason: 'CannotBeCompiled', message: `not served: ${problem}` };

const terminating = (status: string, reason: string, message: string): DefinitionCondition => ({
  type: 'Terminating',
  status,
  reason,
  message,
});

/** Returns a definition with its new status, unless its spec has changed meanwhile: then the next change has it. */
function withAcceptedStatus(latest: KubeObject, before: KubeObject, next: KubeObject): KubeObject {
  if (!equal(latest.spec, before.spec) || !equal(latest.status, before.status)) return latest;
  return { ...latest, status: next.status };
}
