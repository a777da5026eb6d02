// Expired continue tokens: tokens changed to the first version, which most servers have compacted.

import type { Operation } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { equal, nonEmptyString, Prerequisite, status, statusObject } from '../client/expect.js';
import { isObject, readJson } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import { groupLabel } from '../objects/sandbox.js';
import { get, listedNames } from './calls.js';
import { continueTokenOf } from './lists.js';

/** Reads the first of two pages, and continues with an old token and with the fresh token of a 410. */
export async function continueAfterExpiry(operation: Operation, client: Client, sandbox: Sandbox) {
  const resource = resourceOf(operation);
  const labels = { [groupLabel]: sandbox.name() };
  const made: CreatedObject[] = [];
  for (let count = 0; count < 2; count += 1) made.push(await sandbox.make(resource, { labels }));
  const query = `labelSelector=${encodeURIComponent(`${groupLabel}=${labels[groupLabel]}`)}&limit=1`;
  const path = fill(operation.path, made[0]?.namespace);
  const goOn = (token: string): Promise<Reply> => get(client, path, `${query}&continue=${encodeURIComponent(token)}`);
  const first = await get(client, path, query);
  const token = continueTokenOf(first);
  if (token === '') throw new Prerequisite(`${first.request}: the first page of two has no continue token`);
  const old = dated(token, 1);
  const late = await goOn(old);
  const fresh = continueTokenOf(late);
  const rest = late.status === 410 && fresh !== '' ? await goOn(fresh) : undefined;
  return { made, first, isDated: old !== token, late, fresh, rest };
}

/** Returns a token for another version if it has the format of Kubernetes; otherwise the same token. */
function dated(token: string, version: number): string {
  try {
    const content: unknown = readJson(Buffer.from(token, 'base64url').toString('utf8'));
    if (!isObject(content) || typeof content.rv !== 'number') return token;
    return Buffer.from(JSON.stringify({ ...content, rv: version })).toString('base64url');
  } catch {
    return token;
  }
}

/**
 * Throws Failure unless the response is the state of that version, without both objects, or a 410 whose fresh token
 * returns the second page.
 */
export function expires({
  made,
  first,
  isDated,
  late,
  fresh,
  rest,
}: Awaited<ReturnType<typeof continueAfterExpiry>>): void {
  status(late, 200, 410);
  const shown = listedNames(first);
  const second = made.flatMap(({ name }) => (shown.includes(name) ? [] : [name])).join();
  if (late.status === 200) {
    equal(listedNames(late).join(), isDated ? '' : second, `${late.request}: names`);
    return;
  }
  statusObject(late, 'Expired');
  nonEmptyString(fresh, `${late.request}: metadata.continue of the Status`);
  if (rest === undefined) return;
  status(rest, 200);
  equal(listedNames(rest).join(), second, `${rest.request}, with the fresh token: names`);
}
