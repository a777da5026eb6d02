// Makes what an instance of a container needs: its program, its environment, its files.
import type { InstanceSettings } from '../containers/instance.js';
import type { World } from '../programs/program.js';
import { environmentOf, expandReferences, hostnameOf } from './environment.js';
import type { Placement } from './fields.js';
import type { Objects } from './objects.js';
import type { ContainerSpec, Pod } from './types.js';
import { makeFileSystem, type Volumes } from './volumes.js';

/** What of the world outside the pod a program can reach, or tell. */
export type Surroundings = Pick<World, 'listen' | 'hear'>;

/** Throws NotReady for what is not there (yet). */
export async function prepareInstance(
  spec: ContainerSpec,
  pod: Pod,
  place: Placement,
  volumes: Volumes,
  objects: Objects,
  surroundings: Surroundings,
): Promise<InstanceSettings> {
  // the programs are loaded by the first pod: a node without pods costs little
  const { startOf } = await import('../programs/images/index.js');
  const environment = await environmentOf(spec, pod, place, objects);
  const words = (list: readonly string[] = []) => list.map((text) => expandReferences(text, environment));
  return {
    start: startOf(spec.image ?? '', words(spec.command), words(spec.args)),
    environment,
    directory: spec.workingDir ?? '/',
    stdin: spec.stdin === true,
    stdinOnce: spec.stdinOnce === true,
    tty: spec.tty === true,
    world: {
      files: makeFileSystem(spec, pod, place, volumes),
      hostname: hostnameOf(pod),
      ports: (spec.ports ?? []).map(({ containerPort }) => containerPort),
      ...surroundings,
    },
  };
}
