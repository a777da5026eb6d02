// Tests the users whom a front proxy names in headers: whom this server sees in each case, and a real kube-apiserver of 1.20 too.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../reference-server/index.js';
import { startFullServer } from '../../reference-server/later/index.js';
import { generateKey, issueCertificate, makeSigningRequest } from '../../test-certs/index.js';
import { hasKubeApiserver, startKubeApiserver } from '../testing/kubeApiserver.js';

type Issued = Awaited<ReturnType<typeof issueCertificate>>;
type Asked = Pick<RunningServer, 'url' | 'caCertificate'> & { readonly token?: string };

const authority = (commonName: string, issuer?: Issued) =>
  issueCertificate({ subject: { commonName }, usage: 'authority', ...(issuer && { issuer }) });
const client = (commonName: string, issuer: Issued, days = 1) =>
  issueCertificate({ subject: { commonName, organizations: ['system:masters'] }, issuer, usage: 'client', days });

const [proxies, clients, strangers] = (await Promise.all(
  ['proxies', 'clients', 'strangers'].map((name) => authority(name)),
)) as [Issued, Issued, Issued];
const between = await authority('between', proxies);
const chained = await client('front', between);
const certificates: Readonly<Record<string, Pick<Issued, 'certificate' | 'key'>>> = {
  front: await client('front', proxies),
  second: await client('second', proxies),
  chained: { certificate: chained.certificate + between.certificate, key: chained.key },
  expired: await client('front', proxies, -1),
  wrongName: await client('someone', proxies),
  wrongAuthority: await client('front', strangers),
  sameName: await client('front', await authority('proxies')),
  ofClients: await client('front', clients),
};
/** The server puts the sender into such an object. */
const signingRequest = {
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'x' },
  spec: {
    request: Buffer.from(makeSigningRequest(await generateKey('rsa-2048'), '127.0.0.1')).toString('base64'),
    signerName: 'example.com/none',
    usages: ['client auth'],
  },
};

const hidesChains = process.versions.node.startsWith('24.');

let folder: string;
const file = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'front-proxy-'));
  await writeFile(file('proxies.crt'), proxies.certificate);
  await writeFile(file('clients.crt'), clients.certificate);
});
afterAll(() => rm(folder, { recursive: true }));

const lists = {
  requestheaderAllowedNames: ['front', 'second'],
  requestheaderUsernameHeaders: ['X-Remote-User', 'X-Other-User'],
  requestheaderGroupHeaders: ['X-Remote-Group', 'X-Other-Group'],
  requestheaderExtraHeadersPrefix: ['X-Remote-Extra-', 'X-Ex-'],
};

/** A request with raw headers, in order; `user` is who sent it, and undefined for 401. */
interface Case {
  readonly what: string;
  readonly shown?: string;
  readonly token?: true;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly user?: { readonly name: string; readonly groups?: readonly string[]; readonly extra?: object };
}

const jane = ['X-Remote-User', 'jane'] as const;
const admin = { name: 'fixture-admin', groups: ['system:masters'] };
const latin1 = (text: string) => Buffer.from(text).toString('latin1');

