// The policies of a kind with their bindings: those that have any are asked about requests.

import type { Plugin } from '../../admission/plugin.js';
import type { Controller } from '../../controllers/controller.js';
import type { Registry } from '../../registry/registry.js';
import type { KubeObject } from '../../schema/object.js';
import { Configurations } from '../admission/configurations.js';
import { CompiledPolicy } from './compiled.js';
import { type BindingSpec, bindingSpecOf, type PolicyIds, type PolicySpec, policySpecOf } from './policy.js';

export interface Binding {
  readonly name: string;
  readonly spec: BindingSpec;
}

export interface Policy {
  readonly name: string;
  readonly spec: PolicySpec;
  readonly compiled: CompiledPolicy;
}

/** A policy with its bindings, of which it has at least one. */
export interface BoundPolicy extends Policy {
  readonly bindings: readonly Binding[];
}

export class RegisteredPolicies {
  readonly #policies: Configurations<Policy>;
  readonly #bindings: Configurations<Binding>;
  #bound: readonly BoundPolicy[] = [];
  #boundOf: readonly [readonly Policy[], readonly Binding[]] | undefined;

  constructor(registry: Registry, { policies, bindings }: PolicyIds) {
    this.#policies = new Configurations(policies, registry.of(policies), (policy) => [policyOf(policy)]);
    this.#bindings = new Configurations(bindings, registry.of(bindings), (binding) => [
      { name: binding.metadata.name ?? '', spec: bindingSpecOf(binding) },
    ]);
  }

  /** In the order of their names. */
  get bound(): readonly BoundPolicy[] {
    const [policies, bindings] = [this.#policies.items, this.#bindings.items];
    if (this.#boundOf?.[0] !== policies || this.#boundOf[1] !== bindings) {
      this.#boundOf = [policies, bindings];
      this.#bound = policies.flatMap((policy) => {
        const own = bindings.filter(({ spec }) => spec.policyName === policy.name);
        return own.length === 0 ? [] : [{ ...policy, bindings: own }];
      });
    }
    return this.#bound;
  }

  get controllers(): readonly Controller[] {
    return this.#both.map(({ controller }) => controller);
  }

  get learning(): readonly Plugin[] {
    return this.#both.map(({ learning }) => learning);
  }

  /** Learns all that is stored. Call it before the server takes requests. */
  async start(): Promise<void> {
    for (const each of this.#both) await each.start();
  }

  get #both() {
    return [this.#policies, this.#bindings] as const;
  }
}

function policyOf(policy: KubeObject): Policy {
  let made: CompiledPolicy | undefined;
  return {
    name: policy.metadata.name ?? '',
    spec: policySpecOf(policy),
    // A policy without bindings, or for other requests, is never compiled.
    get compiled() {
      made ??= new CompiledPolicy(policy);
      return made;
    },
  };
}
