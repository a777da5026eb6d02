// Requests that miss an operation by a little: another method, almost the name of an object, an escaped name.

import { authorizationOf, ownCredential } from '../client/carried.js';
import { equal, fail, success } from '../client/expect.js';
import { at } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { rawRequest } from '../client/rawRequest.js';
import { NoAnswer } from '../client/reply.js';
import { type Refused, sendRefused } from '../objects/refused.js';
import { configMaps } from '../objects/related.js';
import { isUnchangedWhole } from '../objects/unchanged.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';

/** What frameworks read, for clients that cannot send every method. A server that did would let a proxy's rules be bypassed. */
const inPlace = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE', 'x-method-override': 'DELETE' };

/** Sends a method, and returns the response as it came. A client would wait for no body after a HEAD, and not see one. */
async function sendMethod(method: string, path: string, { client }: Context) {
  if (method === 'POST for DELETE') return await client.send({ method: 'POST', path, headers: inPlace });
  if (method !== 'HEAD') return await client.send({ method, path });
  const authorization = authorizationOf(ownCredential(client.target));
  const lines = authorization === undefined ? [] : [`Authorization: ${authorization}`];
  const { reply, error } = await rawRequest(client, { method, path, lines });
  if (reply === undefined) throw new NoAnswer(`${method} ${path}: ${error}`);
  return reply;
}

function tryMethod({ variant = '' }: OperationSubject, context: Context) {
  return sendRefused(context.sandbox, async () => {
    const object = await context.sandbox.make(configMaps);
    const path = pathTo(configMaps, 'read', object.namespace, object.name);
    return { object, send: () => sendMethod(variant, path, context) };
  });
}

/** The last part of a path, for the name of an object and a namespace in which it is. */
const almost: Readonly<Record<string, (name: string, namespace: string) => string>> = {
  '%2F..%2F': (name, namespace) => `x%2F..%2F..%2F..%2F${namespace}%2Fconfigmaps%2F${name}`,
  '%252F..%252F': (name, namespace) => `x%252F..%252F..%252F..%252F${namespace}%252Fconfigmaps%252F${name}`,
  'a zero byte': (name) => `${name}%00`,
  'a blank': (name) => `${name}%20`,
  'upper case': (name) => name.toUpperCase(),
  'a parameter': (name) => `${name};version=1`,
};

async function tryAlmost({ variant = '' }: OperationSubject, { client, sandbox }: Context) {
  const climbs = variant.includes('..');
  const here = await sandbox.namespace();
  return sendRefused(sandbox, async () => {
    const object = await sandbox.make(configMaps, { namespace: climbs ? await sandbox.namespace('other') : here });
    const end = (almost[variant] ?? fail(`no path for ${variant}`))(object.name, String(object.namespace));
    const path = `${pathTo(configMaps, 'list', here)}/${end}`;
    return { object, send: () => client.send({ method: 'DELETE', path }) };
  });
}

export const waywardGroups = [
  group({
    subjects: 'wrongMethods',
    setup: tryMethod,
    checks: {
      'other-method': (refused, { variant }) => {
        unchanged(refused);
        const { reply } = refused;
        if (variant === 'HEAD') equal(reply.bytes.length, 0, `${reply.request}: bytes of a body`);
      },
    },
  }),
  group({
    subjects: 'almostNames',
    setup: tryAlmost,
    checks: { 'almost-name': unchanged },
  }),
  group({
    subjects: 'escapedNames',
    setup: async (_, { client, sandbox }) => {
      const { name, namespace } = await sandbox.make(configMaps);
      const escaped = [...name].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
      const path = `${pathTo(configMaps, 'list', namespace)}/${escaped}`;
      return { name, reply: await client.send({ method: 'GET', path }) };
    },
    checks: {
      'escaped-name': ({ name, reply }) => {
        success(reply);
        equal(at(reply.value(), 'metadata', 'name'), name, `${reply.request}: metadata.name`);
      },
    },
  }),
];

function unchanged({ reply, before, after }: Refused): void {
  isUnchangedWhole(before, after, `${reply.request}: the object, beside what it was before`);
}
