// The consequences for clients if a requirement of the chapter openapi is violated.
import type { Breaks } from './types.js';

export const openapi = [
  [['status'], 'A client that is generated from the OpenAPI throws on a write that succeeded, and repeats it.'],
  [['media-type', 'accept'], 'A client that is generated from the OpenAPI has no parser for the response.'],
  [['body-schema'], 'A client that is generated from the OpenAPI fails to decode the object because of one field.'],
  [['content-type'], 'A client sends a body in a type that it read in the OpenAPI, and the write is refused.'],
  [['parameters'], 'A client sends a parameter that it read in the OpenAPI, and the whole request is refused.'],
  [['parameter-effects'], 'A client that asks for a part of a list gets all of it, and acts on the wrong objects.'],
  [['dry-run'], 'A preview of a change makes the change.'],
] as const satisfies Breaks;
