// Ways of breaking a server by what its objects hold: fixed on the way in, changed on the way out.
import { isObject, itemsOf, type Json, type JsonObject } from '../../support/json.js';
import { answering, asking, type Fault, type Passing } from './parts.js';

export type Change = (body: JsonObject) => JsonObject;

/** Changes the objects of a kind before they are created: a server that mends what it should refuse. */
export const mending = (kind: string, change: Change): NonNullable<Fault['request']> =>
  asking('POST', (body) => (body.kind === kind ? change(body) : body));
/** Changes the objects of a kind in the answers. */
export const showing = (kind: string, change: Change): NonNullable<Fault['reply']> =>
  answering((body) => (body.kind === kind ? change(body) : body));
export const part = (object: Json | undefined): JsonObject => (isObject(object) ? object : {});
export const list = (value: Json | undefined): JsonObject[] => itemsOf({ items: value ?? null });
/** Changes the spec where it is one. */
export const inSpec =
  (change: Change): Change =>
  (body) => ({ ...body, spec: change(part(body.spec)) });
export const each = (value: Json | undefined, change: Change): JsonObject[] => list(value).map(change);
export const containers = (change: Change): Change =>
  inSpec((spec) => ({ ...spec, containers: each(spec.containers, change) }));
export const template = (change: Change): Change =>
  inSpec((spec) => ({ ...spec, template: change(part(spec.template)) }));
export const bodyOf = ({ body }: Passing): JsonObject => {
  const value: unknown = body.startsWith('{') ? JSON.parse(body) : {};
  return isObject(value) ? value : {};
};
