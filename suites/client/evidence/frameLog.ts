// Records the first frames of an upgraded connection, in both directions, for the evidence.
import type { Frame } from '../../requirements/index.js';
import type { Redactor } from './redaction.js';
import { recordedEvent } from './writer.js';

const most = 50;

/** Records frames as they pass. */
export class FrameLog {
  readonly #frames: { readonly direction: Frame['direction']; at: number; channel: number; bytes: Buffer }[] = [];

  /** `started`: the time of the request, as returned by `Date.now()`. */
  constructor(readonly started: number) {}

  note(direction: Frame['direction'], channel: number, bytes: Buffer): void {
    if (this.#frames.length < most) this.#frames.push({ direction, at: Date.now() - this.started, channel, bytes });
  }

  /** Returns the frames, redacted. */
  recorded(redactor: Redactor): Frame[] {
    return this.#frames.map(({ direction, at, channel, bytes }) => ({
      direction,
      channel,
      ...recordedEvent(redactor, at, bytes, undefined),
    }));
  }
}
