// The options of authentication. Each mechanism that has one is enabled by it; any several go together.
import type { RemoteAuthenticationOptions } from './remoteOptions.js';

export interface AuthenticationOptions extends RemoteAuthenticationOptions {
  /** `--client-ca-file`: PEM, the authorities that client certificates are verified with. */
  readonly clientCaFile?: string;
  /** `--token-auth-file`: a CSV file of static tokens. */
  readonly tokenAuthFile?: string;
  /** `--basic-auth-file`: a CSV file of static passwords. */
  readonly basicAuthFile?: string;
  /** `--service-account-key-file`: PEM, the private key that signs service account tokens; made where absent. */
  readonly serviceAccountKeyFile?: string;
  /** `--anonymous-auth`: lets requests without credentials in, as a user of their own. */
  readonly anonymousAuth?: boolean;
  /** `--runtime-config`: group versions to enable, `<group>/<version>=true` with commas between them. */
  readonly runtimeConfig?: string;
}
