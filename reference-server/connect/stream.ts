// Exec, attach and port-forward: streams into a pod, which somebody on its node has to serve.
import { badRequest } from '../errors.js';
import { type MakeHandler, placeOf } from '../verbs/context.js';
import { containerOf, nodeOf, podAt, unavailable } from './target.js';

const stream =
  (intoContainer: boolean): MakeHandler =>
  ({ registry }) =>
  async (request) => {
    const pod = await podAt(registry, placeOf(request));
    if (intoContainer) containerOf(pod, request.query.get('container'));
    const node = await nodeOf(registry, pod);
    if (node === undefined) throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
    throw unavailable(`node ${node.metadata.name} has no agent that could be dialled`);
  };

export const attach = stream(true);
export const exec = stream(true);
export const portforward = stream(false);
