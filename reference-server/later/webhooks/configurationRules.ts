// The rules of webhook configurations.
import { X509Certificate } from 'node:crypto';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { certificatesIn } from '../../authentication/pem.js';
import { validateSelector } from '../../registry/strategies/labelSelector.js';
import type { Causes } from '../../schema/causes.js';
import { dns1035Label, dns1123Subdomain, qualifiedName } from '../../schema/formats.js';
import type { KubeObject } from '../../schema/object.js';
import { admissionExpression, type Names } from '../cel/admission.js';
import { readUrl } from './urls.js';

/** A webhook of either kind of configuration. */
export type Webhook = ObjectOf<'admissionregistration.v1.MutatingWebhook'>;

type RuleWithOperations = ObjectOf<'admissionregistration.v1.RuleWithOperations'>;
type ServiceReference = ObjectOf<'admissionregistration.v1.ServiceReference'>;

/** Where a webhook is, and who signs its certificate. */
export interface ClientConfig {
  readonly url?: string;
  readonly service?: Partial<ServiceReference>;
  readonly caBundle?: string;
}

/** The versions of reviews that the server can send, best first. */
export const reviewVersions: readonly string[] = ['v1', 'v1beta1'];

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const mostConditions = 64;

/** Checks a MutatingWebhookConfiguration or a ValidatingWebhookConfiguration. */
export function checkConfiguration(configuration: KubeObject, causes: Causes): void {
  const { webhooks = [] } = configuration as { webhooks?: readonly Webhook[] };
  const names = new Set<string>();
  for (const [index, webhook] of webhooks.entries()) {
    const at = `webhooks[${index}]`;
    checkWebhook(webhook, at, causes);
    const versions = webhook.admissionReviewVersions ?? [];
    checkReviewVersions(
      versions,
      `${at}.admissionReviewVersions`,
      causes,
      `must specify one of ${reviewVersions.join(', ')}`,
    );
    if (webhook.name && names.has(webhook.name)) causes.duplicate(`${at}.name`, webhook.name);
    names.add(webhook.name);
  }
}

function checkWebhook(webhook: Webhook, at: string, causes: Causes): void {
  const { name, rules = [], sideEffects, timeoutSeconds = 10, namespaceSelector, objectSelector } = webhook;
  causes.named(`${at}.name`, name, dns1123Subdomain);
  if (name && dns1123Subdomain(name).length === 0 && name.split('.').length < 3) {
    causes.invalid(`${at}.name`, name, 'should be a domain with at least three segments separated by dots');
  }
  for (const [index, rule] of rules.entries()) checkRule(rule, `${at}.rules[${index}]`, causes);
  causes.oneOf(`${at}.failurePolicy`, webhook.failurePolicy, ['Fail', 'Ignore']);
  causes.oneOf(`${at}.matchPolicy`, webhook.matchPolicy, ['Equivalent', 'Exact']);
  if (!sideEffects) causes.required(`${at}.sideEffects`, 'must specify one of None, NoneOnDryRun');
  else causes.oneOf(`${at}.sideEffects`, sideEffects, ['None', 'NoneOnDryRun']);
  if (timeoutSeconds < 1 || timeoutSeconds > 30) {
    causes.invalid(`${at}.timeoutSeconds`, timeoutSeconds, 'the timeout value must be between 1 and 30 seconds');
  }
  if (namespaceSelector) validateSelector(`${at}.namespaceSelector`, namespaceSelector, causes);
  if (objectSelector) validateSelector(`${at}.objectSelector`, objectSelector, causes);
  causes.oneOf(`${at}.reinvocationPolicy`, webhook.reinvocationPolicy, ['IfNeeded', 'Never']);
  checkClient(webhook.clientConfig ?? {}, `${at}.clientConfig`, causes);
  checkConditions(webhook.matchConditions ?? [], `${at}.matchConditions`, causes);
}

