// A request to the kubelet: the pod and the container in its path, and its errors.
import type { IncomingMessage } from 'node:http';
import type { ContainerWorker } from '../pods/containerWorker.js';
import type { PodManager } from '../pods/podManager.js';
import type { PodWorker } from '../pods/podWorker.js';

export interface KubeletRequest {
  readonly operation: string;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly query: URLSearchParams;
}

/** An error response: its HTTP status and text. */
export class HttpError extends Error {
  override readonly name = 'HttpError';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Parses the path `/{operation}/{namespace}/{pod}/{container}`. Paths of exec, attach and port-forward may have the
 * pod's uid before the last part. Throws TypeError or URIError for a malformed URL.
 */
export function parseRequest({ url = '/' }: IncomingMessage): KubeletRequest {
  const { pathname, searchParams } = new URL(url, 'https://node');
  const [operation = '', namespace = '', pod = '', ...rest] = pathname
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part));
  return { operation, namespace, pod, container: rest.at(-1) ?? '', query: searchParams };
}

/** Throws HttpError if the pod is not on the node. */
export function podOf(pods: PodManager, { namespace, pod }: KubeletRequest): PodWorker {
  const found = pods.find(namespace, pod);
  if (found === undefined) throw new HttpError(404, `pod "${pod}" not found`);
  return found;
}

/** Throws HttpError if the pod is not on the node or has no such container. */
export function containerOf(pods: PodManager, request: KubeletRequest): ContainerWorker {
  const found = podOf(pods, request).container(request.container);
  if (found === undefined) {
    throw new HttpError(404, `container "${request.container}" not found in pod "${request.pod}"`);
  }
  return found;
}
