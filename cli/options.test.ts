// The options that a program gives: what is wrong is refused before anything starts, in the words of the program.
import { describe, expect, it } from 'vitest';
import { makeServerCertificates } from '../test-certs/index.js';
import { createApp, OptionError, startServer } from './index.js';

/** Mistakes in the options of both functions. */
const ofBoth: readonly (readonly [options: unknown, message: string])[] = [
  [{ authorisationMode: 'RBAC' }, 'there is no option authorisationMode; did you mean authorizationMode?'],
  [{ constructor: 1 }, 'there is no option constructor; '],
  [{ authorizationMode: 'rbac' }, 'authorizationMode: there is no mode rbac; did you mean RBAC? There are AlwaysAllow'],
  [{ authorizationMode: 1 }, 'authorizationMode: give a text'],
  [{ modern: 'no' }, 'modern: give true or false'],
  [{ watchCache: 'false' }, 'watchCache: give true or false'],
  [{ anonymousAuth: 1 }, 'anonymousAuth: give true or false'],
  [{ allowLoopbackWebhooks: null }, 'allowLoopbackWebhooks: give true or false'],
  [{ onRejection: 'x' }, 'onRejection: give a function'],
  [{ kubeVersion: 1.3 }, "kubeVersion: give a text, such as '1.30': a number loses the 0 at its end"],
  [{ kubeVersion: 'x' }, 'kubeVersion: "x" is not a version; write it as 1.36'],
  [{ kubeVersion: 'v1.30' }, 'kubeVersion: "v1.30" is not a version; write it as 1.36'],
  [{ kubeVersion: '1.30.1' }, 'kubeVersion: "1.30.1" is not a version; write it as 1.36'],
  [{ kubeVersion: '1.99' }, 'kubeVersion: there is no 1.99 to report; the newest version is 1.36'],
  [{ kubeVersion: '2.0' }, 'kubeVersion: there is no 2.0 to report; the newest version is 1.36'],
  [{ without: 'dry-run' }, 'without: give a list of names of features'],
  [{ without: [1] }, 'without[0]: give a text'],
  [{ without: ['dry-rum'] }, 'without: there is no feature dry-rum; did you mean dry-run?'],
  [{ tokens: 'x' }, 'tokens: give a list of tokens'],
  [{ tokens: ['x'] }, 'tokens[0]: give an object'],
  [{ tokens: [{ token: 'x' }] }, 'tokens[0]: give token and user'],
  [{ tokens: [{ user: { name: 'a', groups: [] } }] }, 'tokens[0]: give token and user'],
  [{ tokens: [{ token: 'x', user: 'a' }] }, 'tokens[0].user: give an object'],
  [{ tokens: [{ token: 'x', user: { name: 'a' } }] }, 'tokens[0].user: give name and groups'],
  [{ tokens: [{ token: 'x', user: { groups: [] } }] }, 'tokens[0].user: give name and groups'],
  [{ tokens: [{ token: 'x', user: { name: '', groups: [] } }] }, 'tokens[0].user.name: it is empty: leave it out'],
  [{ tokens: [{ token: 'x', user: { name: 'a', groups: 'g' } }] }, 'tokens[0].user.groups: give a list of texts'],
  [{ tokens: [{ token: 'x', user: { name: 'a', groups: [1] } }] }, 'tokens[0].user.groups[0]: give a text'],
  [{ tokens: [{ token: 'x', user: { name: 'a', groups: [], id: 1 } }] }, 'tokens[0].user: unknown field id; '],
  [{ tokens: [{ token: '', user: { name: 'a', groups: [] } }] }, 'tokens[0].token: it is empty'],
  [
    { tokens: [{ token: 'a b', user: { name: 'a', groups: [] } }] },
    'tokens[0].token: it has white space, which a header',
  ],
  [{ tokens: [{ token: 'ä', user: { name: 'a', groups: [] } }] }, 'tokens[0].token: it has a character that a header'],
  [
    { tokens: ['x', 'x'].map((token) => ({ token, user: { name: 'a', groups: [] } })) },
    'tokens[1].token: it is that of an earlier one',
  ],
  [{ tokenAuthFile: 5 }, 'tokenAuthFile: give a text'],
  [{ tokenAuthFile: '' }, 'tokenAuthFile: it is empty: leave it out'],
  [{ tokenAuthFile: 'none.csv' }, 'tokenAuthFile: cannot read none.csv: there is none (ENOENT)'],
  [{ maxObjectSize: '1' }, 'maxObjectSize: give a whole number from 0 to 1073741824'],
  [{ maxObjectSize: 100 }, 'maxObjectSize: "100" is too little for what the server itself writes; give at least 16384'],
  [{ latency: -1 }, 'latency: give a whole number from 0 to 10000'],
  [{ crashOn: 'x' }, 'crashOn: '],
  [{ vendor: '/' }, 'vendor: "/" cannot be in a media type; give a name like kubernetes'],
  [{ runtimeConfig: 'x y' }, 'runtimeConfig: "x y" is not understood'],
  [{ requestheaderGroupHeaders: 'X-Group' }, 'requestheaderGroupHeaders: give a list of texts'],
  [
    { requestheaderGroupHeaders: ['X-Group'] },
    'requestheaderGroupHeaders requires requestheaderClientCaFile, which is missing',
  ],
  [
    { dataDir: '/x', etcdServers: 'http://127.0.0.1:1' },
    'dataDir and etcdServers contradict each other: give only one',
  ],
  [{ etcdPrefix: '/x' }, 'etcdPrefix requires etcdServers, which is missing'],
  [{ oidcClientId: 'x' }, 'oidcIssuerUrl and oidcClientId are needed by all oidc options: give both'],
  [{ auditPolicyFile: 'x' }, 'auditPolicyFile: cannot read x: there is none (ENOENT)'],
];

