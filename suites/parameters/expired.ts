// Continue tokens that have grown old: dated back to the first version, which most servers have forgotten.
import type { Operation } from '../../matrix/api/index.js';
import type { Client } from '../support/client.js';
import { equal, nonEmptyString, Prerequisite, status, statusObject } from '../support/expect.js';
import { isObject } from '../support/json.js';
import type { Reply } from '../support/reply.js';
import { fill, type Made, type Scope } from '../support/scope.js';
import { get, namesIn, resourceOf } from './calls.js';
import { tokenOf } from './lists.js';

/** Takes the first of two pages, goes on with an old token, and with the fresh one of a 410. */
export async function goOnTooLate(operation: Operation, client: Client, scope: Scope) {
  const resource = resourceOf(operation);
  const group = 'kube-api-conformance/group';
  const labels = { [group]: scope.name() };
  const made: Made[] = [];
  for (let count = 0; count < 2; count += 1) made.push(await scope.make(resource, { labels }));
  const query = `labelSelector=${encodeURIComponent(`${group}=${labels[group]}`)}&limit=1`;
  const path = fill(operation.path, made[0]?.namespace);
  const goOn = (token: string): Promise<Reply> => get(client, path, `${query}&continue=${encodeURIComponent(token)}`);
  const first = await get(client, path, query);
  const token = tokenOf(first);
  if (token === '') throw new Prerequisite(`${first.request}: the first page of two has no continue token`);
  const old = dated(token, 1);
  const late = await goOn(old);
  const fresh = tokenOf(late);
  const rest = late.status === 410 && fresh !== '' ? await goOn(fresh) : undefined;
  return { made, first, isDated: old !== token, late, fresh, rest };
}

/** A token with another version, where it says its version as the tokens of Kubernetes do; else the same token. */
function dated(token: string, version: number): string {
  try {
    const content: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    if (!isObject(content) || typeof content.rv !== 'number') return token;
    return Buffer.from(JSON.stringify({ ...content, rv: version })).toString('base64url');
  } catch {
    return token;
  }
}

/** The state of that version, when neither object was there; or 410, and the fresh token gives the second page. */
export function expires({ made, first, isDated, late, fresh, rest }: Awaited<ReturnType<typeof goOnTooLate>>): void {
  status(late, 200, 410);
  const shown = namesIn(first);
  const second = made.flatMap(({ name }) => (shown.includes(name) ? [] : [name])).join();
  if (late.status === 200) {
    equal(namesIn(late).join(), isDated ? '' : second, `${late.request}: names`);
    return;
  }
  statusObject(late, 'Expired');
  nonEmptyString(fresh, `${late.request}: metadata.continue of the Status`);
  if (rest === undefined) return;
  status(rest, 200);
  equal(namesIn(rest).join(), second, `${rest.request}, with the fresh token: names`);
}
