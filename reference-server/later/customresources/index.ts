// Custom resources as an addon: definitions, their admission, and the resources that they make.
import { resourceId } from '../../../matrix/api/index.js';
import { laterResources } from '../../../matrix/api/modern/resources.js';
import type { Addon } from '../../addons.js';
import type { Plugin } from '../../admission/plugin.js';
import { WebhookCaller, type WebhookOptions } from '../webhooks/caller.js';
import type { CallWebhook } from './conversionReviews.js';
import { CustomResources } from './customResources.js';
import { definitionsId } from './definition.js';
import { definitionStrategy } from './definitionStrategy.js';
import { definitionWarnings } from './definitionWarnings.js';
import { admit } from './validDefinitions.js';

/** The rules that need the whole schema. */
const definitionAdmission = (minor: number): Plugin => ({
  resources: [definitionsId],
  updatesOf: [definitionsId],
  validate: ({ resource: { groupVersion, kind }, object, before }) =>
    admit({ group: groupVersion.group, kind }, minor, object, before),
});

const minorOf = (kubeVersion: string): number => Number(kubeVersion.split('.')[1]);

/** How long a webhook may take for a conversion, in seconds. */
const conversionSeconds = 30;

export function customResources(options: WebhookOptions): Addon {
  let stop = (): void => {};
  return {
    feature: 'custom-resources',
    kinds: laterResources
      .filter((resource) => resourceId(resource) === definitionsId)
      .map((resource) => ({ resource, strategy: definitionStrategy })),
    grown: (stored, strategy, kubeVersion) =>
      resourceId(stored) === definitionsId
        ? { ...strategy, warnings: (next, before) => definitionWarnings(minorOf(kubeVersion), next, before) }
        : strategy,
    partsOf({ ownRegistry: registry, served, now, minor }) {
      const caller = new WebhookCaller(options, registry);
      stop = () => caller.stop();
      const call: CallWebhook = (config, review) => caller.call(config, review, conversionSeconds);
      const made = new CustomResources({ registry, served, now, minor, call });
      return { controllers: [made.controller], admission: [definitionAdmission(minor)], start: () => made.start() };
    },
    serve: () => ({ close: () => stop() }),
  };
}
