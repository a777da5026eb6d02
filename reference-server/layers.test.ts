// The layers of the server, in three parts: the core is the server of the interface, `later/` registers what came after it,
// and `storages/` registers storages. A file imports only from its own folder and the layers below.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { layerFaults } from '../tools/testing/layers.js';

/** From top to bottom. Folders in one row do not import each other. */
const core = [
  ['index.ts'],
  ['server.ts'], //                  the API on a socket of its own
  ['app.ts'], //                     the Express application: the pipeline on one screen
  ['addons.ts'], //                  the seam: what can register itself
  ['cluster.ts', 'surface.ts'], //   what is behind the requests, wired together; what is served
  ['options.ts'],
  ['openStorage.ts'], //             memory, or what opens another storage
  ['edge'], //                       TLS, middleware, negotiation, bodies, streams
  ['verbs'], //                      one handler for each verb
  ['connect', 'discovery'],
  ['resolver'], //                   from a URL to an operation
  ['request.ts'], //                 a request on its way, and what a handler returns
  ['authorization'],
  ['authentication'],
  ['controllers'], //                watch and act, through the stores
  ['admission'], //                  mutate, validate, reserve
  ['quota', 'serviceaccounts'],
  ['registry'], //                   the write path, stage by stage; strategies
  ['watch'], //                      the watch cache, the events of a watch
  ['query'], //                      parameters, selection, pages
  ['versions'], //                   keys and paths, the storage version and the others, encoded views
  ['storage'], //                    the interface, and memory
  ['patch', 'selectors'],
  ['schema'], //                     objects, their decoding, what is valid
  ['codecs'],
  ['features'], //                   what `--without` leaves out
  ['errors.ts'], //                  one function for each Status that is an error
  ['statusError.ts'], //             the error with a Status
  ['remote'], //                     what the server itself asks others, over connections that stay
  ['runtimeConfig.ts'],
  ['fieldChecks.ts'], //             what the fields of options must be
  ['clock.ts', 'excerpt.ts', 'optionValues.ts', 'turns.ts'],
  ['exactJson.ts'], //               JSON with exact integers
];

const later = [
  ['index.ts'], //                   the addons, and the server with them
  ['aggregation', 'flowcontrol', 'policies'], //    APIs of other servers; flows of requests; policies of admission
  ['customresources', 'groups'], //  definitions and what they make; groups, their kinds and conversions
  [
    'audit',
    'certificates',
    'control',
    'discovery',
    'furniture',
    'issuer',
    'managedfields',
    'metrics',
    'openapi',
    'rbac',
    'representations',
    'webhooks', //                   admission webhooks, and the caller of webhooks
    'welcome.ts',
    'workloads',
  ],
  ['admission'], //                  the plug-ins of present servers; the objects that configure admission
  ['cel', 'conditions.ts', 'impersonation.ts', 'requests', 'storedCounts.ts'],
];

const storages = [
  ['index.ts'], //                   the storage that the options choose
  ['etcd', 'lmdb'],
  ['options.ts'], //                 the options of all, without other packages
];

const root = import.meta.dirname;

describe.each([
  ['core', root, core],
  ['later', join(root, 'later'), later],
  ['storages', join(root, 'storages'), storages],
])('%s', (_, folder, layers) => {
  test('imports go down', () => {
    const outside = folder === root ? ['later/', 'storages/'] : [];
    expect(layerFaults(folder, layers, { outside })).toEqual({ withoutLayer: [], upward: [], circles: [] });
  });
});

// The compiler keeps the code of the core from it.
test('tests of the core run without the other parts', () => {
  const tests = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => !/^(later|storages)\//.test(file) && (file.endsWith('.test.ts') || file.startsWith('testing/')))
    .filter((file) => file.endsWith('.ts'));
  expect(tests.length).toBeGreaterThan(50);
  const across = tests.filter((file) =>
    /from '(\.\.?\/)+(later|storages)\//.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(across).toEqual([]);
});