const cases: readonly Case[] = [
  {
    what: 'a name, groups and extra values',
    shown: 'front',
    headers: [
      jane,
      ['X-Remote-Group', 'a'],
      ['x-remote-group', 'b'],
      ['X-Remote-Group', ''],
      ['X-Remote-Extra-Acme.com%2fProject', 'P1'],
      ['x-remote-extra-acme.com%2Fproject', 'P2'],
    ],
    user: { name: 'jane', groups: ['a', 'b'], extra: { 'acme.com/project': ['P1', 'P2'] } },
  },
  { what: 'the second allowed name', shown: 'second', headers: [jane], user: { name: 'jane' } },
  { what: 'an authority between', shown: 'chained', headers: [jane], user: { name: 'jane' } },
  { what: 'a certificate with another name', shown: 'wrongName', headers: [jane] },
  { what: 'a certificate of another authority', shown: 'wrongAuthority', headers: [jane] },
  { what: 'a certificate of another authority of the same name', shown: 'sameName', headers: [jane] },
  { what: 'a certificate that has expired', shown: 'expired', headers: [jane] },
  { what: 'no certificate', headers: [jane] },
  { what: 'no certificate, but a token', token: true, headers: [jane], user: admin },
  {
    what: 'a certificate with another name beside a token',
    shown: 'wrongName',
    token: true,
    headers: [jane],
    user: admin,
  },
  {
    what: 'the certificate of a client, which is who it says',
    shown: 'ofClients',
    headers: [jane],
    user: { name: 'front', groups: ['system:masters'] },
  },
  { what: 'a token beside', shown: 'front', token: true, headers: [jane], user: { name: 'jane' } },
  {
    what: 'a false token beside',
    shown: 'front',
    headers: [jane, ['Authorization', 'Bearer no']],
    user: { name: 'jane' },
  },
  { what: 'no headers', shown: 'front', headers: [] },
  { what: 'no name', shown: 'front', headers: [['X-Remote-Group', 'system:masters']] },
  { what: 'no name, but a token', shown: 'front', token: true, headers: [['X-Remote-Group', 'a']], user: admin },
  { what: 'an empty name', shown: 'front', headers: [['X-Remote-User', '']] },
  {
    what: 'an empty name before one in the second header',
    shown: 'front',
    headers: [
      ['X-Remote-User', ''],
      ['X-Other-User', 'joe'],
    ],
    user: { name: 'joe' },
  },
  { what: 'an empty name before one in the same header', shown: 'front', headers: [['X-Remote-User', ''], jane] },
  {
    what: 'several names',
    shown: 'front',
    headers: [['X-Other-User', 'z'], jane, ['X-Remote-User', 'joe']],
    user: { name: 'jane' },
  },
  {
    what: 'groups in the order of the option, with commas and twice',
    shown: 'front',
    headers: [jane, ['X-Other-Group', 'o'], ['X-Remote-Group', 'a, b'], ['X-Remote-Group', 'a, b']],
    user: { name: 'jane', groups: ['a, b', 'a, b', 'o'] },
  },
  {
    what: 'odd extra keys',
    shown: 'front',
    headers: [
      jane,
      ['X-Ex-Foo', '1'],
      ['X-Remote-Extra-Foo', '2'],
      ['X-Ex-', '3'],
      ['X-Ex-Bad%zz', '4'],
      ['X-Ex-Sp%20ace', '5'],
      ['X-Ex-Fo%4fo', 'up'],
      ['X-Ex-Empty', ''],
      ['X-Ex-u%ff', '6'],
      ['X-Ex-plus+', '7'],
      ['X-Ex-%C3%BC', latin1('ü')],
      ['X-Ex-__proto__', '8'],
    ],
    user: {
      name: 'jane',
      extra: {
        ...{ '': ['3'], 'bad%zz': ['4'], 'sp ace': ['5'], foOo: ['up'], foo: ['2', '1'], empty: [''] },
        ...{ 'u\ufffd': ['6'], 'plus+': ['7'], ü: ['ü'], ['__proto__']: ['8'] },
      },
    },
  },
  { what: 'UTF-8', shown: 'front', headers: [['X-Remote-User', latin1('jörg')]], user: { name: 'jörg' } },
  {
    what: 'a user who acts for another',
    shown: 'front',
    headers: [jane, ['X-Remote-Group', 'system:masters'], ['Impersonate-User', 'zed']],
    user: { name: 'zed' },
  },
  {
    what: 'the anonymous user',
    shown: 'front',
    headers: [
      ['X-Remote-User', 'system:anonymous'],
      ['X-Remote-Group', 'system:unauthenticated'],
    ],
    user: { name: 'system:anonymous', groups: ['system:unauthenticated'] },
  },
];

/** Sends a request and returns the status, and the fields of the user. */
function sent(
  server: Asked,
  method: string,
  path: string,
  { shown, token, headers }: Omit<Case, 'what'>,
  body?: object,
) {
  const { certificate: cert, key } = certificates[shown ?? ''] ?? {};
  const raw = [...headers, ...(token ? [['Authorization', `Bearer ${server.token}`] as const] : [])].flat();
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const begun = request(
      `${server.url}${path}`,
      {
        method,
        headers: [...raw, 'Content-Type', 'application/json', 'Host', new URL(server.url).host] as never,
        ...{ ca: server.caCertificate, agent: false, cert, key },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    begun.on('error', reject);
    begun.end(body && JSON.stringify(body));
  });
}

async function userSeen(server: Asked, one: Case) {
  const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests?dryRun=All';
  const { status, text } = await sent(server, 'POST', path, one, signingRequest);
  if (status === 401) return undefined;
  const { username: name, groups, extra } = JSON.parse(text).spec;
  return { name, groups, ...(extra !== undefined && { extra }) };
}

function expected({ user }: Case) {
  if (user === undefined) return undefined;
  const { name, groups = [], extra } = user;
  const all = name === 'system:anonymous' ? groups : [...groups, 'system:authenticated'];
  return { name, groups: all, ...(extra && { extra }) };
}

