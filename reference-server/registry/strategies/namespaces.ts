// Namespaces: born Active with a finalizer, Terminating until what is in them is gone.
import { forbidden } from '../../errors.js';
import { type KubeObject, part } from '../../schema/object.js';
import { resourceRow } from '../addresses.js';
import type { Causes } from '../causes.js';
import { createDefaultAccount } from '../defaultAccount.js';
import { dns1123Label } from '../formats.js';
import { validateFinalizers } from '../metadata.js';
import type { Strategy } from '../strategy.js';

/** Namespaces that the server needs for itself. */
export const immortal: readonly string[] = ['default', 'kube-system', 'kube-public'];

/** The finalizer that stands for the contents. */
export const contentsFinalizer = 'kubernetes';

interface NamespaceSpec {
  readonly finalizers?: readonly string[];
}

const finalizersOf = (namespace: KubeObject) => part<NamespaceSpec>(namespace, 'spec').finalizers ?? [];

export const namespaces: Strategy = {
  name: dns1123Label,
  deleteAnswersObject: true,
  initialStatus: () => ({ phase: 'Active' }),

  prepareCreate(draft) {
    const { finalizers = [] } = part<NamespaceSpec>(draft, 'spec');
    const own = finalizers.includes(contentsFinalizer) ? finalizers : [...finalizers, contentsFinalizer];
    draft.spec = { ...part<NamespaceSpec>(draft, 'spec'), finalizers: own };
  },

  // Only a finalize changes the finalizers.
  prepareUpdate: (next, current) => ({
    ...next,
    spec: { ...(next.spec as object), finalizers: finalizersOf(current) },
  }),

  validate: validateContents,
  validateStatus(next, current, causes) {
    validateContents(next, causes);
    const { phase } = part<{ phase?: string }>(next, 'status');
    const deleted = current.metadata.deletionTimestamp !== undefined;
    if (!deleted && phase !== 'Active') {
      causes.invalid('status.Phase', phase ?? '', "may only be 'Active' if `deletionTimestamp` is empty");
    }
    if (deleted && phase !== 'Terminating') {
      causes.invalid('status.Phase', phase ?? '', "may only be 'Terminating' if `deletionTimestamp` is not empty");
    }
  },

  created: ({ metadata: { name = '' } }, registry) => createDefaultAccount(registry, name),

  checkDelete({ metadata: { name = '' } }) {
    if (immortal.includes(name)) {
      throw forbidden(resourceRow('core/namespaces'), name, 'this namespace may not be deleted');
    }
  },

  terminating: (namespace) => ({ ...namespace, status: { phase: 'Terminating' } }),
  // A client can take the finalizer away that stands for the contents; they go before the namespace all the same.
  waits: (namespace, emptied) => !emptied || finalizersOf(namespace).length > 0,
};

function validateContents(namespace: KubeObject, causes: Causes): void {
  validateFinalizers('spec.finalizers', finalizersOf(namespace), causes);
}
