// The subject sets of the proxy chapter: HTTP to pods, services and nodes, by the new paths and the legacy paths.
import type { Operation } from '../api/index.js';
import { type OperationSubject, perOperation, perVariant, type Subject, withVerbs } from './build.js';

const running = (operations: readonly Operation[]): OperationSubject[] =>
  perOperation(operations).map((subject) => ({ ...subject, node: 'running' }));

const proxies = withVerbs('proxy', 'proxyPath');
const legacy = withVerbs('legacyProxy', 'legacyProxyPath');
const of = (operations: readonly Operation[], plural: string): Operation[] =>
  operations.filter(({ resource }) => resource?.plural === plural);
const gets = (operations: readonly Operation[]): Operation[] => operations.filter(({ method }) => method === 'GET');

export const proxySets = {
  podProxies: running(of(proxies, 'pods')),
  serviceProxies: running(of(proxies, 'services')),
  nodeProxies: running(of(proxies, 'nodes')),
  legacyPodProxies: running(of(legacy, 'pods')),
  legacyServiceProxies: running(of(legacy, 'services')),
  legacyNodeProxies: running(of(legacy, 'nodes')),
  pathProxies: running(withVerbs('proxyPath', 'legacyProxyPath')),
  queriedProxies: running(withVerbs('proxyPath')),
  bareProxies: running(withVerbs('proxy')),
  answeredProxies: perVariant(gets(withVerbs('proxyPath', 'legacyProxyPath')), [
    'text',
    'bytes that are no text',
    'no body',
    'compressed',
    'megabytes',
  ]).map((subject) => ({ ...subject, node: 'running' as const })),
  passingProxies: running(gets(withVerbs('proxyPath', 'legacyProxyPath'))),
  servicePlaces: running(gets(of(withVerbs('proxyPath'), 'services'))),
  podPlaces: running(gets(of(withVerbs('proxyPath'), 'pods'))),
  absentProxies: perOperation(gets([...proxies, ...legacy])),
} as const satisfies Record<string, readonly Subject[]>;
