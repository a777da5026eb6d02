// Webhook configurations as code reads them: their resources, their defaults, and how their kinds differ from others.
import { type Resource, resourceId } from '../../../matrix/api/index.js';
import { laterResources } from '../../../matrix/api/modern/resources.js';
import type { Strategy } from '../../registry/strategy.js';
import type { FieldDefaults } from '../../schema/defaults.js';
import { checkConfiguration } from './configurationRules.js';

export const mutatingId = 'admissionregistration.k8s.io/mutatingwebhookconfigurations';
export const validatingId = 'admissionregistration.k8s.io/validatingwebhookconfigurations';

const isConfiguration = (resource: Resource): boolean => [mutatingId, validatingId].includes(resourceId(resource));

export const configurationResources = laterResources.filter(isConfiguration);

const selectors = { namespaceSelector: () => ({}), objectSelector: () => ({}) };
const usual = { failurePolicy: 'Fail', matchPolicy: 'Equivalent', ...selectors, timeoutSeconds: 10 };

export const configurationDefaults: FieldDefaults = {
  'admissionregistration.v1.MutatingWebhook': { ...usual, reinvocationPolicy: 'Never' },
  'admissionregistration.v1.ValidatingWebhook': usual,
  'admissionregistration.v1.RuleWithOperations': { scope: '*' },
  'admissionregistration.v1.ServiceReference': { port: 443 },
};

export const configurationStrategy: Strategy = {
  generation: 'content',
  needsRevision: true,
  validate: (configuration, causes) => checkConfiguration(configuration, causes),
};
