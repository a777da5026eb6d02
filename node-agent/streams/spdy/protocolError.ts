// The one error of the SPDY codec: bytes that are no SPDY/3.1.

/** The peer broke the protocol; its session cannot go on. The message says how and quotes nothing that was sent. */
export class SpdyProtocolError extends Error {}