const { server } = await makeServerCertificates('127.0.0.1');

const ofServers: typeof ofBoth = [
  [1, 'startServer: give an object'],
  ['x', 'startServer: give an object'],
  [[], 'startServer: give an object'],
  [null, 'startServer: give an object'],
  [{ prot: 1 }, 'there is no option prot; did you mean port?'],
  [{ port: '1' }, 'port: give a whole number from 0 to 65535'],
  [{ port: 65_536 }, 'port: give a whole number from 0 to 65535'],
  [{ nodes: -1 }, 'nodes: give a whole number from 0 to 200'],
  [{ nodes: '1' }, 'nodes: give a whole number from 0 to 200'],
  [{ bindAddress: '192.0.2.1' }, 'bindAddress: 192.0.2.1 is not an address of this machine'],
  [{ bindAddress: 1 }, 'bindAddress: give a text'],
  [{ tls: {} }, 'tls: give certificate and key'],
  [{ tls: 'x' }, 'tls: give an object'],
  [{ tls: { certificate: 1, key: 'x' } }, 'tls.certificate: give a text'],
  [{ tls: { certificate: 'x', key: 'x' } }, 'tls.certificate holds no PEM certificate'],
  [{ tls: { ...server, key: 'x' } }, 'tls.key holds no PEM key without a passphrase'],
  [{ tls: { ...server, cert: 'x' } }, 'tls: unknown field cert; '],
  [{ basePath: 'x' }, 'basePath: "x" is not a path; write it as /k8s/c1'],
  [{ requests: 5 }, 'requests: give true or false'],
  [{ requests: null }, 'requests: give an object'],
  [{ requests: { body: true } }, 'requests: unknown field body; did you mean bodies?'],
  [{ requests: { limit: 0 } }, 'requests.limit: give a whole number from 1'],
  [{ requests: { bodies: 'yes' } }, 'requests.bodies: give true or false'],
  [{ egressProxy: 'x' }, 'there is no option egressProxy; '],
  [{ clientCaFile: 'none.pem' }, 'clientCaFile: cannot read none.pem: there is none (ENOENT)'],
];

const ofApps: typeof ofBoth = [
  [1, 'createApp: give an object'],
  [null, 'createApp: give an object'],
  [{ port: 1 }, 'there is no option port; '],
  [{ clientCertificates: 'yes' }, 'clientCertificates: give true or false'],
  [{ egressProxy: 5 }, 'egressProxy: give a text'],
];

describe.each([
  ['startServer', startServer, [...ofBoth, ...ofServers]],
  ['createApp', createApp, [...ofBoth, ...ofApps]],
] as const)('%s', (_, start, mistakes) => {
  it.each(mistakes)('refuses %j', async (options, message) => {
    const error = await start(options as object).then(
      async (started) => {
        await started.close();
        return undefined;
      },
      (refused: unknown) => refused,
    );
    expect(error).toBeInstanceOf(OptionError);
    const { message: said } = error as OptionError;
    expect(said.startsWith(message), said).toBe(true);
    expect(said).not.toMatch(/--[a-z]|\n/);
  });
});

it('takes every option that is absent', async () => {
  const server = await startServer({
    port: undefined,
    tokens: undefined,
    requests: undefined,
    tls: undefined,
  } as object);
  await server.close();
});
