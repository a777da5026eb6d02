// Checks whether the servers of other APIs answer, and says so in the status of each APIService.
import type { ConnectionOptions } from 'node:tls';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Objects } from '../../connect/target.js';
import type { Controller } from '../../controllers/controller.js';
import type { ApiResource } from '../../discovery/resources.js';
import type { Store } from '../../registry/store.js';
import { equal, isRecord, type KubeObject, part } from '../../schema/object.js';
import { StatusError, unlessGone } from '../../statusError.js';
import { withCondition } from '../conditions.js';
import type { ServiceAddresses, ServicePort } from '../webhooks/serviceAddress.js';
import { callError } from '../webhooks/words.js';
import {
  type ApiServiceCondition,
  type ApiServiceSpec,
  apiServiceSpecOf,
  apiServicesId,
  backendOf,
  conditionsOf,
} from './apiService.js';
import type { Documents } from './documents.js';
import { readFrom } from './remoteCall.js';
import type { Remotes } from './remotes.js';

/** How soon an API is checked again, in milliseconds: real servers do so every 30 s. */
const whenAvailable = 30_000;
const whenNot = 2_000;
/** How long a check may take. */
const checkMillis = 5_000;

/** The user of checks. */
const aggregator = { name: 'system:kube-aggregator', groups: ['system:masters'] };
/** The user who reads the OpenAPI documents. */
const documentReader = { name: 'system:aggregator', groups: [] };

interface Verdict extends Pick<ApiServiceCondition, 'status'> {
  readonly reason: string;
  readonly message: string;
  /** The entries in discovery of an API that answers. */
  readonly resources?: readonly ApiResource[];
}

export interface Parts {
  readonly apiServices: Pick<Store, 'find' | 'updateInternally'>;
  readonly registry: Objects;
  readonly addresses: ServiceAddresses;
  readonly remotes: Remotes;
  readonly documents: Documents;
  readonly now: () => Date;
  /** Called for the name of an APIService that is gone. */
  gone(name: string): Promise<void>;
  /** The TLS options of a connection to the server of an API. */
  tlsOf(spec: ApiServiceSpec): Promise<ConnectionOptions>;
}

export function availabilityController(parts: Parts): Controller {
  const { remotes } = parts;
  const ofService = ({ metadata: { namespace = '', name = '' } }: KubeObject) =>
    remotes.namesFor(namespace, name).map((found) => ({ namespace: undefined, name: found }));
  return {
    name: 'apiservice-availability',
    resource: apiServicesId,
    runsEverywhere: true,
    sources: [
      { resource: 'core/services', concerned: ofService },
      { resource: 'core/endpoints', concerned: ofService },
    ],
    async reconcile(apiService) {
      const { name = '', uid } = apiService.metadata;
      const spec = apiServiceSpecOf(apiService);
      const backend = backendOf(spec);
      if (backend === undefined) {
        remotes.delete(name);
        await tell(parts, apiService, local);
        return undefined;
      }
      const verdict = await verdictOn(spec, backend, parts);
      const isAvailable = verdict.status === 'True';
      const before = remotes.at(spec.group ?? '', spec.version ?? '');
      remotes.set(name, { uid, spec, isAvailable, resources: verdict.resources ?? before?.resources ?? [] });
      await tell(parts, apiService, verdict);
      if (isAvailable) readDocuments(name, spec, backend, parts);
      return isAvailable ? whenAvailable : whenNot;
    },
    async forget({ metadata: { name = '', uid } }) {
      remotes.forget(name, uid);
      await parts.gone(name);
    },
  };
}

const local: Verdict = { status: 'True', reason: 'Local', message: 'Local APIServices are always available' };

/** Writes the condition, unless the status has it. */
async function tell({ apiServices, now }: Parts, given: KubeObject, verdict: Verdict): Promise<void> {
  const { status, reason, message } = verdict;
  const { name = '', uid } = given.metadata;
  const told = (current: KubeObject): KubeObject => {
    const before = conditionsOf(current);
    const conditions = withCondition(before, { type: 'Available', status, reason, message }, now());
    if (equal(before, conditions) || current.metadata.uid !== uid) return current;
    return { ...current, status: { ...part<object>(current, 'status'), conditions } };
  };
  if (told(given) === given) return;
  await apiServices.updateInternally({ namespace: undefined, name }, told, { part: 'status' }).catch(unlessGone);
}

