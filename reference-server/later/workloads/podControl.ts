// Creates and deletes the pods of workloads, and says so in events. Other requests come between two pods: a client may ask
// for any number of them, and a write to memory alone waits for nothing.
import { setImmediate } from 'node:timers/promises';
import type { Note, Remark } from '../../controllers/events.js';
import type { Store } from '../../registry/store.js';
import { type DecodedObject, type KubeObject, objectKeyIn } from '../../schema/object.js';
import { StatusError, unless } from '../../statusError.js';

interface About {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface PodMessages {
  readonly created: (name: string) => string;
  readonly deleted: (name: string) => string;
}

const usual: PodMessages = {
  created: (name) => `Created pod: ${name}`,
  deleted: (name) => `Deleted pod: ${name}`,
};

export class PodControl {
  /** `about` is the kind of the owners. */
  constructor(
    readonly pods: Pick<Store, 'create' | 'delete'>,
    readonly note: Note,
    readonly about: About,
  ) {}

  /** Creates a pod. Returns why the server refuses it, if it does. */
  async create(owner: KubeObject, pod: DecodedObject, messages = usual): Promise<string | undefined> {
    await setImmediate();
    try {
      const { value } = await this.pods.create(owner.metadata.namespace, pod);
      await this.#say(owner, 'Normal', 'SuccessfulCreate', messages.created(value.metadata.name ?? ''));
      return undefined;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      await this.#say(owner, 'Warning', 'FailedCreate', `Error creating: ${error.message}`);
      return error.message;
    }
  }

  /** Deletes a pod, unless it is gone, or another one has its name. */
  async remove(owner: KubeObject, pod: KubeObject, messages = usual): Promise<void> {
    await setImmediate();
    const { uid, name = '' } = pod.metadata;
    const deleted = await this.pods
      .delete(objectKeyIn(pod), { dryRun: false, ...(uid !== undefined && { uid }) })
      .catch(unless(404, 409));
    if (deleted) await this.#say(owner, 'Normal', 'SuccessfulDelete', messages.deleted(name));
  }

  #say(owner: KubeObject, type: Remark['type'], reason: string, message: string): Promise<void> {
    return this.note(owner, this.about, { type, reason, message });
  }
}
