// Lists with every selector: all forms of both kinds, and invalid selectors.

import type { Operation } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { fail } from '../client/expect.js';
import { at, itemsOf } from '../client/json.js';
import { fill } from '../client/paths.js';
import { eventually } from '../objects/eventually.js';
import type { Sandbox } from '../objects/sandbox.js';
import { groupLabel } from '../objects/sandbox.js';
import { type AskedList, otherRole, selectable, sendSelection, tier } from './selected.js';

/** Selectors that cannot be parsed. */
export const malformedLabels = ['tier in', 'tier in x', 'tier in (a', 'a===b', '==', ',,,', 'a=b c', 'Bad*Key=b'];
export const malformedFields = ['bogus', 'metadata.name', 'metadata.name=a=b'];

/** Fields by which no kind can be selected. */
export const unsupportedFields = ['spec.nope=1', 'metadata.labels=x', 'metadata.uid=x', 'kind=Pod', 'nope!=1'];

/** Sends a list with every selector that a server must support. Negative selectors also select the group. */
export async function askAll({ resource, verb, path }: Operation, client: Client, sandbox: Sandbox) {
  if (resource === undefined) fail('a list without a resource');
  const objects = await selectable(sandbox, resource);
  const { id, only, onlyOfThree, one, two, stranger: otherLabel, elsewhere } = objects;
  const here = fill(path, one.namespace);
  const list = (parameters: Readonly<Record<string, string>>): Promise<AskedList> =>
    sendSelection(client, here, parameters);
  const labels = (labelSelector: string): Promise<AskedList> => list({ labelSelector });
  const ofGroup = (more: string): Promise<AskedList> => labels(`${groupLabel}=${id},${more}`);
  const fields = (fieldSelector: string): Promise<AskedList> =>
    list({ labelSelector: `${groupLabel}=${id}`, fieldSelector });
  const encoded = (text: string): string =>
    [...text].map((character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
  const raw = async (query: string): Promise<AskedList> => ({
    asked: query,
    reply: await client.send({ method: 'GET', path: `${here}?${query}` }),
  });
  const spaces = await Promise.all(
    one.namespace === undefined
      ? []
      : [one, elsewhere].map(({ namespace = '' }) =>
          list({
            labelSelector: `${groupLabel} in (${id},${id}-elsewhere)`,
            fieldSelector: `metadata.namespace=${namespace}`,
          }),
        ),
  );
  return {
    objects,
    across: verb === 'listAll',
    everything: [await list({}), await list({ labelSelector: '', fieldSelector: '' })],
    equals: [await labels(`${groupLabel}=${id}`), await labels(`${groupLabel}==${id}`)],
    otherCase: {
      value: await labels(`${groupLabel}=${id.toUpperCase()}`),
      key: await labels(onlyOfThree),
      name: await fields(`metadata.name=${one.name.toUpperCase()}`),
    },
    noMatch: [await labels(`${groupLabel}=${id}-nobody`), await fields(`metadata.name=${one.name}-nobody`)],
    notEquals: [await ofGroup(`${tier}!=a`)],
    in: await labels(`${groupLabel} in (${id}, ${id}-stranger)`),
    inOne: await ofGroup(`${tier} in(A)`),
    notIn: [await ofGroup(`${tier} notin (a)`), await ofGroup(`${tier} notin (a,c)`)],
    exists: await labels(only),
    notExists: await ofGroup(`!${only}`),
    emptyValue: await labels(`${only}=`),
    emptyOrX: await labels(`${only} in (,x)`),
    notEmptyValue: await ofGroup(`${only}!=`),
    and: [await ofGroup(`${tier}=a`), await ofGroup(` ${only}, ${tier}=a`)],
    andNone: await ofGroup(`${tier}=a,${tier}=A`),
    prefixed: await labels(`example.com/role=${otherRole(id)}`),
    bare: await labels(`role=${id}`),
    name: [
      await list({ fieldSelector: `metadata.name=${one.name}` }),
      await fields(`metadata.name==${one.name}`),
    ] as const,
    nameOfStranger: await fields(`metadata.name=${otherLabel.name}`),
    spaces,
    notSpace:
      one.namespace === undefined
        ? undefined
        : await list({
            labelSelector: `${groupLabel} in (${id},${id}-elsewhere)`,
            fieldSelector: `metadata.namespace!=${one.namespace}`,
          }),
    notName: await fields(`metadata.name!=${one.name}`),
    notNames: await fields(`metadata.name!=${one.name},metadata.name!=${two.name}`),
    andName: await fields(`metadata.name=${one.name},metadata.name!=${two.name}`),
    nameInSpace:
      one.namespace === undefined
        ? undefined
        : await list({ fieldSelector: `metadata.name=${one.name},metadata.namespace=${elsewhere.namespace}` }),
    andNoName: await fields(`metadata.name=${one.name},metadata.name=${two.name}`),
    both: await list({ labelSelector: `${groupLabel}=${id},${tier}=a`, fieldSelector: `metadata.name=${one.name}` }),
    bothNone: await list({
      labelSelector: `${groupLabel}=${id},${tier}=A`,
      fieldSelector: `metadata.name=${one.name}`,
    }),
    paged: await pagesOf(list, { labelSelector: `${groupLabel}=${id}`, fieldSelector: `metadata.name!=${two.name}` }),
    // As informers begin. The state may be an old one at first.
    informed: await eventually(
      () =>
        list({
          labelSelector: `${groupLabel} in (${id},${id}-elsewhere)`,
          fieldSelector: `metadata.name!=${two.name}`,
          ...{ resourceVersion: '0', limit: '500' },
        }),
      ({ reply }) => reply.status !== 200 || itemsOf(reply.tryValue()).length >= (verb === 'listAll' ? 3 : 2),
      sandbox.timeout,
    ),
    encoded: [
      await raw(`labelSelector=${encoded(`${groupLabel}=${id}`)}`),
      await raw(`labelSelector=${encoded(groupLabel)}+in+(${id},${id}-nobody)`),
      await raw(`labelSelector=${encoded(` ${groupLabel} = ${id} `)}`),
    ],
    encodedName: await raw(`fieldSelector=${encoded(`metadata.name=${one.name}`)}`),
  };
}

/** The most pages of one object that are read. */
const mostPages = 5;

/** Lists with the selectors in pages of one object. */
async function pagesOf(
  list: (parameters: Readonly<Record<string, string>>) => Promise<AskedList>,
  selectors: Readonly<Record<string, string>>,
): Promise<readonly AskedList[]> {
  const pages: AskedList[] = [];
  let token = '';
  do {
    const page = await list({ ...selectors, limit: '1', ...(token !== '' && { continue: token }) });
    pages.push(page);
    token = String(at(page.reply.tryValue(), 'metadata', 'continue') ?? '');
  } while (token !== '' && pages.length < mostPages);
  return pages;
}

/** Sends a list with every invalid selector. */
export async function askMalformed({ resource, path }: Operation, client: Client, sandbox: Sandbox) {
  const here = fill(path, resource?.namespaced ? await sandbox.namespace() : undefined);
  const all = (name: string, values: readonly string[]): Promise<AskedList[]> =>
    Promise.all(values.map((value) => sendSelection(client, here, { [name]: value })));
  return {
    labels: await all('labelSelector', malformedLabels),
    fields: await all('fieldSelector', malformedFields),
    unsupported: await all('fieldSelector', unsupportedFields),
  };
}

/** Watches, on a watch path or a list path, with invalid selectors. */
export async function watchMalformed(
  { resource, path, verb }: Operation,
  client: Client,
  sandbox: Sandbox,
): Promise<AskedList[]> {
  const here = fill(path, resource?.namespaced ? await sandbox.namespace() : undefined, sandbox.name());
  const form = { timeoutSeconds: '1', ...(verb.startsWith('watch') ? {} : { watch: 'true' }) };
  return [
    await sendSelection(client, here, { ...form, labelSelector: 'tier in x' }),
    await sendSelection(client, here, { ...form, fieldSelector: 'bogus' }),
    await sendSelection(client, here, { ...form, fieldSelector: 'spec.bogus=1' }),
  ];
}