const failing = (reason: string, message: string): Verdict => ({ status: 'False', reason, message });

async function verdictOn(spec: ApiServiceSpec, backend: ServicePort, parts: Parts): Promise<Verdict> {
  const { namespace, name } = backend;
  const what = `service/${name} in ${JSON.stringify(namespace)}`;
  const service = (await parts.registry.of('core/services').find({ namespace, name }))?.value;
  if (service === undefined) return failing('ServiceNotFound', `${what} is not present`);
  const missing = await missingEndpoints(service, backend, what, parts);
  if (missing !== undefined) return missing;
  try {
    const resources = await discovered(spec, backend, parts);
    return { status: 'True', reason: 'Passed', message: 'all checks passed', resources };
  } catch (error) {
    return failing('FailedDiscoveryCheck', error instanceof Error ? error.message : String(error));
  }
}

/** Returns what a service of pods lacks; undefined if it lacks nothing. */
async function missingEndpoints(
  service: KubeObject,
  { namespace, name, port }: ServicePort,
  what: string,
  { registry }: Parts,
): Promise<Verdict | undefined> {
  const { type = 'ClusterIP', ports = [] } = part<ObjectOf<'ServiceSpec'>>(service, 'spec');
  if (type !== 'ClusterIP') return undefined;
  const found = ports.find((each) => each.port === port);
  if (found === undefined) return failing('ServicePortError', `${what} is not listening on port ${port}`);
  const endpoints = (await registry.of('core/endpoints').find({ namespace, name }))?.value;
  if (endpoints === undefined) return failing('EndpointsNotFound', `cannot find endpointslices for ${what}`);
  const portName = found.name ?? '';
  const subsets = (endpoints.subsets ?? []) as readonly ObjectOf<'EndpointSubset'>[];
  const isThere = subsets.some(
    ({ addresses = [], ports: exposed = [] }) =>
      addresses.length > 0 && exposed.some((each) => (each.name ?? '') === portName),
  );
  if (isThere) return undefined;
  const why = `endpointslices for ${what} have no addresses with port name ${JSON.stringify(portName)}`;
  return failing('MissingEndpoints', why);
}

/** Returns the entries of an API in discovery. Throws an Error in the words of real servers. */
async function discovered(
  spec: ApiServiceSpec,
  backend: ServicePort,
  { addresses, tlsOf }: Parts,
): Promise<readonly ApiResource[]> {
  const destination = await addresses.of(backend);
  const path = pathOf(spec);
  const url = `https://${destination.address.host}:${destination.address.port}/${path}`;
  const signal = AbortSignal.timeout(checkMillis);
  let status: number;
  let text: string;
  try {
    const call = { path: `/${path}`, sender: aggregator, tls: await tlsOf(spec), signal };
    ({ status, text } = await readFrom(destination, call));
  } catch (error) {
    const why = error instanceof StatusError ? error : callError(url, error, 'Get');
    throw new Error(`failing or missing response from ${url}: ${why.message}`);
  }
  if (status < 200 || status > 299) {
    throw new Error(`failing or missing response from ${url}: bad status from ${url}: ${status}`);
  }
  return resourcesIn(text);
}

const pathOf = ({ group, version }: ApiServiceSpec): string => `apis/${group}/${version}`;

/** Begins to read the documents of an API: it is available without them. */
function readDocuments(name: string, spec: ApiServiceSpec, backend: ServicePort, parts: Parts): void {
  const { documents, addresses, tlsOf } = parts;
  documents.refresh(name, pathOf(spec), async (path, signal, tag) =>
    readFrom(await addresses.of(backend), { path, sender: documentReader, tls: await tlsOf(spec), signal, tag }),
  );
}

/** Returns the entries of a list of resources; none if the text is something else. */
function resourcesIn(text: string): readonly ApiResource[] {
  try {
    const list: unknown = JSON.parse(text);
    const entries: unknown = isRecord(list) ? list.resources : undefined;
    return Array.isArray(entries)
      ? entries.filter((entry) => isRecord(entry) && typeof entry.name === 'string' && Array.isArray(entry.verbs))
      : [];
  } catch {
    return [];
  }
}
