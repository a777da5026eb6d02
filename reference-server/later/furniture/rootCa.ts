// Keeps the certificate authority of the server in each namespace, for its pods.
import type { Controller } from '../../controllers/controller.js';
import type { Store } from '../../registry/store.js';
import { equal } from '../../schema/object.js';
import { unless, unlessGone } from '../../statusError.js';

const name = 'kube-root-ca.crt';
const description = 'The certificate authority of this API server, for pods that reach it by its service.';

/** Creates the ConfigMap of each namespace, and puts it right when a client has changed or deleted it. */
export const rootCaPublisher = (
  configMaps: Pick<Store, 'find' | 'create' | 'updateInternally'>,
  rootCa: string,
): Controller => ({
  name: 'root-ca-certificate-publisher',
  feature: 'root-ca-configmap',
  resource: 'core/namespaces',
  sources: [
    {
      resource: 'core/configmaps',
      concerned: ({ metadata }) =>
        metadata.name === name ? [{ namespace: undefined, name: metadata.namespace ?? '' }] : [],
    },
  ],
  async reconcile({ metadata: { name: namespace = '', deletionTimestamp } }) {
    if (deletionTimestamp !== undefined) return undefined;
    const data = { 'ca.crt': rootCa };
    const found = await configMaps.find({ namespace, name });
    if (found === undefined) {
      const annotations = { 'kubernetes.io/description': description };
      const metadata = { name, annotations };
      await configMaps
        .create(namespace, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data })
        .catch(unless(403, 404, 409));
    } else if (!equal(found.value.data, data)) {
      const put = (current: typeof found.value) => ({ ...current, data });
      await configMaps.updateInternally({ namespace, name }, put).catch(unlessGone);
    }
    return undefined;
  },
});
