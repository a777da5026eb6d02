// Admission webhooks as an addon: their configurations, and the plug-in that asks them about the requests that change objects.
import type { Addon } from '../../addons.js';
import { authorizer, type Decide } from '../../authorization/authorizer.js';
import type { KubeObject } from '../../schema/object.js';
import { Configurations } from '../admission/configurations.js';
import type { Actions } from './actions.js';
import { type Asker, pluginOf } from './asker.js';
import { WebhookCaller, type WebhookOptions } from './caller.js';
import type { Evaluate } from './conditions.js';
import {
  configurationDefaults,
  configurationResources,
  configurationStrategy,
  mutatingId,
  validatingId,
} from './configuration.js';
import type { Webhook } from './configurationRules.js';
import { Dispatcher, type Registered } from './dispatch.js';

/** `evaluate` returns the value of an expression in a condition. */
export function webhooks(options: WebhookOptions, evaluate: Evaluate, actions: Actions): Addon {
  let stop = (): void => {};
  let { decide }: { decide: Decide } = authorizer('AlwaysAllow');
  return {
    feature: 'admission-webhooks',
    kinds: configurationResources.map((resource) => ({ resource, strategy: configurationStrategy })),
    defaults: configurationDefaults,
    partsOf({ ownRegistry: registry, served }) {
      const caller = new WebhookCaller(options, registry);
      stop = () => caller.stop();
      const surroundings = { namespaces: registry.of('core/namespaces'), resources: () => served.all };
      const dispatcher = new Dispatcher(caller, surroundings, { evaluate, decide: () => decide });
      const all = [mutatingId, validatingId].map((id) => new Configurations(id, registry.of(id), webhooksOf));
      const [mutating, validating] = all as [Configurations<Registered>, Configurations<Registered>];
      const asker: Asker = {
        isThere: () => all.some(({ items }) => items.length > 0),
        revise: (subject, object) => dispatcher.revise(mutating.items, subject, object),
        review: (subject, object) => dispatcher.review(validating.items, subject, object),
      };
      actions.add(asker);
      return {
        controllers: all.map(({ controller }) => controller),
        admission: [pluginOf(asker), ...all.map(({ learning }) => learning)],
        async start() {
          for (const each of all) await each.start();
        },
      };
    },
    serve({ handlers, cluster, options: { authorizationMode } }) {
      ({ decide } = cluster?.authorizer ?? authorizer(authorizationMode));
      actions.attach(handlers);
      return { close: () => stop() };
    },
  };
}

function webhooksOf(configuration: KubeObject): readonly Registered[] {
  const { metadata, webhooks = [] } = configuration as KubeObject & { readonly webhooks?: readonly Webhook[] };
  return webhooks.map((webhook) => ({ configuration: metadata.name ?? '', webhook }));
}
