// The place of the service account token in the containers of a pod.

import { need } from '../admission/objects.js';
import { equal, fail, Unchecked } from '../client/expect.js';
import { at, brief, isObject, type JsonObject, objectsIn } from '../client/json.js';
import { pods } from '../objects/related.js';
import { group } from '../run/group.js';
import { accounts } from './accounts.js';

const image = 'registry.example/conformance:1';
const own = 'own-place';

/** The spec of a pod, and the path at which tokens are mounted. */
interface PodSpecRead {
  readonly spec: unknown;
  readonly place: string;
}

function mountsOf({ spec }: PodSpecRead, container: string): JsonObject[] {
  const all = [...objectsIn(at(spec, 'containers')), ...objectsIn(at(spec, 'initContainers'))];
  return objectsIn(all.find(({ name }) => name === container)?.volumeMounts);
}

const volumeOf = ({ spec }: PodSpecRead, volume: unknown): JsonObject | undefined =>
  objectsIn(at(spec, 'volumes')).find(({ name }) => name === volume);

/** Newer servers request a token for each pod instead of mounting the Secret. */
const projectsToken = (volume: JsonObject | undefined): boolean =>
  objectsIn(at(volume, 'projected', 'sources')).some((source) => isObject(source.serviceAccountToken));

/** Returns the volumes that a container mounts at the place. */
function volumesAt(record: PodSpecRead, container: string): unknown[] {
  const { place } = record;
  return mountsOf(record, container)
    .filter(({ mountPath }) => mountPath === place)
    .map(({ name }) => name);
}

export const mountGroups = [
  group({
    subjects: 'tokenMounts',
    setup: async (_, { sandbox, run }) => {
      const namespace = await sandbox.namespace('pod-accounts');
      const place = `/var/run/secrets/${run.target.domains.secretType}/serviceaccount`;
      const pod = await need(sandbox, pods, namespace, {
        spec: {
          containers: [
            { name: 'first', image },
            { name: 'second', image },
            { name: 'own', image, volumeMounts: [{ name: own, mountPath: place }] },
          ],
          // Early servers do not know these, and drop them.
          initContainers: [{ name: 'earlier', image }],
          volumes: [{ name: own, emptyDir: {} }],
        },
      });
      const bare = await need(sandbox, pods, namespace, { spec: { automountServiceAccountToken: false } });
      const account = await sandbox.current({ resource: accounts, name: 'default', namespace });
      return {
        place,
        spec: at(await sandbox.current(pod), 'spec'),
        secrets: objectsIn(at(account, 'secrets')),
        without: { place, spec: at(await sandbox.current(bare), 'spec') },
      };
    },
    checks: {
      'pod-mount': (record) => {
        const names = record.secrets.map(({ name }) => name);
        for (const container of ['first', 'second']) {
          const volumes = mountsOf(record, container).map(({ name }) => volumeOf(record, name));
          if (!volumes.some((volume) => names.includes(at(volume, 'secret', 'secretName')) || projectsToken(volume)))
            fail(`container ${container} mounts no token of its account: ${brief(volumes)}, Secrets ${brief(names)}`);
        }
      },
      'pod-mount-path': (record) => {
        const hasEarlier = at(record.spec, 'initContainers') !== undefined;
        for (const container of ['first', 'second', ...(hasEarlier ? ['earlier'] : [])]) {
          const count = volumesAt(record, container).length;
          if (count !== 1)
            fail(`container ${container}: ${count === 0 ? 'no' : 'more than one'} volume at ${record.place}`);
        }
      },
      'pod-mount-none': ({ without }) => {
        if (at(without.spec, 'automountServiceAccountToken') !== false)
          throw new Unchecked('not-supported', 'the server does not keep automountServiceAccountToken');
        const [main] = objectsIn(at(without.spec, 'containers'));
        const volumes = volumesAt(without, String(main?.name));
        if (volumes.length > 0) fail(`a pod that wants no token has ${brief(volumes)} at ${without.place}`);
      },
      'pod-mount-own': (record) => {
        const volumes = volumesAt(record, 'own');
        equal(volumes.join(), own, `the volumes at ${record.place} of a container that has one there`);
      },
    },
  }),
];