export function checkRule(rule: RuleWithOperations, at: string, causes: Causes): void {
  const { apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  const given: readonly string[] = rule.operations ?? [];
  checkList(given, `${at}.operations`, 'operations', causes);
  for (const [index, operation] of given.entries()) causes.oneOf(`${at}.operations[${index}]`, operation, operations);
  checkList(apiGroups, `${at}.apiGroups`, 'API groups', causes);
  checkList(apiVersions, `${at}.apiVersions`, 'API versions', causes);
  for (const [index, version] of apiVersions.entries()) if (!version) causes.required(`${at}.apiVersions[${index}]`);
  checkResources(resources, `${at}.resources`, causes);
  causes.oneOf(`${at}.scope`, scope, ['*', 'Cluster', 'Namespaced']);
}

/** Requires a list with items, and with nothing beside `*`. */
function checkList(list: readonly string[], field: string, what: string, causes: Causes): void {
  if (list.length === 0) causes.required(field);
  if (list.length > 1 && list.includes('*')) {
    causes.invalid(field, list, `if '*' is present, must not specify other ${what}`);
  }
}

function checkResources(resources: readonly string[], field: string, causes: Causes): void {
  if (resources.length === 0) causes.required(field);
  const wholeResources = new Set<string>();
  const everywhere = new Set<string>();
  for (const [index, text] of resources.entries()) {
    const at = `${field}[${index}]`;
    if (text === '') causes.required(at);
    const slash = text.indexOf('/');
    if (slash === -1) continue;
    const [resource, subresource] = [text.slice(0, slash), text.slice(slash + 1)];
    if (wholeResources.has(resource)) {
      causes.invalid(at, text, `if '${resource}/*' is present, must not specify ${text}`);
    }
    if (everywhere.has(subresource)) {
      causes.invalid(at, text, `if '*/${subresource}' is present, must not specify ${text}`);
    }
    if (subresource === '*') wholeResources.add(resource);
    if (resource === '*') everywhere.add(subresource);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    causes.invalid(field, resources, "if '*/*' is present, must not specify other resources");
  }
  // Real servers look at the last of them only.
  const last = resources.findLast((text) => text !== '' && !text.includes('/'));
  if (resources.includes('*') && last !== '*') {
    const why = "if '*' is present, must not specify other resources without subresources";
    causes.invalid(field, resources, why);
  }
}

export function checkConditions(
  conditions: readonly ObjectOf<'admissionregistration.v1.MatchCondition'>[],
  field: string,
  causes: Causes,
  names: Names = {},
): void {
  if (conditions.length > mostConditions) causes.tooMany(field, conditions.length, mostConditions);
  const seen = new Set<string>();
  for (const [index, { name, expression }] of conditions.entries()) {
    const at = `${field}[${index}]`;
    const trimmed = expression?.trim() ?? '';
    if (trimmed === '') causes.required(`${at}.expression`);
    else checkExpression(trimmed, ['bool'], names, `${at}.expression`, causes);
    causes.named(`${at}.name`, name, qualifiedName);
    if (name && seen.has(name)) causes.duplicate(`${at}.name`, name);
    seen.add(name);
  }
}

/** Checks that an expression compiles, and has a result of one of the types. */
export function checkExpression(
  expression: string,
  results: readonly string[],
  names: Names,
  field: string,
  causes: Causes,
): void {
  try {
    admissionExpression(expression, results, names);
  } catch (error) {
    causes.invalid(field, expression, error instanceof Error ? error.message : String(error));
  }
}

/** Checks the versions of reviews that a webhook takes. The server must know one of them. `hint` is for none. */
export function checkReviewVersions(versions: readonly string[], field: string, causes: Causes, hint?: string): void {
  const seen = new Set<string>();
  if (versions.length === 0) causes.required(field, hint);
  for (const [index, version] of versions.entries()) {
    if (seen.has(version)) causes.invalid(`${field}[${index}]`, version, 'duplicate version');
    else causes.format(`${field}[${index}]`, version, dns1035Label);
    seen.add(version);
  }
  if (versions.length > 0 && !versions.some((version) => reviewVersions.includes(version))) {
    causes.invalid(field, versions, `must include at least one of ${reviewVersions.join(', ')}`);
  }
}

/** Checks where a webhook is: exactly one of an https URL and a service. */
export function checkClient({ url, service }: ClientConfig, field: string, causes: Causes): void {
  if ((url === undefined) === (service === undefined)) {
    causes.required(field, 'exactly one of url or service is required');
  } else if (url !== undefined) checkUrl(url, `${field}.url`, causes);
  else if (service !== undefined) checkService(service, `${field}.service`, causes);
}

/** Returns why a bundle of authorities, PEM in base64, cannot be read; undefined if it can. */
export function bundleFault(caBundle: string): string | undefined {
  const certificates = certificatesIn(Buffer.from(caBundle, 'base64').toString());
  if (certificates.length === 0) return 'unable to parse bytes as PEM block';
  try {
    for (const certificate of certificates) new X509Certificate(certificate);
    return undefined;
  } catch {
    return 'failed to parse certificate: x509: malformed certificate';
  }
}

const form = '; desired format: https://host[/path]';

function checkUrl(text: string, field: string, causes: Causes): void {
  const url = readUrl(text);
  if ('fault' in url) {
    causes.required(field, `url must be a valid URL: parse ${JSON.stringify(text)}: ${url.fault}${form}`);
    return;
  }
  const { scheme, host, user, fragment, query } = url;
  if (scheme !== 'https') causes.invalid(field, scheme, `'https' is the only allowed URL scheme${form}`);
  if (host === '') causes.invalid(field, '', `host must be specified${form}`);
  if (user !== undefined) causes.invalid(field, user, 'user information is not permitted in the URL');
  if (fragment !== '') causes.invalid(field, fragment, 'fragments are not permitted in the URL');
  if (query !== '') causes.invalid(field, query, 'query parameters are not permitted in the URL');
}

function checkService({ name, namespace, path, port = 443 }: Partial<ServiceReference>, field: string, causes: Causes) {
  if (!name) causes.required(`${field}.name`);
  if (!namespace) causes.required(`${field}.namespace`);
  if (port < 1 || port > 65_535) {
    causes.invalid(`${field}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive');
  }
  if (path) checkPath(path, `${field}.path`, causes);
}

function checkPath(path: string, field: string, causes: Causes): void {
  if (path === '/') return;
  if (path === '//') {
    causes.invalid(field, path, 'segment[0] may not be empty');
    return;
  }
  if (!path.startsWith('/')) causes.invalid(field, path, "must start with a '/'");
  for (const [index, step] of path.slice(1).replace(/\/$/, '').split('/').entries()) {
    if (step === '') causes.invalid(field, path, `segment[${index}] may not be empty`);
    else for (const problem of dns1123Subdomain(step)) causes.invalid(field, path, `segment[${index}]: ${problem}`);
  }
}
