// Namespaces: a new one is Active and has a finalizer; a deleted one is Terminating until its contents are gone.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { forbidden } from '../../errors.js';
import type { Causes } from '../../schema/causes.js';
import { dns1123Label } from '../../schema/formats.js';
import { type KubeObject, part } from '../../schema/object.js';
import { resourceRow } from '../../versions/addresses.js';
import { validateFinalizers } from '../metadata.js';
import type { Strategy } from '../strategy.js';

/** Namespaces that the server needs. */
export const protectedNamespaces: readonly string[] = ['default', 'kube-system', 'kube-public'];

/** The finalizer that a namespace has until its contents are removed. */
export const contentsFinalizer = 'kubernetes';

const finalizersOf = (namespace: KubeObject) => part<ObjectOf<'NamespaceSpec'>>(namespace, 'spec').finalizers ?? [];

export const namespaces: Strategy = {
  name: dns1123Label,
  deleteAnswersObject: true,
  initialStatus: () => ({ phase: 'Active' }),

  prepareCreate(object) {
    const { finalizers = [] } = part<ObjectOf<'NamespaceSpec'>>(object, 'spec');
    const own = finalizers.includes(contentsFinalizer) ? finalizers : [...finalizers, contentsFinalizer];
    object.spec = { ...part<object>(object, 'spec'), finalizers: own };
  },

  // Only the finalize subresource changes the finalizers.
  prepareUpdate: (next, current) => ({
    ...next,
    spec: { ...(next.spec as object), finalizers: finalizersOf(current) },
  }),

  validate: validateContents,
  validateStatus(next, current, causes) {
    validateContents(next, causes);
    const { phase } = part<ObjectOf<'NamespaceStatus'>>(next, 'status');
    const deleted = current.metadata.deletionTimestamp !== undefined;
    if (!deleted && phase !== 'Active') {
      causes.invalid('status.Phase', phase ?? '', "may only be 'Active' if `deletionTimestamp` is empty");
    }
    if (deleted && phase !== 'Terminating') {
      causes.invalid('status.Phase', phase ?? '', "may only be 'Terminating' if `deletionTimestamp` is not empty");
    }
  },

  checkDelete({ metadata: { name = '' } }) {
    if (protectedNamespaces.includes(name)) {
      throw forbidden(resourceRow('core/namespaces'), name, 'this namespace may not be deleted');
    }
  },

  terminating: (namespace) => ({ ...namespace, status: { phase: 'Terminating' } }),
  // A client can remove the contents finalizer, but the contents are still removed before the namespace.
  waits: (namespace, emptied) => !emptied || finalizersOf(namespace).length > 0,
};

function validateContents(namespace: KubeObject, causes: Causes): void {
  validateFinalizers('spec.finalizers', finalizersOf(namespace), causes);
}
