// The options of the API, and their defaults.
import { randomBytes } from 'node:crypto';
import { apiVersionOf, groupVersions, type Resource, type Verb } from '../matrix/api/index.js';
import type { AuthenticationOptions, AuthenticatorOptions } from './authentication/options.js';
import { readAuthorities } from './authentication/pem.js';
import { readTokenFile, type StaticToken } from './authentication/staticToken.js';
import type { AuthorizationMode } from './authorization/authorizer.js';
import { type Connections, type ConnectOptions, makeConnections } from './connect/options.js';
import { ownKubeVersion } from './discovery/discovery.js';
import { disabledBy } from './features/features.js';
import type { OpenStorage } from './openStorage.js';
import { OptionError } from './optionValues.js';
import type { Handler } from './request.js';
import { parseRuntimeConfig } from './runtimeConfig.js';
import { tableWith } from './versions/servedResources.js';

export interface AppOptions extends AuthenticationOptions, ConnectOptions {
  /** PEM: the certificate authority for clients, for `ca.crt` in the Secrets of service accounts; empty by default. */
  readonly rootCa?: string;
  /**
   * Static tokens in addition to those of the file. If there are none at all, a random token of an administrator is
   * generated.
   */
  readonly tokens?: readonly StaticToken[];
  /**
   * Tokens of the cluster's own components, such as simulated nodes; none by default. The mode RBAC grants the nodes what
   * the authorization mode Node does.
   */
  readonly componentTokens?: readonly StaticToken[];
  /** Opens the storage of the objects; by default they are only in memory. */
  readonly openStorage?: () => Promise<OpenStorage>;
  /** `--vendor`: the name in the media type of protobuf; `kubernetes` by default (readings, 1). */
  readonly vendor?: string;
  /** `--without`: features that the server does not have, by name; none by default. */
  readonly without?: readonly string[];
  /** `--kube-version`: the version that `/version` returns, such as `1.36`; by default that of the addons, or `1.5`. */
  readonly kubeVersion?: string;
  /** `--watch-cache`: false serves clients as a server without a watch cache does; true by default. */
  readonly watchCache?: boolean;
  /** `--authorization-mode`: the authorization of users; `AlwaysAllow` by default. */
  readonly authorizationMode?: AuthorizationMode;
  /** `--max-object-size`: the largest object that clients may write, in bytes of JSON; 1,572,864 by default. */
  readonly maxObjectSize?: number;
  /** `--latency`: the delay of every request, in milliseconds; 0 by default. */
  readonly latency?: number;
  /** `--crash-on`: the first request of this method and path ends the process with code 70. */
  readonly crashOn?: string;
  /** Verb handlers that replace the server's own, for tests of the middleware. */
  readonly handlers?: Readonly<Record<Verb, Handler>>;
  /** Receives each refused credential: the mechanism and the reason, never the credential. */
  readonly onRejection?: (mechanism: string, reason: string) => void;
}

export type CompleteOptions = AppOptions &
  AuthenticatorOptions & {
    readonly vendor: string;
    /** The connections to nodes and pods. */
    readonly connections: Connections;
    readonly kubeVersion: string;
    /** Every resource of the server, and the verbs that are served though the interface does not have them. */
    readonly resources: readonly Resource[];
    readonly laterVerbs: ReadonlySet<Verb>;
    readonly authorizationMode: AuthorizationMode;
  };

/** What can be registered for the surface of a server. */
export interface SurfaceAddon {
  /** The version of Kubernetes that has what the addon adds. */
  readonly kubeVersion?: string;
  readonly kinds?: readonly { readonly resource: Resource }[];
  /** The handlers of verbs, some of which the interface does not have. */
  readonly verbs?: Partial<Record<Verb, unknown>>;
  /** The minor versions since which servers have verbs; others have no age. */
  readonly since?: Partial<Record<Verb, number>>;
}

