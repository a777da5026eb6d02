// How the server proves who it is to the servers of extensions, and who sends what it passes on.
import type { ConnectionOptions } from 'node:tls';
import { type Issued, issueCertificate } from '../../../test-certs/index.js';
import type { RequestHeaderOptions } from '../../authentication/remoteOptions.js';
import { clientPair } from '../../connect/options.js';
import { readOptionFile } from '../../optionValues.js';
import type { Sender } from '../../registry/admission.js';
import type { SigningKey } from '../../serviceaccounts/signingKey.js';
import { authorityNamed } from '../certificates/authority.js';

export interface FrontProxyOptions extends RequestHeaderOptions {
  /** `--proxy-client-cert-file`: PEM, the certificate that the server shows; by default one of an authority of its own. */
  readonly proxyClientCertFile?: string;
  /** `--proxy-client-key-file`: PEM, the key of the certificate. */
  readonly proxyClientKeyFile?: string;
}

const ownName = 'front-proxy-client';

type Shown = Pick<ConnectionOptions, 'cert' | 'key'>;

/** What the server shows, and what the servers of extensions have to know of it. */
export interface FrontProxy {
  /** Returns the certificate that the server shows. An own one is made when it is first needed. */
  readonly shown: () => Promise<Shown>;
  /** The fields of the ConfigMap `extension-apiserver-authentication`. */
  readonly published: Published;
}

type Published = Readonly<Record<string, string>>;

/** Reads the files of the options. Throws OptionError for an invalid one. */
export async function frontProxyOf(options: FrontProxyOptions, key: SigningKey): Promise<FrontProxy> {
  const { proxyClientCertFile, proxyClientKeyFile } = options;
  const given = await clientPair(
    ['--proxy-client-cert-file', proxyClientCertFile],
    ['--proxy-client-key-file', proxyClientKeyFile],
  );
  const own = 'cert' in given ? undefined : authorityNamed('kube-api-conformance-front-proxy-ca', key);
  let made: Promise<Shown> | undefined;
  return {
    shown() {
      made ??= own === undefined ? Promise.resolve(given) : ownCertificate(own);
      return made;
    },
    published: await publishedOf(options, own),
  };
}

/** Says of the front proxies what the options say; without their authority, what servers need to believe this one. */
async function publishedOf(options: FrontProxyOptions, own: Issued | undefined): Promise<Published> {
  const { requestheaderClientCaFile: caFile } = options;
  const usual = caFile === undefined ? usualHeaders : noHeaders;
  const ca = caFile === undefined ? own?.certificate : await readOptionFile('--requestheader-client-ca-file', caFile);
  const names = options.requestheaderAllowedNames ?? (caFile === undefined && own !== undefined ? [ownName] : []);
  const { requestheaderUidHeaders: uids = usual.uids } = options;
  return {
    'requestheader-allowed-names': JSON.stringify(names),
    ...(ca !== undefined && { 'requestheader-client-ca-file': ca }),
    'requestheader-extra-headers-prefix': JSON.stringify(options.requestheaderExtraHeadersPrefix ?? usual.extras),
    'requestheader-group-headers': JSON.stringify(options.requestheaderGroupHeaders ?? usual.groups),
    ...(uids.length > 0 && { 'requestheader-uid-headers': JSON.stringify(uids) }),
    'requestheader-username-headers': JSON.stringify(options.requestheaderUsernameHeaders ?? usual.names),
  };
}

/** The headers that this server sends. */
const usualHeaders = {
  names: ['X-Remote-User'],
  uids: ['X-Remote-Uid'],
  groups: ['X-Remote-Group'],
  extras: ['X-Remote-Extra-'],
};
const noHeaders: typeof usualHeaders = { names: [], uids: [], groups: [], extras: [] };

async function ownCertificate(issuer: Issued): Promise<Shown> {
  const { certificate: cert, key } = await issueCertificate({
    subject: { commonName: ownName },
    issuer,
    usage: 'client',
  });
  return { cert, key };
}

/** Returns the headers that name the sender of a request. */
export function senderHeaders({ name, uid, groups, extra = {} }: Sender): readonly (readonly [string, string])[] {
  const escaped = (key: string): string => encodeURIComponent(key.toLowerCase());
  return [
    ['X-Remote-User', name],
    ...(uid ? [['X-Remote-Uid', uid] as const] : []),
    ...groups.map((group) => ['X-Remote-Group', group] as const),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => [`X-Remote-Extra-${escaped(key)}`, value] as const),
    ),
  ];
}
