// The controllers that the server runs, and the objects that are there from the start.
import { setMaxListeners } from 'node:events';
import { StatusError } from '../errors.js';
import type { Registry } from '../registry/registry.js';
import { type Controller, type Report, run } from './controller.js';
import { defaultAccounts } from './defaultAccounts.js';
import { deploymentRevisions } from './deploymentRevisions.js';
import { garbageCollector } from './garbageCollector.js';
import { namespaceLifecycle } from './namespaceLifecycle.js';
import { resourceQuotas } from './resourceQuotas.js';
import { serviceAccounts } from './serviceAccounts.js';
import { repairAllClaims, serviceClaims } from './serviceClaims.js';
import { tokenSecrets } from './tokenSecrets.js';

const controllers: readonly Controller[] = [
  namespaceLifecycle,
  defaultAccounts,
  deploymentRevisions,
  serviceAccounts,
  tokenSecrets,
  ...resourceQuotas,
];
const firstNamespaces = ['default', 'kube-system', 'kube-public'];

export interface RunningControllers {
  /** Ends them all; resolves when they have ended. */
  stop(): Promise<void>;
}

/** Creates what a fresh server has and starts the controllers. */
export async function startControllers(registry: Registry, report: Report): Promise<RunningControllers> {
  await repairAllClaims(registry);
  for (const name of firstNamespaces) await createNamespace(registry, name);
  const controller = new AbortController();
  const { signal } = controller;
  const running = { registry, signal, report };
  // Every controller listens, and waits for as long as the server lives.
  setMaxListeners(0, signal);
  const started = controllers.filter(({ feature }) => feature === undefined || !registry.lacks(feature));
  const ended = [
    ...started.map((each) => run(each, running)),
    ...(registry.lacks('garbage-collection') ? [] : [garbageCollector(running)]),
    serviceClaims(running),
  ];
  return {
    async stop() {
      controller.abort();
      await Promise.all([...ended, registry.quotas.stop()]);
    },
  };
}

async function createNamespace(registry: Registry, name: string): Promise<void> {
  const draft = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await registry
    .of('core/namespaces')
    .create(undefined, draft)
    .catch((error: unknown) => {
      if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error;
    });
}
