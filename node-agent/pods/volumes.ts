// The volumes of a pod: directories with the content of Secrets, ConfigMaps and pod fields.
import { posix } from 'node:path';
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { ApiObject, Pod } from '../api/types.js';
import { type Directory, type File, FileSystem, StorageBudget } from '../kernel/fileSystem.js';
import { AtomicWriter, type VolumeFile } from './atomicWriter.js';
import { hostnameOf, type PodIPs, podFieldOf, resourceFieldOf } from './environment.js';
import { hostPathOf } from './hostPath.js';
import { hostsOf, resolverOf } from './networkFiles.js';
import { NotReady, type ReferencedObjects } from './referencedObjects.js';
import { usualMessagePath } from './terminationMessage.js';

interface FilledVolume {
  readonly root: Directory | File;
  readonly budget: StorageBudget;
  /** True if the content comes from the API. */
  readonly readOnly: boolean;
}

/** The volumes of a pod, by their names, and what fills them again. */
export class PodVolumes {
  readonly #filled = new Map<string, FilledVolume>();
  readonly #writers = new Map<string, AtomicWriter>();
  /** The tokens of the pod, and the times in milliseconds at which they are due to be replaced. */
  readonly #tokens = new Map<string, { readonly token: Buffer; readonly due: number }>();
  readonly #ips: PodIPs;
  readonly #objects: ReferencedObjects;

  private constructor(ips: PodIPs, objects: ReferencedObjects) {
    this.#ips = ips;
    this.#objects = objects;
  }

  /** Fills the volumes of a pod. Throws NotReady if a referenced object does not exist yet. */
  static async fill(pod: Pod, ips: PodIPs, objects: ReferencedObjects, hostFiles: FileSystem): Promise<PodVolumes> {
    const volumes = new PodVolumes(ips, objects);
    const budget = new StorageBudget();
    for (const volume of pod.spec.volumes ?? []) {
      if (volume.hostPath !== undefined) {
        const root = hostPathOf(hostFiles, volume.hostPath);
        volumes.#filled.set(volume.name, { root, budget: hostFiles.budget, readOnly: false });
        continue;
      }
      const files = new FileSystem(budget);
      const directory = files.makeDirectory('/volume');
      directory.mode = 0o777;
      directory.isInMemory = isFromApi(volume) || volume.emptyDir?.medium === 'Memory';
      volumes.#filled.set(volume.name, { root: directory, budget, readOnly: isFromApi(volume) });
      if (isFromApi(volume)) volumes.#writers.set(volume.name, new AtomicWriter(files, '/volume'));
    }
    await volumes.refresh(pod);
    return volumes;
  }

  get(name: string): FilledVolume | undefined {
    return this.#filled.get(name);
  }

  /** Whether the volumes show this version of an object; undefined is an absent one. */
  shows(resource: string, name: string, object: ApiObject | undefined): boolean {
    return this.#objects.hasRead(resource, name, object);
  }

