// Deletes objects of a run. The controllers of others get time to remove their finalizers before the suite does.
import { inBatches } from '../client/backoff.js';
import { namespaceOf, objectNameOf, runLabel } from '../client/belonging.js';
import type { Client } from '../client/client.js';
import { at, type JsonObject } from '../client/json.js';
import { runningTime } from '../client/runningTime.js';
import { isHeld, releaseAnyhow } from '../objects/anyhow.js';
import { userNamedIn } from './identity.js';
import type { TargetKind } from './kindsOfTarget.js';

/** Milliseconds between two looks for objects that are being deleted. */
export const pause = 100;

/** An object of the run, with its kind. */
export interface Own {
  readonly kind: TargetKind;
  readonly object: JsonObject;
}

export const pathOf = ({ kind, object }: Own): string => kind.object(namespaceOf(object), objectNameOf(object));

/** Returns `plural/namespace/name`. */
export const nameOf = ({ kind, object }: Own): string =>
  [kind.plural, namespaceOf(object), objectNameOf(object)].filter(Boolean).join('/');

/** Gets a line about a clean-up; `isNote`: it is about objects of others, and not about progress. */
export type Tell = (what: string, isNote?: true) => void;

/** The deletes of a clean-up. */
export class Removal {
  /** Why objects stay, by their paths. */
  readonly #stays = new Map<string, string>();
  /** The objects that finalizers of others hold, by their paths. */
  readonly #held = new Map<string, Own>();
  /** The uids of objects that were deleted, by their paths. */
  readonly #deleted = new Map<string, unknown>();
  /** Whether the user of the run may delete a kind, by its plural: the first delete of each shows it. */
  readonly #permits = new Map<string, Promise<boolean>>();
  #isPatient = true;

  /** `tell`: gets a line about the objects whose finalizers of others were removed. */
  constructor(
    readonly client: Client,
    readonly tell: Tell,
  ) {}

  /** Returns why an object stays; undefined if that is not known. */
  why(own: Own): string | undefined {
    return this.#stays.get(pathOf(own));
  }

  /** Reports whether an object without the label of the run was deleted, and another client has created it again. */
  isBack(own: Own): boolean {
    const deleted = this.#deleted.get(pathOf(own));
    return deleted !== undefined && deleted !== uidOf(own.object) && !hasLabel(own.object);
  }

  /**
   * Deletes one object without a grace period, and removes the finalizers of the suite that hold it, or after
   * `endPatience` all finalizers. Any of the requests may be what the target does wrongly, so another one follows where
   * one has no effect. Notes why the object stays. Of a kind that the user may not delete, the rest is not tried.
   */
  async remove(own: Own): Promise<void> {
    const { plural } = own.kind;
    const permitted = this.#permits.get(plural);
    if (permitted === undefined) {
      const first = this.#remove(own);
      this.#permits.set(plural, first);
      await first;
    } else if (await permitted) await this.#remove(own);
    else this.#stays.set(pathOf(own), refusedWith(403));
  }

  /** Returns whether the user may delete the object. */
  async #remove(own: Own): Promise<boolean> {
    const path = pathOf(own);
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 };
    const body = own.kind.takesOptions ? contentOf('application/json', options) : {};
    const first = await this.client.send({ method: 'DELETE', path, ...body });
    const isDone = first.status < 300 || first.status === 404;
    const reply = isDone ? first : await this.client.send({ method: 'DELETE', path });
    this.#stays.delete(path);
    if (reply.status > 299 && reply.status !== 404) this.#stays.set(path, refusedWith(reply.status));
    if (reply.status > 299) return userNamedIn(reply) === undefined;
    this.#deleted.set(path, uidOf(own.object));
    // Some servers answer a delete that finalizers put off with a Status, which says nothing of them.
    const answer = reply.tryValue();
    const shown = isHeld(answer) ? answer : own.object;
    if (!isHeld(shown)) return true;
    if (this.#isPatient && ofOthers(shown).length > 0) this.#held.set(path, own);
    else await this.#release(path);
    return true;
  }

  /**
   * Waits for the controllers of others as long as objects go, at most `timeout` milliseconds without progress, then
   * removes their finalizers. From now on, finalizers are removed at once.
   */
  async endPatience(timeout: number): Promise<void> {
    let since = runningTime();
    for (;;) {
      const before = this.#held.size;
      const seen = await inBatches([...this.#held], async ([path]) => {
        const reply = await this.client.send({ method: 'GET', path });
        const finalizers = reply.status === 200 ? ofOthers(reply.tryValue()) : [];
        return [path, finalizers] as const;
      });
      const free = seen.filter(([, finalizers]) => finalizers.length === 0);
      await inBatches(free, async ([path]) => {
        this.#held.delete(path);
        await this.#release(path);
      });
      if (this.#held.size < before) since = runningTime();
      if (this.#held.size > 0 && runningTime() - since < timeout) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        continue;
      }
      this.#isPatient = false;
      const left = seen.flatMap(([path, finalizers]) => {
        const own = this.#held.get(path);
        return own === undefined ? [] : [{ path, name: nameOf(own), finalizers: finalizers.join(', ') }];
      });
      for (const finalizers of new Set(left.map((one) => one.finalizers))) {
        const names = left.filter((one) => one.finalizers === finalizers).map(({ name }) => name);
        const more = names.length > 1 ? ` and ${names.length - 1} more` : '';
        const waited = `${Math.round(timeout / 1000)} s`;
        this.tell(`removed ${finalizers} from ${names[0]}${more}: no controller did within ${waited}`, true);
      }
      await inBatches(left, ({ path }) => this.#release(path));
      return;
    }
  }

  /** Removes the finalizers of an object, and notes what was tried if they stay. */
  async #release(path: string): Promise<void> {
    const tried = await releaseAnyhow(this.client, path, 'read');
    if (tried !== undefined) this.#stays.set(path, `finalizers hold it after ${tried}`);
  }
}

const refusedWith = (status: number): string => `DELETE is answered with ${status}`;
const uidOf = (object: JsonObject): unknown => at(object, 'metadata', 'uid');
const hasLabel = (object: JsonObject): boolean => at(object, 'metadata', 'labels', runLabel) !== undefined;

/** Returns the finalizers of an object that the suite has not set. */
function ofOthers(object: unknown): string[] {
  const finalizers = at(object, 'metadata', 'finalizers');
  return Array.isArray(finalizers)
    ? finalizers.map(String).filter((name) => !name.startsWith('kube-api-conformance/'))
    : [];
}

const contentOf = (type: string, body: unknown) => ({ headers: { 'content-type': type }, body: JSON.stringify(body) });
