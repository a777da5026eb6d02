// Follows the ConfigMaps and Secrets in the volumes of a pod that runs, and fills the volumes again when they change.

import { isDeepStrictEqual } from 'node:util';
import { longestDelay } from '../../matrix/api/longestDelay.js';
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { type ApiClient, isStatus } from '../api/apiClient.js';
import { listAndWatch } from '../api/listWatch.js';
import type { ApiObject, Pod } from '../api/types.js';
import { NotReady } from './referencedObjects.js';
import type { PodVolumes } from './volumes.js';

/** The milliseconds after which the objects of a pod are followed, so that short pods follow none. */
const startAfter = 2000;

/** What happens to an object that is followed. */
type Changed = (object?: ApiObject & { readonly immutable?: boolean }) => void;

interface Followed {
  readonly changed: Set<Changed>;
  readonly stop: AbortController;
  /** What all have been told last. */
  last?: { readonly object: Parameters<Changed>[0] };
}

/** Follows objects for all pods of a node: each object once. */
export class FollowedObjects {
  readonly #followed = new Map<string, Followed>();

  constructor(readonly client: ApiClient) {}

  /** Calls `changed` with the object as it is now and after each change, until the signal. */
  follow(path: string, name: string, signal: AbortSignal, changed: Changed): void {
    if (signal.aborted) return;
    const key = `${path}/${name}`;
    const known = this.#followed.get(key);
    const entry: Followed = known ?? { changed: new Set(), stop: new AbortController() };
    entry.changed.add(changed);
    if (known === undefined) this.#start(key, path, name, entry);
    else if (known.last !== undefined) changed(known.last.object);
    const leave = () => {
      entry.changed.delete(changed);
      if (entry.changed.size > 0) return;
      entry.stop.abort();
      if (this.#followed.get(key) === entry) this.#followed.delete(key);
    };
    signal.addEventListener('abort', leave, { once: true });
  }

  #start(key: string, path: string, name: string, entry: Followed): void {
    this.#followed.set(key, entry);
    const tell: Changed = (object) => {
      entry.last = { object };
      for (const changed of [...entry.changed]) changed(object);
      // Nothing changes any more.
      if (object?.immutable) entry.stop.abort();
    };
    const handler = {
      replaced: ([object]: readonly ApiObject[]) => tell(object),
      updated: (object: ApiObject) => tell(object),
      deleted: () => tell(),
    };
    const collection = { path, query: { fieldSelector: `metadata.name=${name}` } };
    void listAndWatch<ApiObject>(this.client, collection, handler, entry.stop.signal, (error) => {
      // The agent may not follow, or the namespace is gone.
      if (isStatus(error, 401, 403, 404, 405)) entry.stop.abort();
    });
  }
}

/** Keeps the volumes of a pod as the API says, until the signal. */
export class VolumeUpdates {
  #isBusy = false;
  #isStale = false;
  #rotation: NodeJS.Timeout | undefined;

  /** `pod` returns the pod as it is now. */
  constructor(
    readonly pod: () => Pod,
    readonly volumes: PodVolumes,
    readonly objects: FollowedObjects,
    readonly signal: AbortSignal,
  ) {
    const named = referencedBy(pod());
    const start = setTimeout(() => {
      for (const [resource, name] of named) {
        const path = `/api/v1/namespaces/${pod().metadata.namespace}/${resource}`;
        objects.follow(path, name, signal, (object) => {
          if (!volumes.shows(resource, name, object)) void this.refresh();
        });
      }
    }, startAfter);
    this.#rotate();
    const stop = () => {
      clearTimeout(start);
      clearTimeout(this.#rotation);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  }

  /** Fills the volumes again, once more if something changes meanwhile. */
  async refresh(): Promise<void> {
    this.#isStale = true;
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#isStale && !this.signal.aborted) {
      this.#isStale = false;
      try {
        await this.volumes.refresh(this.pod());
      } catch (error) {
        // An object that is gone leaves its files; any other error is that of a change that comes again.
        if (!(error instanceof NotReady)) await new Promise((resolve) => setTimeout(resolve, startAfter).unref());
      }
    }
    this.#isBusy = false;
    this.#rotate();
  }

  /** Fills the volumes when a token is due. */
  #rotate(): void {
    clearTimeout(this.#rotation);
    const { due } = this.volumes;
    if (!Number.isFinite(due) || this.signal.aborted) return;
    this.#rotation = setTimeout(
      () => void this.refresh(),
      Math.min(Math.max(due - Date.now(), startAfter), longestDelay),
    );
    this.#rotation.unref();
  }
}

/** Whether the volumes of a pod show something of the pod itself that has changed. */
export const showsChange = (before: Pod, after: Pod): boolean =>
  showsOwnFields(after) && !isDeepStrictEqual(fieldsShown(before), fieldsShown(after));

const fieldsShown = ({ metadata, spec }: Pod) => [
  metadata.labels,
  metadata.annotations,
  spec.containers.map(({ resources }) => resources),
];

const showsOwnFields = ({ spec }: Pod): boolean =>
  (spec.volumes ?? []).some(
    ({ downwardAPI, projected }) => downwardAPI ?? projected?.sources?.some((source) => source.downwardAPI),
  );

/** Returns the ConfigMaps and Secrets in the volumes of a pod, as resource and name. */
function referencedBy({ spec }: Pod): readonly (readonly [resource: string, name: string])[] {
  const found = new Map<string, readonly [string, string]>();
  const add = (resource: string, name: string | undefined) => {
    if (name) found.set(`${resource}/${name}`, [resource, name]);
  };
  for (const { configMap, secret, projected } of spec.volumes ?? []) {
    const sources: readonly ObjectOf<'VolumeProjection'>[] = projected?.sources ?? [];
    for (const source of [{ configMap }, ...sources]) add('configmaps', source.configMap?.name);
    add('secrets', secret?.secretName);
    for (const source of sources) add('secrets', source.secret?.name);
  }
  return [...found.values()];
}