  /** The time at which the first token is due to be replaced, in milliseconds. */
  get due(): number {
    return Math.min(...[...this.#tokens.values()].map(({ due }) => due));
  }

  /** Fills the volumes again whose content comes from the API. Throws NotReady, and then keeps what it has. */
  async refresh(pod: Pod): Promise<void> {
    for (const volume of pod.spec.volumes ?? []) {
      const writer = this.#writers.get(volume.name);
      if (writer === undefined) continue;
      const payload = new Map<string, VolumeFile>();
      for (const source of volume.projected?.sources ?? [volume]) {
        const modes = modesOf(source, volume);
        for (const [path, content] of await this.#contentsOf(source, pod)) {
          payload.set(path, { content, mode: modes(path) });
        }
      }
      writer.write(payload);
    }
  }

  async #contentsOf(source: Source, pod: Pod): Promise<ReadonlyMap<string, Buffer | string>> {
    const { serviceAccountToken } = source;
    if (serviceAccountToken === undefined) return await contentsOf(source, pod, this.#ips, this.#objects);
    const key = JSON.stringify(serviceAccountToken);
    const known = this.#tokens.get(key);
    const { path, expirationSeconds = 3600 } = serviceAccountToken;
    if (known !== undefined && Date.now() < known.due) return new Map([[path, known.token]]);
    const { name, uid } = pod.metadata;
    const owner = { name, ...(uid !== undefined && { uid }) };
    const token = await this.#objects.token(pod.spec.serviceAccountName ?? 'default', serviceAccountToken, owner);
    this.#tokens.set(key, { token, due: Date.now() + expirationSeconds * 1000 * tokenLifetime });
    return new Map([[path, token]]);
  }
}

/** The part of its lifetime after which a token is replaced. */
const tokenLifetime = 0.8;

type Source = ObjectOf<'VolumeSource'> & ObjectOf<'VolumeProjection'>;

/** Returns the modes of the files of a source: those of the items, or that of the volume. */
function modesOf(source: Source, { projected }: ObjectOf<'Volume'>): (path: string) => number {
  const { secret, configMap, downwardAPI } = source;
  const of = secret ?? configMap ?? downwardAPI;
  const items = new Map(of?.items?.map(({ path, mode }) => [path, mode]));
  const usual = (projected ?? (of as { readonly defaultMode?: number } | undefined))?.defaultMode ?? 0o644;
  return (path) => items.get(path) ?? usual;
}

const isFromApi = ({ secret, configMap, downwardAPI, projected }: ObjectOf<'Volume'>): boolean =>
  [secret, configMap, downwardAPI, projected].some((source) => source !== undefined);

async function contentsOf(
  source: Source,
  pod: Pod,
  ips: PodIPs,
  objects: ReferencedObjects,
): Promise<ReadonlyMap<string, Buffer | string>> {
  const { secret, configMap, downwardAPI } = source;
  if (secret) {
    const name = secret.secretName ?? secret.name ?? '';
    return pickItems(await objects.secret(name, secret.optional), secret, `secret "${name}"`);
  }
  if (configMap) {
    const name = configMap.name ?? '';
    return pickItems(await objects.configMap(name, configMap.optional), configMap, `configmap "${name}"`);
  }
  if (downwardAPI) {
    const items = downwardAPI.items ?? [];
    return new Map(
      items.map(({ path, fieldRef, resourceFieldRef }) => [
        path,
        resourceFieldRef ? resourceFieldOf(resourceFieldRef, pod) : podFieldOf(fieldRef?.fieldPath ?? '', pod, ips),
      ]),
    );
  }
  return new Map();
}

/** Returns the entries that `items` selects, by path, or all entries without `items`. */
function pickItems(
  entries: ReadonlyMap<string, Buffer> | undefined,
  { items, optional = false }: ObjectOf<'ConfigMapVolumeSource'>,
  what: string,
): ReadonlyMap<string, Buffer> {
  if (items === undefined || entries === undefined) return entries ?? new Map();
  const picked = new Map<string, Buffer>();
  for (const { key, path } of items) {
    const content = entries.get(key);
    if (content !== undefined) picked.set(path, content);
    else if (!optional) throw new NotReady(`${what} has no key ${key}`);
  }
  return picked;
}

/**
 * Makes the file system of a container: a small root file system, and the volumes at their mount paths. Throws
 * NotReady.
 */
export function makeFileSystem(
  container: ObjectOf<'Container'>,
  pod: Pod,
  podIP: string,
  volumes: PodVolumes,
  expand: (text: string) => string,
): FileSystem {
  const files = new FileSystem();
  const hostname = hostnameOf(pod);
  files.write('/etc/hostname', `${hostname}\n`);
  files.write('/etc/hosts', hostsOf(pod, podIP));
  files.write('/etc/resolv.conf', resolverOf(pod));
  for (const { name, mountPath, subPath = '', subPathExpr, readOnly = false } of container.volumeMounts ?? []) {
    const volume = volumes.get(name);
    if (volume === undefined) throw new NotReady(`volume "${name}" is not there`);
    const path = subPathExpr === undefined ? subPath : expand(subPathExpr);
    if (path.startsWith('/') || path.split('/').includes('..')) {
      throw new NotReady(`subPath "${path}" of the volume "${name}" is not below it`);
    }
    files.mount(mountPath, subPathOf(volume, path), readOnly || volume.readOnly, volume.budget);
  }
  const messagePath = posix.resolve('/', container.terminationMessagePath ?? usualMessagePath);
  if (files.find(messagePath) === undefined) {
    files.makeDirectory(posix.dirname(messagePath));
    files.write(messagePath, '', 0o666);
    const file = files.get(messagePath);
    if (file.kind === 'file') files.mount(messagePath, file, false);
  }
  if (container.workingDir !== undefined) files.makeDirectory(container.workingDir);
  if (container.securityContext?.readOnlyRootFilesystem === true) files.makeReadOnly();
  return files;
}

/** Returns a directory or a file of a volume. Creates a missing directory. */
function subPathOf({ root, budget, readOnly }: FilledVolume, subPath: string) {
  const view = new FileSystem();
  view.mount('/volume', root, false, budget);
  const path = posix.join('/volume', posix.join('/', subPath));
  const found = view.find(path);
  if (found?.kind === 'directory' || found?.kind === 'file') return found;
  if (readOnly) throw new NotReady(`subPath ${subPath} is not in the volume`);
  return view.makeDirectory(path);
}
