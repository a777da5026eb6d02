// Admission webhooks as an addon: their configurations, and the plug-in that asks them about the requests that change objects.
import { resourceId } from '../../../matrix/api/index.js';
import type { Addon } from '../../addons.js';
import type { Plugin } from '../../admission/plugin.js';
import { type AskAbout, askBefore } from './actions.js';
import { WebhookCaller, type WebhookOptions } from './caller.js';
import type { Evaluate } from './conditions.js';
import {
  configurationDefaults,
  configurationResources,
  configurationStrategy,
  mutatingId,
  validatingId,
} from './configuration.js';
import { Configurations } from './configurations.js';
import { Dispatcher } from './dispatch.js';
import { subjectOf } from './subject.js';

/** `evaluate` returns the value of an expression in a condition. */
export function webhooks(options: WebhookOptions, evaluate: Evaluate): Addon {
  let asking: Asking | undefined;
  return {
    feature: 'admission-webhooks',
    kinds: configurationResources.map((resource) => ({ resource, strategy: configurationStrategy })),
    defaults: configurationDefaults,
    partsOf({ ownRegistry: registry, served }) {
      const mutating = new Configurations(mutatingId, registry.of(mutatingId));
      const validating = new Configurations(validatingId, registry.of(validatingId));
      const dispatcher = new Dispatcher(new WebhookCaller(options, registry), {
        namespaces: registry.of('core/namespaces'),
        resources: () => served.all,
        evaluate,
      });
      asking = { mutating, validating, dispatcher };
      return {
        controllers: [mutating.controller, validating.controller],
        admission: [plugin(asking), ...[mutating, validating].map(learning)],
        async start() {
          for (const each of [mutating, validating]) await each.start();
        },
      };
    },
    serve({ handlers }) {
      if (asking !== undefined) askBefore(handlers, areThereAny(asking), aboutAction(asking));
      return { close: () => asking?.dispatcher.caller.stop() };
    },
  };
}

interface Asking {
  readonly mutating: Configurations;
  readonly validating: Configurations;
  readonly dispatcher: Dispatcher;
}

const areThereAny =
  ({ mutating, validating }: Asking) =>
  (): boolean =>
    mutating.webhooks.length > 0 || validating.webhooks.length > 0;

const aboutAction =
  ({ mutating, validating, dispatcher }: Asking): AskAbout =>
  async (subject, object) => {
    const { object: first, again } = await dispatcher.revise(mutating.webhooks, subject, object);
    const revised = first !== undefined && again !== undefined ? await again(first, false) : (first ?? object);
    await dispatcher.review(validating.webhooks, subject, revised);
    return revised;
  };

const ids = configurationResources.map(resourceId);

/** Webhooks are not asked about their own configurations: a broken one could not be repaired. */
const plugin = ({ mutating, validating, dispatcher }: Asking): Plugin => ({
  resources: [],
  shows: (stored) => (mutating.webhooks.length > 0 || validating.webhooks.length > 0) && !ids.includes(stored),
  async revise(change) {
    const { object, again } = await dispatcher.revise(mutating.webhooks, subjectOf(change), change.object);
    if (object === undefined) throw new Error('a change without an object is not revised');
    return { object, ...(again && { again }) };
  },
  async review(change) {
    const subject = subjectOf(change);
    if (change.operation === 'DELETE') await dispatcher.revise(mutating.webhooks, subject, undefined);
    await dispatcher.review(validating.webhooks, subject, change.object);
  },
});

/** A configuration takes effect when the response is sent; the controller tells of those of other servers. */
const learning = (configurations: Configurations): Plugin => ({
  resources: [configurations.id],
  updatesOf: [configurations.id],
  async reserve({ object, dryRun }) {
    return async (written) => {
      const entry =
        written && !dryRun
          ? await configurations.store.find({ namespace: undefined, name: object.metadata.name ?? '' })
          : undefined;
      if (entry !== undefined) configurations.set(entry.value);
    };
  },
});
