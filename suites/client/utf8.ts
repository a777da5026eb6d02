// Decodes UTF-8. One decoder for all bodies, because making a decoder costs more than a short text.
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Returns the text. Throws if the bytes are malformed. */
export const utf8Of = (bytes: Uint8Array): string => decoder.decode(bytes);
