// Pretty printing: the layout of a response, and that its content is the same.
import type { Operation } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { equal, fail, success } from '../client/expect.js';
import { at, brief, essence, itemsOf, type JsonObject } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import { readAtRest } from '../objects/atRest.js';
import { isSame } from '../objects/effects/index.js';
import { eventually } from '../objects/eventually.js';
import type { Sandbox } from '../objects/sandbox.js';
import { validCall } from '../objects/validCalls.js';
import { sendJson, withQuery } from './calls.js';

/**
 * Sends one valid GET three times: without `pretty`, with true and with false. Lists are compared without items that
 * changed in between.
 */
export async function readPretty(operation: Operation, client: Client, sandbox: Sandbox) {
  const call = await validCall(operation, sandbox);
  const read = async () => ({
    plain: await sendJson(client, call),
    pretty: await sendJson(client, withQuery(call, 'pretty=true')),
    compact: await sendJson(client, withQuery(call, 'pretty=false')),
  });
  return operation.verb.startsWith('list') ? eventually(read, hasUnchanged, longest) : readAtRest(read);
}

/** Milliseconds for which lists are read again: a node may be starting the only Pod of a list. */
const longest = 1_500;

/** Reports whether one of the items did not change between the lists. */
function hasUnchanged({ plain, pretty }: { readonly plain: Reply; readonly pretty: Reply }): boolean {
  const others = byPlace(pretty.tryValue());
  return itemsOf(plain.tryValue()).some((item) => others.has(placeOf(item)));
}

/** Throws Failure unless the response is a success with indented JSON. */
export function isPretty(reply: Reply): void {
  success(reply);
  isIndented(reply);
}

/** Throws Failure unless the JSON has several lines and the first level is indented. */
export function isIndented(reply: Reply): void {
  reply.value();
  const text = reply.bytes.toString('utf8');
  if (!/^\{\r?\n[ \t]+"/.test(text)) fail(`${reply.request}: expected indented JSON, got ${brief(text.slice(0, 80))}`);
}

/** Throws Failure unless the JSON is on one line. */
export function isCompact(reply: Reply): void {
  success(reply);
  reply.value();
  const text = reply.bytes.toString('utf8').trim();
  if (/[\r\n]/.test(text)) fail(`${reply.request}: expected one line of JSON, got ${brief(text.slice(0, 80))}`);
}

/** Throws Failure unless both responses have the same content. Of lists, unchanged common items are compared. */
export function hasSameContent(plain: Reply, pretty: Reply): void {
  success(plain);
  success(pretty);
  const [first, second] = [plain.value(), pretty.value()];
  equal(at(second, 'kind'), String(at(first, 'kind')), `${pretty.request}: kind`);
  if (Array.isArray(at(first, 'items'))) sameItems(pretty.request, first, second);
  else sameEssence(pretty.request, first, second);
}

function sameItems(request: string, first: unknown, second: unknown): void {
  const others = byPlace(second);
  const common = itemsOf(first).filter((item) => others.has(placeOf(item)));
  if (common.length === 0) fail(`${request}: nothing that is listed without it`);
  for (const item of common) sameEssence(request, item, others.get(placeOf(item)));
}

function sameEssence(request: string, first: unknown, second: unknown): void {
  isSame(essence(second), essence(first), `${request}: against the answer without it`);
}

const byPlace = (list: unknown): Map<string, JsonObject> => new Map(itemsOf(list).map((item) => [placeOf(item), item]));

/** Identifies one version of one object. */
const placeOf = ({ metadata }: JsonObject): string =>
  ['namespace', 'name', 'uid', 'resourceVersion'].map((key) => at(metadata, key)).join('/');
