// What each kind refuses, as kube-apiserver 1.20 does. `AGAINST` names a real one, to see that it does.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../../server.js';
import { ask } from '../../../testing/standIn.js';
import { startFullServer } from '../../index.js';
import { changed } from '../../testing/changed.js';
import { realServerOr } from '../../testing/customResources.js';
import { earlierPath, kindSamples } from '../../testing/kindSamples.js';
import { refusals } from '../../testing/refusals.js';

let server: RunningServer;
/** For kinds that servers of 1.20 have in an earlier version only. */
let present: RunningServer;
beforeAll(async () => {
  const without = ['service-account-admission'];
  server = await realServerOr({ kubeVersion: '1.20', without });
  present = process.env.AGAINST === undefined ? await startFullServer({ without }) : server;
});
afterAll(async () => {
  await server.close();
  await present.close();
});

/** Returns the server that is asked for a kind, and the path there. */
const placeOf = (path: string): readonly [RunningServer, string] =>
  earlierPath(path) === path ? [server, path] : [present, present === server ? earlierPath(path) : path];

async function post(
  path: string,
  body: object,
): Promise<{ readonly status: number; readonly fields: readonly string[] }> {
  const headers = { 'content-type': 'application/json' };
  const [place, at] = placeOf(path);
  const { status, text } = await ask(place, at, { method: 'POST', headers, body: JSON.stringify(body) });
  const causes: { field: string }[] = JSON.parse(text).details?.causes ?? [];
  return { status, fields: [...new Set(causes.map(({ field }) => field))].sort() };
}

/** The kinds whose finalizers may be any qualified name, with those that the core rules ask for a domain. */
const plainFinalizers = [
  'events',
  'leases',
  'poddisruptionbudgets',
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
  'apiservices',
  'runtimeclasses',
];

it.each(Object.keys(kindSamples))('a finalizer without a slash: %s', async (path) => {
  const plural = path.slice(path.lastIndexOf('/') + 1);
  const { metadata, ...smallest } = kindSamples[path]?.smallest ?? {};
  const made = { name: 'finalized', ...metadata, finalizers: ['keeper.example.com'] };
  const { status, fields } = await post(`${path}?dryRun=All`, { ...smallest, metadata: made });
  const refused = { status: 422, fields: ['metadata.finalizers[0]'] };
  expect({ status, fields }).toEqual(
    plainFinalizers.includes(plural) ? { status: expect.toBeOneOf([200, 201]), fields: [] } : refused,
  );
});

it.each(Object.entries(refusals))('%s', async (path, list) => {
  for (const [index, [change, fields]] of list.entries()) {
    const { metadata, ...smallest } = kindSamples[path]?.smallest ?? {};
    const body = changed({ ...smallest, metadata: { name: `refused-${index}`, ...metadata } }, change);
    const { status, fields: named } = await post(path, body);
    expect({ change, status, ...(fields && { fields: named }) }).toEqual({
      change,
      status: 422,
      ...(fields && { fields: [...fields].sort() }),
    });
  }
});
