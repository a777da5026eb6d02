// Asks webhooks about a request: those that change the object one after the other, those that judge it at the same time.
import { isDeepStrictEqual } from 'node:util';
import type { Resource } from '../../../matrix/api/index.js';
import { badRequest } from '../../errors.js';
import { jsonPatch } from '../../patch/jsonPatch.js';
import type { KubeObject } from '../../schema/object.js';
import { reportError, StatusError } from '../../statusError.js';
import { doInTurns } from '../../turns.js';
import type { Revision } from './asker.js';
import type { WebhookCaller } from './caller.js';
import type { Webhook } from './configurationRules.js';
import { type Evaluating, resourceFor, type Surroundings } from './matching.js';
import { BadPatch, denial, requestOf, reviewOf, type Verdict, verdictOf } from './reviews.js';
import type { Subject } from './subject.js';

/** A webhook of a configuration. */
export interface Registered {
  readonly configuration: string;
  readonly webhook: Webhook;
}

const internal = (message: string): StatusError =>
  new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });

export class Dispatcher {
  constructor(
    readonly caller: WebhookCaller,
    readonly surroundings: Surroundings,
    readonly evaluating: Evaluating,
  ) {}

  /** Returns the object as the webhooks want it. Throws the Status that refuses the request. */
  async revise(webhooks: readonly Registered[], subject: Subject, object: KubeObject | undefined): Promise<Revision> {
    const called: Registered[] = [];
    const due = new Set<Registered>();
    let current = object;
    for (const registered of webhooks) {
      const next = await this.#reviseBy(registered, subject, current);
      if (next === undefined) continue;
      if (next.isChanged) for (const earlier of called) due.add(earlier);
      current = next.object;
      if (registered.webhook.reinvocationPolicy === 'IfNeeded') called.push(registered);
    }
    if (called.length === 0) return { object: current };
    const again = async (completed: KubeObject, isOthers: boolean): Promise<KubeObject> => {
      let result: KubeObject = completed;
      for (const registered of isOthers ? called : called.filter((one) => due.has(one))) {
        result = (await this.#reviseBy(registered, subject, result))?.object ?? result;
      }
      return result;
    };
    return { object: current, again };
  }

  /** Throws the Status that refuses the request. */
  async review(webhooks: readonly Registered[], subject: Subject, object: KubeObject | undefined): Promise<void> {
    const concerned: (readonly [Registered, Resource])[] = [];
    for (const registered of webhooks) {
      const resource = await resourceFor(registered.webhook, subject, object, this.surroundings, this.evaluating);
      if (resource !== undefined) concerned.push([registered, resource]);
    }
    const results = await Promise.allSettled(
      concerned.map(([registered, resource]) => this.#verdict(registered, subject, object, resource, false)),
    );
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  async #reviseBy(registered: Registered, subject: Subject, object: KubeObject | undefined) {
    const { webhook } = registered;
    const resource = await resourceFor(webhook, subject, object, this.surroundings, this.evaluating);
    if (resource === undefined) return undefined;
    const verdict = await this.#verdict(registered, subject, object, resource, true);
    if (verdict === undefined || verdict.patch.length === 0) return { object, isChanged: false };
    if (object === undefined) {
      const name = JSON.stringify(webhook.name);
      throw internal(
        `admission webhook ${name} attempted to modify the object, which is not supported for this operation`,
      );
    }
    const shown = subject.shown(object, resource);
    const patched = await patchedBy(shown, verdict.patch);
    const next = await subject.taken(patched, resource, object).catch((error: unknown) => {
      throw error instanceof StatusError ? internal(error.message) : error;
    });
    return { object: next, isChanged: !isDeepStrictEqual(subject.shown(next, resource), shown) };
  }

  /** Returns what a webhook says; undefined if its call fails and its policy is to ignore that. */
  async #verdict(
    { webhook }: Registered,
    subject: Subject,
    object: KubeObject | undefined,
    resource: Resource,
    mutates: boolean,
  ): Promise<Verdict | undefined> {
    const { name, clientConfig = {}, admissionReviewVersions: versions = [], timeoutSeconds = 10 } = webhook;
    requireDryRun(webhook, subject);
    const request = requestOf(subject, resource, object);
    const review = reviewOf(request, versions);
    let verdict: Verdict;
    try {
      const answer = await this.caller.call(clientConfig, review, timeoutSeconds, subject.origin.left);
      verdict = verdictOf(answer, review, request.uid, mutates);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (error instanceof BadPatch) throw internal(why);
      const message = `failed calling webhook ${JSON.stringify(name)}: ${why}`;
      if (webhook.failurePolicy !== 'Ignore' || subject.origin.left.aborted) throw internal(message);
      reportError(new Error(`${message}; its failurePolicy is Ignore`));
      return undefined;
    }
    for (const [key, value] of verdict.annotations) subject.origin.annotate(`${name}/${key}`, value);
    for (const warning of verdict.warnings) subject.origin.warn(warning);
    if (!verdict.allowed) throw denial(name, verdict.result);
    return verdict;
  }
}

function requireDryRun({ name, sideEffects = '' }: Webhook, { dryRun }: Subject): void {
  if (dryRun && !['None', 'NoneOnDryRun'].includes(sideEffects)) {
    throw badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`);
  }
}

async function patchedBy(object: KubeObject, operations: readonly unknown[]): Promise<unknown> {
  try {
    return await doInTurns(jsonPatch(object, operations));
  } catch (error) {
    throw internal((error as Error).message);
  }
}
