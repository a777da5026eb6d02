// How a query is read: long, written in other ways, with a parameter twice.

import { clientError, equal, fail, success } from '../client/expect.js';
import { at, brief, itemsOf } from '../client/json.js';
import { pathTo, resourceOf, selectingName } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { configMaps } from '../objects/related.js';
import { groupLabel } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';

/** Creates two objects, each with its name as the value of a label. */
async function makeTwo({ sandbox }: Context) {
  const [name, other] = [sandbox.name(), sandbox.name()];
  const { namespace } = await sandbox.make(configMaps, { name, labels: { [groupLabel]: name } });
  await sandbox.make(configMaps, { name: other, labels: { [groupLabel]: other } });
  const shownBy = (reply: Reply): string[] =>
    itemsOf(reply.value())
      .map((item) => String(at(item, 'metadata', 'name')))
      .filter((one) => one === name || one === other);
  return { name, other, namespace, shownBy };
}

/** Lists with a label selector of 8 KB; only its last value selects an object. */
export async function selectLong({ operation }: OperationSubject, context: Context) {
  const two = await makeTwo(context);
  const fillers = Array.from({ length: 640 }, (_, index) => `no-value-${index + 1000}`);
  const selector = `${groupLabel} in (${[...fillers, two.name].join(',')})`;
  const path = pathTo(resourceOf(operation), operation.verb === 'list' ? 'list' : 'listAll', two.namespace);
  const query = `?labelSelector=${encodeURIComponent(selector).replaceAll('%2C', ',')}`;
  const reply = await context.client.send({ method: 'GET', path: path + query });
  return { ...two, reply, size: selector.length };
}

type Long = Awaited<ReturnType<typeof selectLong>>;

/** Throws Failure unless the list is what the whole selector selects, or the request is refused. */
export function isNotCut({ reply, name, shownBy, size }: Long): void {
  if (reply.status > 299) {
    clientError(reply);
    return;
  }
  success(reply);
  equal(shownBy(reply).join(), name, `a list with a label selector of ${size} characters: the objects of this case`);
}

/** Throws Failure unless the list was answered. */
export const isAnswered = ({ reply, size }: Long): void => {
  if (reply.status < 200 || reply.status > 299)
    fail(
      `a list with a label selector of ${size} characters: expected success (2xx), got ${reply.status} ${reply.excerpt()}`,
    );
};

const lowerCased = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

/** The query for objects with a value of the label; `none` for a query that must select no object. */
const forms: Readonly<Record<string, (value: string) => readonly [query: string, selects: 'object' | 'none']>> = {
  'blanks as +': (value) => [`labelSelector=${encodeURIComponent(groupLabel)}+in+(${value}%2Cno-value)`, 'object'],
  'blanks as %20': (value) => [`labelSelector=${encodeURIComponent(`${groupLabel} in (${value},no-value)`)}`, 'object'],
  'lower-case escapes': (value) => [
    `labelSelector=${lowerCased(encodeURIComponent(`${groupLabel}=${value}`))}`,
    'object',
  ],
  'a bare =': (value) => [`labelSelector=${groupLabel}=${value}`, 'object'],
  'empty pairs': (value) => [`&&labelSelector=${encodeURIComponent(`${groupLabel}=${value}`)}&`, 'object'],
  'an escaped escape': (value) => [
    `labelSelector=${encodeURIComponent(encodeURIComponent(`${groupLabel}=${value}`))}`,
    'none',
  ],
  'an escaped name': (value) => [`label%53elector=${encodeURIComponent(`${groupLabel}=${value}`)}`, 'object'],
};

/** Lists with a query in the form of the subject. */
export async function writeQuery({ operation, variant = '' }: OperationSubject, context: Context) {
  const two = await makeTwo(context);
  const [query, selects] = (forms[variant] ?? fail(`no query for ${variant}`))(two.name);
  const path = `${pathTo(resourceOf(operation), 'list', two.namespace)}?${query}`;
  return { ...two, selects, reply: await context.client.send({ method: 'GET', path }) };
}

/** Throws Failure unless the list has exactly the objects that the query selects. */
export function isUnderstood({ reply, selects, name, shownBy }: Awaited<ReturnType<typeof writeQuery>>): void {
  if (selects === 'none' && reply.status > 399) return;
  success(reply);
  equal(shownBy(reply).join(), selects === 'none' ? '' : name, `${reply.request}: the objects of this case`);
}

/** Lists with a parameter twice, for one object and for the other. */
export async function repeatParameter({ operation, variant }: OperationSubject, context: Context) {
  const two = await makeTwo(context);
  const parameter = (value: string): string =>
    variant === 'two field selectors'
      ? selectingName(value)
      : `labelSelector=${encodeURIComponent(`${groupLabel}=${value}`)}`;
  const query = `?${parameter(two.name)}&${parameter(two.other)}`;
  const path = pathTo(resourceOf(operation), 'list', two.namespace) + query;
  return { ...two, reply: await context.client.send({ method: 'GET', path }) };
}

/** Throws Failure unless the first of the two counts. */
export function countsFirst({ reply, name, other, shownBy }: Awaited<ReturnType<typeof repeatParameter>>): void {
  success(reply);
  const shown = shownBy(reply).join();
  if (shown !== name) fail(`${reply.request}: expected only ${name}, not ${other}, got ${brief(shown)}`);
}
