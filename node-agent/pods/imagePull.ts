// Images that cannot be pulled: what their containers say, again and again.
import { Backoff } from '../api/backoff.js';
import type { EventType } from '../api/eventRecorder.js';

/** In milliseconds: how long a container says why its image could not be pulled, before it says that it waits. */
const failedPull = 1000;

interface Pull {
  /** The image that the container has now. */
  readonly image: () => string;
  /** Aborts when the container has another image, or at the end. */
  readonly interrupted: () => AbortSignal;
  readonly waits: (reason: string, message: string) => void;
  readonly event: (type: EventType, reason: string, message: string) => void;
  /** Makes the delays between two attempts. */
  readonly delays: () => Backoff;
  readonly ending: AbortSignal;
}

/** Resolves when there is an image that can be pulled, or at the end. */
export async function untilPulled({ image, interrupted, waits, event, delays, ending }: Pull): Promise<void> {
  let backoff = delays();
  while (!ending.aborted && !isInRegistry(image())) {
    const over = interrupted();
    const fail = (reason: string, message: string) => {
      waits(reason, message);
      event('Warning', 'Failed', `Error: ${reason}`);
    };
    const [name, why] = [image(), `failed to pull image "${image()}": not found`];
    event('Normal', 'Pulling', `Pulling image "${name}"`);
    event('Warning', 'Failed', `Failed to pull image "${name}": ${why}`);
    fail('ErrImagePull', why);
    await new Backoff(failedPull).wait(over);
    if (over.aborted) continue;
    fail('ImagePullBackOff', `Back-off pulling image "${name}"`);
    event('Normal', 'BackOff', `Back-off pulling image "${name}"`);
    await backoff.wait(over);
    if (over.aborted) backoff = delays();
  }
}

/** Reports whether an image can be pulled: not with a tag that says no, nor from a host below `.invalid` (RFC 2606). */
const isInRegistry = (image: string): boolean =>
  !/:(404|non-?existent)$/.test(image) && !/^[^/]*\.invalid(:\d+)?\//.test(image);
