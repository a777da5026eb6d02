// Keeps the APIServices of the groups that definitions make.
import type { Controller } from '../../controllers/controller.js';
import type { KubeObject } from '../../schema/object.js';
import { definitionSpecOf, definitionsId, isTrue } from '../customresources/definition.js';
import { type ApiServices, type ApiVersion, apiServiceNameOf, dropApi, placeApi } from './ownApis.js';

/** Returns the versions that a definition serves. */
function servedBy(definition: KubeObject): readonly ApiVersion[] {
  const { group, versions } = definitionSpecOf(definition);
  const served = isTrue(definition, 'Established') ? versions.filter((version) => version.served) : [];
  return served.map(({ name }) => ({ group, version: name }));
}

export class DefinedApis {
  /** The group versions by definition, each by the name of its APIService. */
  readonly #known = new Map<string, ReadonlyMap<string, ApiVersion>>();

  constructor(readonly apiServices: ApiServices) {}

  get controller(): Controller {
    return {
      name: 'apiservices-of-definitions',
      feature: 'custom-resources',
      resource: definitionsId,
      reconcile: async (definition) => {
        await this.#set(definition, servedBy(definition));
        return undefined;
      },
      forget: (definition) => this.#set(definition, []),
    };
  }

  /** Puts back the APIService with a name, if a definition needs it. */
  async restore(name: string): Promise<void> {
    const [needed] = [...this.#known.values()].flatMap((versions) => versions.get(name) ?? []);
    if (needed !== undefined) await placeApi(this.apiServices, needed, 'true');
  }

  async #set({ metadata: { name = '' } }: KubeObject, versions: readonly ApiVersion[]): Promise<void> {
    const before = this.#known.get(name);
    const now = new Map(versions.map((each) => [apiServiceNameOf(each), each]));
    if (now.size === 0) this.#known.delete(name);
    else this.#known.set(name, now);
    for (const [id, each] of now) if (!before?.has(id)) await placeApi(this.apiServices, each, 'true');
    for (const [id, each] of before ?? []) {
      const isNeeded = [...this.#known.values()].some((others) => others.has(id));
      if (!isNeeded) await dropApi(this.apiServices, each);
    }
  }
}
