// The seven mechanisms that authenticate a request (Authentication/Mechanisms).

/** The part of a request that carries a mechanism's credential. */
type Carrier = 'tls' | 'bearer' | 'basic';

/** Every mechanism, with the carrier of its credential and the server option that enables it. */
export const mechanisms = {
  clientCertificate: { carrier: 'tls', option: '--client-ca-file' },
  staticToken: { carrier: 'bearer', option: '--token-auth-file' },
  staticPassword: { carrier: 'basic', option: '--basic-auth-file' },
  serviceAccountToken: { carrier: 'bearer', option: undefined },
  openidConnect: { carrier: 'bearer', option: '--oidc-issuer-url' },
  webhookTokenReview: { carrier: 'bearer', option: '--authentication-token-webhook-config-file' },
  identityServicePassword: { carrier: 'basic', option: '--experimental-keystone-url' },
} as const satisfies Record<string, { carrier: Carrier; option: string | undefined }>;

export type Mechanism = keyof typeof mechanisms;
