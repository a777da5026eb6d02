// The volumes of a pod, as directories: what Secrets, ConfigMaps and the pod itself hold when it starts.
import { posix } from 'node:path';
import { FileSystem } from '../filesystem/fileSystem.js';
import { Budget, type Directory } from '../filesystem/nodes.js';
import { hostnameOf } from './environment.js';
import { fieldOf, type Placement } from './fields.js';
import { NotReady, type Objects } from './objects.js';
import type { ContainerSpec, Pod, Volume, VolumeSource } from './types.js';

interface Filled {
  readonly directory: Directory;
  /** Nobody writes to what the API holds. */
  readonly readOnly: boolean;
}

export type Volumes = ReadonlyMap<string, Filled>;

/** Fills the volumes of a pod. Throws NotReady for what is not there (yet). */
export async function fillVolumes(pod: Pod, place: Placement, objects: Objects): Promise<Volumes> {
  const budget = new Budget();
  const filled = new Map<string, Filled>();
  for (const volume of pod.spec.volumes ?? []) {
    const files = new FileSystem(budget);
    const directory = files.makeDirectory('/volume');
    const sources = volume.projected?.sources ?? [volume];
    for (const source of sources) {
      for (const [path, content] of await contentsOf(source, pod, place, objects)) {
        const target = posix.join('/volume', posix.join('/', path));
        files.makeDirectory(posix.dirname(target));
        files.write(target, content);
      }
    }
    filled.set(volume.name, { directory, readOnly: isFromApi(volume) });
  }
  return filled;
}

const isFromApi = ({ secret, configMap, downwardAPI, projected }: Volume): boolean =>
  [secret, configMap, downwardAPI, projected].some((source) => source !== undefined);

async function contentsOf(
  source: VolumeSource,
  pod: Pod,
  place: Placement,
  objects: Objects,
): Promise<ReadonlyMap<string, Buffer | string>> {
  const { secret, configMap, downwardAPI, serviceAccountToken } = source;
  if (secret) {
    const name = secret.secretName ?? secret.name ?? '';
    return picked(await objects.secret(name, secret.optional), secret, `secret "${name}"`);
  }
  if (configMap) {
    const name = configMap.name ?? '';
    return picked(await objects.configMap(name, configMap.optional), configMap, `configmap "${name}"`);
  }
  if (downwardAPI) {
    const items = downwardAPI.items ?? [];
    return new Map(items.map((item) => [item.path, fieldOf(item.fieldRef?.fieldPath ?? '', pod, place)]));
  }
  if (serviceAccountToken) {
    const { name, uid } = pod.metadata;
    const owner = { name, ...(uid === undefined ? {} : { uid }) };
    const token = await objects.token(pod.spec.serviceAccountName ?? 'default', serviceAccountToken, owner);
    return new Map([[serviceAccountToken.path, token]]);
  }
  return new Map();
}

function picked(
  entries: ReadonlyMap<string, Buffer> | undefined,
  { items, optional = false }: NonNullable<VolumeSource['configMap']>,
  what: string,
): ReadonlyMap<string, Buffer> {
  if (items === undefined || entries === undefined) return entries ?? new Map();
  const chosen = new Map<string, Buffer>();
  for (const { key, path } of items) {
    const content = entries.get(key);
    if (content !== undefined) chosen.set(path, content);
    else if (!optional) throw new NotReady(`${what} has no key ${key}`);
  }
  return chosen;
}

/** The file system of a container: a small root, and the volumes where it mounts them. Throws NotReady. */
export function makeFileSystem(container: ContainerSpec, pod: Pod, { podIP }: Placement, volumes: Volumes): FileSystem {
  const files = new FileSystem();
  const hostname = hostnameOf(pod);
  files.write('/etc/hostname', `${hostname}\n`);
  files.write('/etc/hosts', `127.0.0.1\tlocalhost\n${podIP}\t${hostname}\n`);
  for (const { name, mountPath, subPath = '', readOnly = false } of container.volumeMounts ?? []) {
    const volume = volumes.get(name);
    if (volume === undefined) throw new NotReady(`volume "${name}" is not there`);
    files.mount(mountPath, partOf(volume, subPath), readOnly || volume.readOnly);
  }
  if (container.workingDir !== undefined) files.makeDirectory(container.workingDir);
  return files;
}

/** A directory or a file of a volume; a directory that is not there is made. */
function partOf({ directory, readOnly }: Filled, subPath: string) {
  const view = new FileSystem();
  view.mount('/volume', directory, false);
  const path = posix.join('/volume', posix.join('/', subPath));
  const found = view.look(path);
  if (found?.kind === 'directory' || found?.kind === 'file') return found;
  if (readOnly) throw new NotReady(`subPath ${subPath} is not in the volume`);
  return view.makeDirectory(path);
}