const published = async (server: Asked): Promise<Record<string, string>> => {
  const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
  const { text } = await sent(server, 'GET', path, { token: true, headers: [] });
  return JSON.parse(text).data;
};

const publishedOfLists = {
  'requestheader-allowed-names': '["front","second"]',
  'requestheader-client-ca-file': proxies.certificate,
  'requestheader-extra-headers-prefix': '["X-Remote-Extra-","X-Ex-"]',
  'requestheader-group-headers': '["X-Remote-Group","X-Other-Group"]',
  'requestheader-username-headers': '["X-Remote-User","X-Other-User"]',
};

describe('a front proxy', () => {
  let server: Awaited<ReturnType<typeof startFullServer>>;
  beforeAll(async () => {
    server = await startFullServer({
      ...lists,
      tokens: [{ token: 'of-an-administrator', user: admin }],
      clientCaFile: file('clients.crt'),
      requestheaderClientCaFile: file('proxies.crt'),
    });
  });
  afterAll(() => server.close());

  it.for(cases.map((one) => [one.what, one] as const))('%s', async ([, one], { skip }) => {
    skip(one.shown === 'chained' && hidesChains, 'Node.js 24 does not show a server the chain of a client');
    expect(await userSeen(server, one)).toEqual(expected(one));
  });

  it('is published for the servers of other APIs', async () => {
    const { 'client-ca-file': clientCa = '', ...data } = await published(server);
    expect(data).toEqual(publishedOfLists);
    expect(clientCa).toContain(clients.certificate.trim());
    expect(clientCa).not.toContain(proxies.certificate.trim());
  });

  it('names nobody without the options of headers, and names a UID with theirs', async () => {
    const given = { requestheaderClientCaFile: file('proxies.crt') };
    await using bare = await startFullServer(given);
    const one = { what: '', shown: 'wrongName', headers: [jane, ['X-Remote-Uid', 'u1'] as const] };
    expect(await userSeen(bare, one)).toBeUndefined();
    expect(await published(bare)).toMatchObject({
      'requestheader-allowed-names': '[]',
      'requestheader-username-headers': '[]',
    });
    const names = { requestheaderUsernameHeaders: ['x-remote-user'], requestheaderUidHeaders: ['X-Remote-Uid'] };
    await using whole = await startFullServer({ ...given, ...names });
    expect(await userSeen(whole, one)).toEqual({ name: 'jane', groups: ['system:authenticated'] });
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const { text } = await sent(whole, 'POST', path, one, {});
    expect(JSON.parse(text).status.userInfo).toMatchObject({ username: 'jane', uid: 'u1' });
  });

  it.each([
    [{ requestheaderUsernameHeaders: ['X Remote'] }, /^--requestheader-username-headers: "X Remote" cannot be/],
    [{ requestheaderExtraHeadersPrefix: ['X:'] }, /^--requestheader-extra-headers-prefix: "X:" cannot be/],
    [{ requestheaderClientCaFile: '/none.crt' }, /^--requestheader-client-ca-file: cannot read .*there is none/],
  ])('%j is refused', async (change, message) => {
    const refusal = startFullServer({ requestheaderClientCaFile: file('proxies.crt'), ...change });
    await expect(refusal).rejects.toThrow(message);
  });
});

describe.skipIf(!hasKubeApiserver())('kube-apiserver believes a front proxy in the same cases', () => {
  it('users, and what is published', async () => {
    const real = await startKubeApiserver(
      '--no-controller-manager',
      ...[
        `--client-ca-file=${file('clients.crt')}`,
        `--requestheader-client-ca-file=${file('proxies.crt')}`,
        `--requestheader-allowed-names=${lists.requestheaderAllowedNames}`,
        `--requestheader-username-headers=${lists.requestheaderUsernameHeaders}`,
        `--requestheader-group-headers=${lists.requestheaderGroupHeaders}`,
        `--requestheader-extra-headers-prefix=${lists.requestheaderExtraHeadersPrefix}`,
      ].map((flag) => `--flag=${flag}`),
    );
    try {
      for (const one of cases) {
        const { groups: [...groups] = [], ...user } = (await userSeen(real, one)) ?? {};
        expect([one.what, { ...user, groups }]).toEqual([one.what, { groups: [], ...expected(one) }]);
      }
      const { 'client-ca-file': _, ...data } = await published(real);
      expect(data).toEqual(publishedOfLists);
    } finally {
      await real.stop();
    }
  });
});
