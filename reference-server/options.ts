// What a server is started with, and what is made up where an option is absent.
import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { apiVersionOf, groupVersions, type Verb } from '../matrix/api/index.js';
import type { AuthenticationOptions } from './authentication/options.js';
import { readAuthorities } from './authentication/pem.js';
import { readTokenFile, type StaticToken } from './authentication/staticToken.js';
import type { AuthorizationMode } from './authorization/authorizer.js';
import { type Connections, type ConnectOptions, makeConnections } from './connect/options.js';
import { ownKubeVersion } from './discovery.js';
import { readSurroundings, type Surroundings, type SurroundingsOptions } from './edge/surroundings.js';
import { type Lacks, lacking } from './features/features.js';
import { OptionError } from './optionError.js';
import type { Handler } from './request.js';
import { type IsEnabled, parseRuntimeConfig } from './runtimeConfig.js';

/** PEM, all of it. */
export interface ServerTls {
  /** The server's certificate; intermediate ones may follow it. */
  readonly certificate: string;
  readonly key: string;
  /** What clients should trust; the last certificate of the chain unless given. */
  readonly ca?: string;
}

export interface ServerOptions extends AuthenticationOptions, ConnectOptions, SurroundingsOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** 127.0.0.1 by default. */
  readonly bindAddress?: string;
  /** Made, with an authority of its own, where absent. */
  readonly tls?: ServerTls;
  /** Static tokens beside the file's. Where there are neither, a random one is made for an administrator. */
  readonly tokens?: readonly StaticToken[];
  /** `--data-dir`: where what is written is kept; in memory only where absent. */
  readonly dataDir?: string;
  /** `--vendor`: the name in the media type of protobuf; `kubernetes` by default (readings, 1). */
  readonly vendor?: string;
  /** `--without`: features that the server does not have, by name; none by default. */
  readonly without?: readonly string[];
  /** `--kube-version`: the version that `/version` says, such as `1.36`; `1.5` by default. */
  readonly kubeVersion?: string;
  /** `--authorization-mode`: who may do what; `AlwaysAllow` by default. */
  readonly authorizationMode?: AuthorizationMode;
  /** Verb handlers to use instead of the server's own: for tests of the pipeline. */
  readonly handlers?: Readonly<Record<Verb, Handler>>;
  /** Told of each refused credential: the mechanism and the reason, never the credential. */
  readonly onRejection?: (mechanism: string, reason: string) => void;
}

export interface CompleteOptions extends ServerOptions {
  readonly port: number;
  readonly bindAddress: string;
  readonly tls: Required<ServerTls>;
  /** Those of the file too, and the one that was made up. */
  readonly tokens: readonly StaticToken[];
  readonly authenticationDomain: string;
  readonly vendor: string;
  /** PEM: the authorities of `--client-ca-file`. */
  readonly clientAuthorities: string | undefined;
  /** The way to nodes and pods. */
  readonly connections: Connections;
  /** What `--runtime-config` says of a group version. */
  readonly isEnabled: IsEnabled;
  readonly kubeVersion: string;
  readonly lacks: Lacks;
  readonly surroundings: Surroundings;
  readonly authorizationMode: AuthorizationMode;
}

/** Fills in what is absent. Throws OptionError for a file, certificate or key that cannot be used. */
export async function completeOptions(options: ServerOptions): Promise<CompleteOptions> {
  const { port = 0, bindAddress = '127.0.0.1', clientCaFile } = options;
  const { authenticationDomain = 'k8s.io', vendor = 'kubernetes' } = options;
  const tls = options.tls === undefined ? await makeTls(bindAddress) : checkTls(options.tls);
  const clientAuthorities =
    clientCaFile === undefined ? undefined : await readAuthorities('--client-ca-file', clientCaFile);
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(authenticationDomain)) {
    throw new OptionError(`--authentication-domain: "${authenticationDomain}" is no domain; give one like k8s.io`);
  }
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(vendor)) {
    throw new OptionError(`--vendor: "${vendor}" cannot be in a media type; give a name like kubernetes`);
  }
  const { kubeVersion = ownKubeVersion } = options;
  if (!/^\d{1,2}\.\d{1,3}$/.test(kubeVersion))
    throw new OptionError(`--kube-version: "${kubeVersion}" is no version; write it as 1.36`);
  const optional = [...onRequest, `authentication.${authenticationDomain}/v1beta1`];
  return {
    ...options,
    port,
    bindAddress,
    tls,
    clientAuthorities,
    authenticationDomain,
    connections: await makeConnections(options),
    vendor,
    kubeVersion,
    surroundings: readSurroundings(options),
    lacks: lacking(options.without ?? []),
    authorizationMode: options.authorizationMode ?? 'AlwaysAllow',
    isEnabled: parseRuntimeConfig(options.runtimeConfig ?? '', optional),
    tokens: await allTokens(options),
  };
}

/** The group versions that are off unless they are enabled (Authentication/Webhook token review, 3). */
const onRequest = groupVersions.filter((each) => each.onRequest === true).map(apiVersionOf);

async function allTokens({ tokenAuthFile, tokens = [] }: ServerOptions): Promise<readonly StaticToken[]> {
  if (tokenAuthFile !== undefined) return [...tokens, ...(await readTokenFile(tokenAuthFile))];
  return tokens.length > 0 ? tokens : [{ token: randomBytes(24).toString('base64url'), user: administrator }];
}

const administrator = { name: 'admin', uid: 'admin', groups: ['system:masters'] };

async function makeTls(bindAddress: string): Promise<Required<ServerTls>> {
  const { makeServerCertificates } = await import('../test-certs/serverCertificates.js');
  const names = isIP(bindAddress) ? [`IP:${bindAddress}`] : [`DNS:${bindAddress}`];
  const { ca, server } = await makeServerCertificates(bindAddress, { names });
  return { ...server, ca: ca.certificate };
}

function checkTls({ certificate, key, ca }: ServerTls): Required<ServerTls> {
  const chain = certificate.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [];
  const leaf = attempt('--tls-cert-file holds no PEM certificate', () => new X509Certificate(chain[0] ?? ''));
  const privateKey = attempt('--tls-private-key-file holds no PEM key without a passphrase', () =>
    createPrivateKey(key),
  );
  if (!leaf.checkPrivateKey(privateKey)) {
    throw new OptionError('--tls-private-key-file does not belong to the certificate of --tls-cert-file');
  }
  return { certificate, key, ca: ca ?? chain.at(-1) ?? certificate };
}

function attempt<Result>(complaint: string, read: () => Result): Result {
  try {
    return read();
  } catch {
    throw new OptionError(complaint);
  }
}
