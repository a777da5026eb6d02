// Deployments, ReplicaSets and DaemonSets of apps/v1, stored as extensions/v1beta1.
import { part } from '../../../schema/object.js';
import type { Conversion } from '../../../versions/conversion.js';

interface StoredSpec {
  /** The request for a rollback of a Deployment, which apps/v1 does not show. */
  readonly rollbackTo?: object;
  /** The number of changes of a DaemonSet's template, which apps/v1 does not show. */
  readonly templateGeneration?: number;
  readonly updateStrategy?: object;
}

/** The two versions have the same fields, except for those above. */
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
