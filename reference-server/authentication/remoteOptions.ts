// The options of the mechanisms that ask a remote service, as the flags of the same names give them.

export interface RemoteAuthenticationOptions {
  /** `--oidc-issuer-url`: the https URL of the OpenID Connect issuer, as its tokens name it. */
  readonly oidcIssuerUrl?: string;
  /** `--oidc-client-id`: the client that ID tokens must be for. */
  readonly oidcClientId?: string;
  /** `--oidc-ca-file`: authorities that the issuer's certificate is verified with; the system's where absent. */
  readonly oidcCaFile?: string;
  /** `--oidc-username-claim`: `sub` where absent. */
  readonly oidcUsernameClaim?: string;
  /** `--oidc-groups-claim`: no groups where absent. */
  readonly oidcGroupsClaim?: string;
  /** `--authentication-token-webhook-config-file`: a client configuration that names the token reviewer. */
  readonly authenticationTokenWebhookConfigFile?: string;
  /** `--authentication-token-webhook-cache-ttl`: how long verdicts are remembered, such as `2m`, which is the default. */
  readonly authenticationTokenWebhookCacheTtl?: string;
  /** `--experimental-keystone-url`: the https URL of an identity service of version 2.0. */
  readonly experimentalKeystoneUrl?: string;
  /** `--experimental-keystone-ca-file`: as `oidcCaFile`, for the identity service. */
  readonly experimentalKeystoneCaFile?: string;
  /** `--authentication-domain`: `<domain>` of the group `authentication.<domain>`; `k8s.io` where absent. */
  readonly authenticationDomain?: string;
}
