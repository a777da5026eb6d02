// The frames of an upgraded connection for the evidence: the first ones, in both directions.
import type { Frame } from '../../matrix/requirements/index.js';
import { recordedEvent } from './evidence.js';
import type { Redactor } from './redaction.js';

const most = 50;

/** Notes frames as they pass. */
export class FrameLog {
  readonly #frames: { readonly direction: Frame['direction']; at: number; channel: number; bytes: Buffer }[] = [];

  /** `started`: of `Date.now()`. */
  constructor(readonly started: number) {}

  note(direction: Frame['direction'], channel: number, bytes: Buffer): void {
    if (this.#frames.length < most) this.#frames.push({ direction, at: Date.now() - this.started, channel, bytes });
  }

  /** The frames, redacted. */
  recorded(redactor: Redactor): Frame[] {
    return this.#frames.map(({ direction, at, channel, bytes }) => ({
      direction,
      channel,
      ...recordedEvent(redactor, at, bytes, undefined),
    }));
  }
}
