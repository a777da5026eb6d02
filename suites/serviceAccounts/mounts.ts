// Where the containers of a pod find the token of its account.
import type { Subject } from '../../matrix/requirements/index.js';
import { need } from '../admission/objects.js';
import { equal, fail } from '../support/expect.js';
import { at, brief, isObject, type JsonObject } from '../support/json.js';
import { pods } from '../support/related.js';
import type { Context } from '../support/worker.js';
import { accounts } from './accounts.js';

const image = 'registry.example/conformance:1';
const own = 'own-place';

export const mountPerformers = {
  tokenMounts: async (_: Subject, { scope, run }: Context) => {
    const namespace = await scope.namespace('pod-accounts');
    const place = `/var/run/secrets/${run.target.domains.secretType}/serviceaccount`;
    const pod = await need(scope, pods, namespace, {
      spec: {
        containers: [
          { name: 'first', image },
          { name: 'second', image },
          { name: 'own', image, volumeMounts: [{ name: own, mountPath: place }] },
        ],
        volumes: [{ name: own, emptyDir: {} }],
      },
    });
    const account = await scope.current({ resource: accounts, name: 'default', namespace });
    return { place, spec: at(await scope.current(pod), 'spec'), secrets: objects(at(account, 'secrets')) };
  },
};

type Mounts = Awaited<ReturnType<typeof mountPerformers.tokenMounts>>;

const objects = (list: unknown): JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : []);

/** The volumes that a container has at the place. */
function volumesAt({ place, spec }: Mounts, container: string): unknown[] {
  const found = objects(at(spec, 'containers')).find(({ name }) => name === container);
  return objects(found?.volumeMounts)
    .filter(({ mountPath }) => mountPath === place)
    .map(({ name }) => name);
}

export const mountChecks = {
  'pod-mount': (record: Mounts) => {
    const { spec, secrets, place } = record;
    const names = secrets.map(({ name }) => name);
    for (const container of ['first', 'second']) {
      const [volume, ...more] = volumesAt(record, container);
      if (volume === undefined || more.length > 0)
        fail(`container ${container}: ${more.length === 0 ? 'no' : 'more than one'} volume at ${place}`);
      const secret = at(
        objects(at(spec, 'volumes')).find(({ name }) => name === volume),
        'secret',
        'secretName',
      );
      if (!names.includes(secret)) fail(`the volume at ${place} is ${brief(secret)}, and not one of ${brief(names)}`);
    }
  },
  'pod-mount-own': (record: Mounts) => {
    const volumes = volumesAt(record, 'own');
    equal(volumes.join(), own, `the volumes at ${record.place} of a container that has one there`);
  },
};
