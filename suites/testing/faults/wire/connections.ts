// Edits of upgraded connections: the frames of a stream are changed, lost or cut.
import type { Broken, WireFrame } from './fault.js';

/** Frames whose line `/path?query server stdout` matches: the request, the end that sends the frame, and the stream. */
type Frames = RegExp;
const matches = (which: Frames, path: string, { from, stream }: WireFrame) => which.test(`${path} ${from} ${stream}`);

/** Changes frames; undefined loses the frame. */
export const frames = (which: Frames, change: (frame: WireFrame) => Partial<WireFrame> | undefined): Broken => ({
  frame: (request) => (frame) => {
    const changed = matches(which, request.path, frame) ? change(frame) : frame;
    return changed === undefined ? [] : [{ ...frame, ...changed }];
  },
});

/** Changes the characters of frames. */
export const characters = (which: Frames, pattern: RegExp, to: string): Broken =>
  frames(which, ({ content }) => ({
    content: Buffer.from(content.toString('latin1').replace(pattern, to), 'latin1'),
  }));

/** Loses the bytes of frames, but not the end of the stream. */
export const loses = (which: Frames): Broken =>
  frames(which, ({ last }) => (last ? { content: Buffer.alloc(0) } : undefined));

/** Loses the bytes of frames after the first ones. */
export const cutsAfter = (which: Frames, bytes: number): Broken => ({
  frame: (request) => {
    let left = bytes;
    return (frame) => {
      if (!matches(which, request.path, frame)) return [frame];
      const content = frame.content.subarray(0, left);
      left -= content.length;
      return content.length > 0 || frame.last ? [{ ...frame, content }] : [];
    };
  },
});