const optionsOfProxies = [
  ['requestheaderAllowedNames', '--requestheader-allowed-names'],
  ['requestheaderUsernameHeaders', '--requestheader-username-headers'],
  ['requestheaderUidHeaders', '--requestheader-uid-headers'],
  ['requestheaderGroupHeaders', '--requestheader-group-headers'],
  ['requestheaderExtraHeadersPrefix', '--requestheader-extra-headers-prefix'],
] as const satisfies readonly (readonly [keyof AppOptions, string])[];

/** In bytes. */
const leastObjectSize = 16_384;

/** Sets the defaults. Throws OptionError for an invalid value or file. */
export async function completeOptions(
  options: AppOptions,
  addons: readonly SurfaceAddon[] = [],
): Promise<CompleteOptions> {
  const { authenticationDomain = 'k8s.io', vendor = 'kubernetes', requestheaderClientCaFile: proxyCa } = options;
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(authenticationDomain)) {
    throw new OptionError(`--authentication-domain: "${authenticationDomain}" is not a domain; give one like k8s.io`);
  }
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(vendor)) {
    throw new OptionError(`--vendor: "${vendor}" cannot be in a media type; give a name like kubernetes`);
  }
  const { maxObjectSize = leastObjectSize } = options;
  if (maxObjectSize < leastObjectSize)
    throw new OptionError(
      `--max-object-size: "${maxObjectSize}" is too little for what the server itself writes; give at least ${leastObjectSize}`,
    );
  const ofProxy = proxyCa === undefined ? optionsOfProxies.find(([name]) => options[name] !== undefined) : undefined;
  if (ofProxy !== undefined)
    throw new OptionError(`${ofProxy[1]} requires --requestheader-client-ca-file, which is missing`);
  const ofAddons = addons.find((addon) => addon.kubeVersion !== undefined)?.kubeVersion;
  const { kubeVersion = ofAddons ?? ownKubeVersion } = options;
  if (!/^\d{1,2}\.\d{1,3}$/.test(kubeVersion))
    throw new OptionError(`--kube-version: "${kubeVersion}" is not a version; write it as 1.36`);
  const resources = tableWith(addons.flatMap(({ kinds = [] }) => kinds.map(({ resource }) => resource)));
  const optional = [...onRequest, `authentication.${authenticationDomain}/v1beta1`];
  return {
    ...options,
    authenticationDomain,
    connections: await makeConnections(options),
    vendor,
    kubeVersion,
    resources,
    laterVerbs: new Set(addons.flatMap((addon) => verbsOf(addon, Number(kubeVersion.split('.')[1])))),
    lacks: disabledBy(options.without ?? [], resources),
    ...(proxyCa !== undefined && {
      proxyAuthorities: await readAuthorities('--requestheader-client-ca-file', proxyCa),
    }),
    authorizationMode: options.authorizationMode ?? 'AlwaysAllow',
    isEnabled: parseRuntimeConfig(
      options.runtimeConfig ?? '',
      optional,
      resources.map(({ groupVersion: { group } }) => group).filter((group) => group !== ''),
    ),
    tokens: await clientTokens(options),
  };
}

/** The verbs that an addon has on a server of a minor version. */
const verbsOf = ({ verbs = {}, since = {} }: SurfaceAddon, minor: number): readonly Verb[] =>
  (Object.keys(verbs) as Verb[]).filter((verb) => minor >= (since[verb] ?? 0));

/** The group versions that are disabled by default (Authentication/Webhook token review, 3). */
const onRequest = groupVersions.filter((each) => each.onRequest === true).map(apiVersionOf);

async function clientTokens({ tokenAuthFile, tokens = [] }: AppOptions): Promise<readonly StaticToken[]> {
  if (tokenAuthFile !== undefined) return [...tokens, ...(await readTokenFile(tokenAuthFile))];
  return tokens.length > 0 ? tokens : [{ token: randomBytes(24).toString('base64url'), user: administrator }];
}

const administrator = { name: 'admin', uid: 'admin', groups: ['system:masters'] };
