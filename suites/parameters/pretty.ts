// Pretty printing: how an answer is laid out, and that it says the same.
import type { Operation } from '../../matrix/api/index.js';
import { readAtRest } from '../support/atRest.js';
import type { Client } from '../support/client.js';
import { equal, fail, holds, success } from '../support/expect.js';
import { at, brief, essence, itemsOf, type JsonObject } from '../support/json.js';
import type { Reply } from '../support/reply.js';
import type { Scope } from '../support/scope.js';
import { validCall } from '../support/validCalls.js';
import { sendJson, withQuery } from './calls.js';

/** One valid GET three times: as it is, pretty and not. Of lists, what did not move in between is compared. */
export async function readPretty(operation: Operation, client: Client, scope: Scope) {
  const call = await validCall(operation, scope);
  const read = async () => ({
    plain: await sendJson(client, call),
    pretty: await sendJson(client, withQuery(call, 'pretty=true')),
    compact: await sendJson(client, withQuery(call, 'pretty=false')),
  });
  return operation.verb.startsWith('list') ? read() : readAtRest(read);
}

/** A success whose JSON is indented. */
export function isPretty(reply: Reply): void {
  success(reply);
  isIndented(reply);
}

/** The JSON is laid out over lines, the first level of them indented. */
export function isIndented(reply: Reply): void {
  reply.value();
  const text = reply.bytes.toString('utf8');
  if (!/^\{\r?\n[ \t]+"/.test(text)) fail(`${reply.request}: expected indented JSON, got ${brief(text.slice(0, 80))}`);
}

/** The JSON is on one line. */
export function isCompact(reply: Reply): void {
  success(reply);
  reply.value();
  const text = reply.bytes.toString('utf8').trim();
  if (/[\r\n]/.test(text)) fail(`${reply.request}: expected one line of JSON, got ${brief(text.slice(0, 80))}`);
}

/** Both answers hold the same object; a list may have changed in between: what is in both, unchanged, is compared. */
export function saysTheSame(plain: Reply, pretty: Reply): void {
  success(plain);
  success(pretty);
  const [first, second] = [plain.value(), pretty.value()];
  equal(at(second, 'kind'), String(at(first, 'kind')), `${pretty.request}: kind`);
  if (Array.isArray(at(first, 'items'))) sameItems(pretty.request, first, second);
  else sameEssence(pretty.request, first, second);
}

function sameItems(request: string, first: unknown, second: unknown): void {
  const others = new Map(itemsOf(second).map((item) => [placeOf(item), item]));
  const common = itemsOf(first).filter((item) => others.has(placeOf(item)));
  if (common.length === 0) fail(`${request}: nothing that is listed without it`);
  for (const item of common) sameEssence(request, item, others.get(placeOf(item)));
}

function sameEssence(request: string, first: unknown, second: unknown): void {
  holds(essence(second), essence(first), `${request}: against the answer without it`);
  holds(essence(first), essence(second), `${request}: the answer without it against this`);
}

/** One state of one object. */
const placeOf = ({ metadata }: JsonObject): string =>
  ['namespace', 'name', 'uid', 'resourceVersion'].map((key) => at(metadata, key)).join('/');
