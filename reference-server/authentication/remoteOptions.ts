// The options of mechanisms that use a remote service or believe a proxy. The flags have the same names.

export interface RemoteAuthenticationOptions {
  /** `--oidc-issuer-url`: the https URL of the OpenID Connect issuer, spelled as in its tokens. */
  readonly oidcIssuerUrl?: string;
  /** `--oidc-client-id`: the client that ID tokens must be for. */
  readonly oidcClientId?: string;
  /** `--oidc-ca-file`: the authorities of the issuer's certificate; by default those of the system. */
  readonly oidcCaFile?: string;
  /** `--oidc-username-claim`: `sub` by default. */
  readonly oidcUsernameClaim?: string;
  /** `--oidc-groups-claim`: no groups by default. */
  readonly oidcGroupsClaim?: string;
  /** `--authentication-token-webhook-config-file`: a client configuration that names the token reviewer. */
  readonly authenticationTokenWebhookConfigFile?: string;
  /** `--authentication-token-webhook-cache-ttl`: how long verdicts are cached, `2m` by default. */
  readonly authenticationTokenWebhookCacheTtl?: string;
  /** `--experimental-keystone-url`: the https URL of an identity service of version 2.0. */
  readonly experimentalKeystoneUrl?: string;
  /** `--experimental-keystone-ca-file`: like `oidcCaFile`, for the identity service. */
  readonly experimentalKeystoneCaFile?: string;
  /** `--authentication-domain`: `<domain>` of the group `authentication.<domain>`; `k8s.io` by default. */
  readonly authenticationDomain?: string;
}

/** The users that a front proxy names: who such a proxy is, and in which headers it names them. */
export interface RequestHeaderOptions {
  /**
   * `--requestheader-client-ca-file`: PEM, the authorities of the certificates of front proxies. Without it, no header
   * names a user. The https server of an own application needs them in its `ca` too.
   */
  readonly requestheaderClientCaFile?: string;
  /** `--requestheader-allowed-names`: the common names of these certificates; any by default. */
  readonly requestheaderAllowedNames?: readonly string[];
  /** `--requestheader-username-headers`: such as `X-Remote-User`; the first that has a value counts. None by default. */
  readonly requestheaderUsernameHeaders?: readonly string[];
  /** `--requestheader-uid-headers`: such as `X-Remote-Uid`; none by default. */
  readonly requestheaderUidHeaders?: readonly string[];
  /** `--requestheader-group-headers`: such as `X-Remote-Group`, a header for each group; none by default. */
  readonly requestheaderGroupHeaders?: readonly string[];
  /** `--requestheader-extra-headers-prefix`: such as `X-Remote-Extra-`, which the escaped key follows; none by default. */
  readonly requestheaderExtraHeadersPrefix?: readonly string[];
}
