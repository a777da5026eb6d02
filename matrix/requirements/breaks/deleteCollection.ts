// The consequences for clients if a requirement of the chapter deleteCollection is violated.
import type { Breaks } from './types.js';

export const deleteCollection = [
  [['effect-selected'], 'A cleanup by label leaves objects behind that no tool looks for.'],
  [['spares-unselected', 'spares-other-namespaces'], 'A cleanup of one application deletes other applications too.'],
  [['answer'], 'A client cannot report what it has deleted.'],
] as const satisfies Breaks;
