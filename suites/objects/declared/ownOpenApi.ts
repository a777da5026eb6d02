// The OpenAPI of a target in a run: read once for each worker, and held against every response of the kinds that it names.

import type { FoundKind } from '../../../matrix/api/index.js';
import type { Call } from '../../client/calls.js';
import { Client } from '../../client/client.js';
import { Prerequisite } from '../../client/expect.js';
import type { JsonObject } from '../../client/json.js';
import { NoAnswer, type Reply } from '../../client/reply.js';
import { foundSubjects, type Target } from '../../requirements/index.js';
import { type Documents, readDocuments } from '../kinds/documents.js';
import { type Finding, findingsOf } from './judge.js';
import { type DeclaredOperation, DeclaredOperations, definedOperation } from './operations.js';
import { templateOf } from './template.js';
import { Validators } from './validators.js';

/** The settings of a run that choose the documents. */
interface DocumentedRun {
  readonly runId: string;
  readonly target: Target;
  /** The kinds that only the target knows. */
  readonly kinds?: readonly FoundKind[];
  /** Milliseconds that a check waits for a controller. */
  readonly timeout?: number;
}

/** A finding with the operation of its response: `METHOD path-template`. */
export interface OperationFinding extends Finding {
  readonly operation: string;
}

class ReadOpenApi {
  readonly #operations = new Map<string, DeclaredOperations | undefined>();
  readonly #defined = new Map<string, DeclaredOperation | undefined>();
  readonly #validators = new Map<JsonObject, Validators>();

  constructor(private readonly documents: Documents) {}

  /** Returns what the target declares about a method of a path template; undefined if it declares nothing. */
  of(method: string, template: string): DeclaredOperation | undefined {
    const version = versionOf(template);
    const key = `${version.group}/${version.version}`;
    if (!this.#operations.has(key)) {
      const declared = this.documents.of(version);
      this.#operations.set(key, declared && new DeclaredOperations(declared));
    }
    const operations = this.#operations.get(key);
    return operations === undefined ? this.#definedAt(method, template) : operations.of(method, template);
  }

  /** Returns what the definition of a custom resource declares, on a server that publishes no paths of its kind. */
  #definedAt(method: string, template: string): DeclaredOperation | undefined {
    const key = `${method} ${template}`;
    if (!this.#defined.has(key)) {
      const version = versionOf(template);
      const schemaOf = (plural: string) => this.documents.definedSchema(version, plural);
      this.#defined.set(key, definedOperation(method, template, schemaOf));
    }
    return this.#defined.get(key);
  }

  /** Returns the validators of a document, the same ones for all its versions of groups. */
  validatorsOf(document: JsonObject): Validators {
    const known = this.#validators.get(document) ?? new Validators(document);
    this.#validators.set(document, known);
    return known;
  }
}

/** The reading under way or done, for each run: the contexts of a worker share it. */
const readings = new WeakMap<DocumentedRun, Promise<ReadOpenApi>>();

/** The OpenAPI of a target, and what the responses of one context show. */
export class OwnOpenApi {
  #read: ReadOpenApi | undefined;
  #findings: OperationFinding[] = [];
  readonly #judged: ReadonlySet<string>;

  constructor(private readonly run: DocumentedRun) {
    this.#judged = new Set(foundSubjects(run.kinds ?? []).declaredAnswers?.map(({ id }) => id));
  }

  /** Reads the documents if the run has kinds that only the target knows. A target that does not respond has none yet. */
  async ready(): Promise<void> {
    if (this.#read !== undefined || this.#judged.size === 0) return;
    const reading = readings.get(this.run) ?? readOpenApi(this.run);
    readings.set(this.run, reading);
    try {
      this.#read = await reading;
    } catch (error) {
      readings.delete(this.run);
      if (!(error instanceof NoAnswer)) throw error;
    }
  }

  /**
   * Returns what the target declares about an operation; undefined if it declares nothing. Throws Prerequisite if its
   * documents could not be read.
   */
  of(method: string, template: string): DeclaredOperation | undefined {
    if (this.#read === undefined) throw new Prerequisite('the OpenAPI of the target could not be read');
    return this.#read.of(method, template);
  }

  /** Holds a response against the documents. */
  observe(call: Call, reply: Reply): void {
    const template = this.#read === undefined || call.headersOnly ? undefined : templateOf(call.path);
    if (this.#read === undefined || template === undefined) return;
    const operation = `${call.method} ${template}`;
    const declared = this.#judged.has(operation) ? this.#read.of(call.method, template) : undefined;
    if (declared === undefined) return;
    const { runId } = this.run;
    const validators = this.#read.validatorsOf(declared.document);
    const found = findingsOf({ call, reply, declared, validators, runId, version: versionOf(template) });
    this.#findings.push(...found.map((finding) => ({ ...finding, operation })));
  }

  /** Returns what the responses since the last call of this method show: the first finding of each kind. */
  take(): OperationFinding[] {
    const taken = this.#findings;
    this.#findings = [];
    const keyed = taken.toReversed().map((one) => [`${one.kind} ${one.requirement} ${one.operation}`, one] as const);
    return [...new Map(keyed).values()];
  }
}

async function readOpenApi({ target, kinds = [], timeout }: DocumentedRun): Promise<ReadOpenApi> {
  const versions = new Map(kinds.map(({ group, version }) => [`${group}/${version}`, { group, version }]));
  const client = new Client(target, timeout);
  try {
    return new ReadOpenApi(await readDocuments(client, [...versions.values()]));
  } finally {
    await client.close();
  }
}

function versionOf(template: string): { readonly group: string; readonly version: string } {
  const [, root, first = '', second = ''] = template.split('/');
  return root === 'api' ? { group: '', version: first } : { group: first, version: second };
}
