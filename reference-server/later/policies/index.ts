// Policies of admission as an addon: ValidatingAdmissionPolicies and MutatingAdmissionPolicies, with their bindings.
import type { Addon } from '../../addons.js';
import { authorizer, type Decide } from '../../authorization/authorizer.js';
import type { Actions } from '../webhooks/actions.js';
import { type Asker, pluginOf } from '../webhooks/asker.js';
import type { Cluster } from './invocations.js';
import { policyDefaults, policyKinds } from './kinds.js';
import { revise } from './mutating.js';
import { paramRights } from './paramRights.js';
import { mutatingIds, type PolicyIds, validatingIds } from './policy.js';
import { RegisteredPolicies } from './registered.js';
import { typeCheckController } from './typeChecking.js';
import { review } from './validating.js';

export function policies(actions: Actions): Addon {
  let { decide }: { decide: Decide } = authorizer('AlwaysAllow');
  return {
    feature: 'admission-policies',
    kinds: policyKinds,
    defaults: policyDefaults,
    partsOf({ ownRegistry: registry, served }) {
      const mutating = new RegisteredPolicies(registry, mutatingIds);
      const validating = new RegisteredPolicies(registry, validatingIds);
      const cluster: Cluster = {
        namespaces: registry.of('core/namespaces'),
        resources: () => served.all,
        of: (resource) => registry.of(resource),
        decide: () => decide,
      };
      const asker: Asker = {
        isThere: () => mutating.bound.length > 0 || validating.bound.length > 0,
        revise: (subject, object) => revise(mutating.bound, subject, object, cluster),
        review: (subject, object) => review(validating.bound, subject, object, cluster),
      };
      actions.add(asker);
      const rights = (ids: PolicyIds) => {
        const policies = registry.of(ids.policies);
        const find = async (name: string) => (await policies.find({ namespace: undefined, name }))?.value;
        return paramRights(ids, find, cluster);
      };
      return {
        controllers: [
          ...mutating.controllers,
          ...validating.controllers,
          typeCheckController(registry.of(validatingIds.policies), cluster),
        ],
        admission: [
          pluginOf(asker),
          rights(mutatingIds),
          rights(validatingIds),
          ...mutating.learning,
          ...validating.learning,
        ],
        async start() {
          for (const each of [mutating, validating]) await each.start();
        },
      };
    },
    serve({ handlers, cluster, options: { authorizationMode } }) {
      ({ decide } = cluster?.authorizer ?? authorizer(authorizationMode));
      actions.attach(handlers);
      return {};
    },
  };
}
