// What a container of a pod starts with: its program, its environment, its files, and its place in the network.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { Pod } from '../api/types.js';
import type { ContainerConfig } from '../containers/container.js';
import type { User } from '../kernel/process.js';
import type { ClusterNetwork } from '../network/clusterNetwork.js';
import { type AgentRequest, isLoopback, requestTo, type VirtualNetwork } from '../network/virtualNetwork.js';
import { ArgumentSpace, environmentOf, hostnameOf, type PodIPs } from './environment.js';
import type { ReferencedObjects } from './referencedObjects.js';
import { makeFileSystem, type PodVolumes } from './volumes.js';

interface Surroundings {
  readonly network: VirtualNetwork;
  readonly cluster: ClusterNetwork;
  readonly onRequest: (request: AgentRequest) => void;
}

/** Throws NotReady if a referenced object does not exist yet. */
export async function containerConfigOf(
  spec: ObjectOf<'Container'>,
  pod: Pod,
  ips: PodIPs,
  volumes: PodVolumes,
  objects: ReferencedObjects,
  { network, cluster, onRequest }: Surroundings,
): Promise<ContainerConfig> {
  const { podIP } = ips;
  // Loaded with the first pod, so that a node without pods starts fast.
  const { entrypointOf, programOfImage } = await import('../programs/images.js');
  const space = new ArgumentSpace();
  const environment = await environmentOf(spec, pod, ips, objects, space);
  const expand = (text: string) => space.expand(text, environment);
  const { namespace = '', name } = pod.metadata;
  return {
    entrypoint: entrypointOf(spec.image ?? '', spec.command?.map(expand) ?? [], spec.args?.map(expand) ?? []),
    environment,
    directory: spec.workingDir ?? '/',
    stdin: spec.stdin === true,
    stdinOnce: spec.stdinOnce === true,
    tty: spec.tty === true,
    sandbox: {
      files: makeFileSystem(spec, pod, podIP, volumes, expand),
      hostname: hostnameOf(pod),
      user: userOf(spec, pod),
      programOfImage: (called) => programOfImage(spec.image ?? '', called),
      ports: (spec.ports ?? []).map(({ containerPort }) => containerPort),
      listen: (port, signal, accept, transport) => network.listen(podIP, port, signal, accept, transport),
      connect: (address, port, transport = 'tcp') =>
        isLoopback(address)
          ? cluster.connect(podIP, port, address, transport)
          : cluster.connect(address, port, podIP, transport),
      lookUp: (host, type) => cluster.lookUp(host, type),
      onRequest: (request, response) => onRequest(requestTo(`pod ${namespace}/${name}`, request, response)),
    },
  };
}

/** Returns as whom the programs of a container run: by default as root. */
function userOf({ securityContext: own = {} }: ObjectOf<'Container'>, { spec }: Pod): User {
  const { securityContext: ofPod = {} } = spec;
  const { fsGroup, supplementalGroups = [] } = ofPod;
  const gid = own.runAsGroup ?? ofPod.runAsGroup ?? 0;
  return {
    uid: own.runAsUser ?? ofPod.runAsUser ?? 0,
    gid,
    groups: [...new Set([gid, ...(fsGroup === undefined ? [] : [fsGroup]), ...supplementalGroups])],
    mayEscalate: own.allowPrivilegeEscalation ?? true,
    isPrivileged: own.privileged ?? false,
  };
}
