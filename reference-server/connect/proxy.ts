// Proxies to pods, services and nodes; the legacy paths and the newer ones mean the same.
import { badRequest } from '../errors.js';
import { type MakeHandler, placeOf, resourceOf } from '../verbs/context.js';
import { nodeAt, parseReference, podAt, readyEndpoints, unavailable } from './target.js';

export const proxy: MakeHandler =
  ({ registry }) =>
  async (request) => {
    const { plural, singular } = resourceOf(request);
    const { namespace, name: text } = placeOf(request);
    const { name, port } = parseReference(text, singular);
    if (plural === 'nodes') {
      await nodeAt(registry, name);
      throw unavailable(`node ${name} has no agent that could be dialled`);
    }
    if (plural === 'services') {
      const subsets = await readyEndpoints(registry, { namespace, name });
      const ports = subsets.flatMap((subset) => subset.ports ?? []);
      const found =
        port === '' || ports.some((candidate) => candidate.name === port || String(candidate.port) === port);
      throw unavailable(
        found
          ? `the endpoints of service "${name}" cannot be dialled`
          : `no service port "${port}" found for service "${name}"`,
      );
    }
    const pod = await podAt(registry, { namespace, name });
    const { podIP } = (pod.status ?? {}) as { podIP?: string };
    if (!podIP) throw badRequest('address not allowed');
    throw unavailable(`pod ${name} has no agent that could be dialled`);
  };
