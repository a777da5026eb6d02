// Deployments, ReplicaSets and DaemonSets of apps/v1, stored as extensions/v1beta1.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { part } from '../../../schema/object.js';
import type { Conversion } from '../../../versions/conversion.js';

type StoredSpec = ObjectOf<'extensions.v1beta1.DeploymentSpec'> & ObjectOf<'extensions.v1beta1.DaemonSetSpec'>;

/**
 * The two versions have the same fields, but apps/v1 does not show the request for a rollback of a Deployment and the
 * number of changes of a DaemonSet's template.
 */
export const appsWorkload: Conversion = {
  fromStorage(stored) {
    const { rollbackTo: _rollbackTo, templateGeneration: _generation, ...spec } = part<StoredSpec>(stored, 'spec');
    return { ...stored, spec };
  },
  toStorage: (object) => object,
};

/** In extensions/v1beta1, a DaemonSet without an update strategy updates a pod when the pod is deleted. */
export const appsDaemonSet: Conversion = {
  fromStorage(stored) {
    const shown = appsWorkload.fromStorage(stored);
    const spec = part<StoredSpec>(shown, 'spec');
    return { ...shown, spec: { ...spec, updateStrategy: spec.updateStrategy ?? { type: 'OnDelete' } } };
  },
  toStorage: (object) => object,
};
