// The options of mechanisms that use a remote service. The flags have the same names.

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
