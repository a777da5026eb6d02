// The options of connections to nodes and pods.
import { createPrivateKey } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import { readAuthorities } from '../authentication/pem.js';
import { OptionError, readOptionFile } from '../optionValues.js';
import { Dialer } from './dialer.js';

export interface ConnectOptions {
  /** `--egress-proxy`: a Unix socket that serves HTTP CONNECT to nodes and pods; by default the server dials them. */
  readonly egressProxy?: string;
  /**
   * `--kubelet-certificate-authority`: PEM, the authorities of the nodes' certificates; by default they are not
   * verified.
   */
  readonly kubeletCertificateAuthority?: string;
  /** `--kubelet-client-certificate`: PEM, the client certificate of the server for nodes. */
  readonly kubeletClientCertificate?: string;
  /** `--kubelet-client-key`: PEM, the key of the client certificate. */
  readonly kubeletClientKey?: string;
}

/** The connections to nodes and pods. */
export interface Connections {
  readonly dialer: Dialer;
  readonly kubeletTls: ConnectionOptions;
}

/** Reads the files. Throws OptionError for an invalid file. */
export async function makeConnections(options: ConnectOptions = {}): Promise<Connections> {
  const { egressProxy, kubeletCertificateAuthority: authority } = options;
  const ca = authority === undefined ? undefined : await readAuthorities('--kubelet-certificate-authority', authority);
  return {
    dialer: new Dialer(egressProxy),
    kubeletTls: {
      ...(ca === undefined ? { rejectUnauthorized: false } : { ca }),
      ...(await clientPair(
        ['--kubelet-client-certificate', options.kubeletClientCertificate],
        ['--kubelet-client-key', options.kubeletClientKey],
      )),
    },
  };
}

/** An option with the name of a file. */
type FileOption = readonly [name: string, file: string | undefined];

/** Reads a client certificate and its key, if both are given. Throws OptionError for one of them, and for an invalid file. */
export async function clientPair([certName, certificate]: FileOption, [keyName, key]: FileOption) {
  if (certificate === undefined && key === undefined) return {};
  if (certificate === undefined || key === undefined) {
    throw new OptionError(`${certificate === undefined ? certName : keyName} is missing: give both, or neither`);
  }
  const pair = { cert: await readAuthorities(certName, certificate), key: await readOptionFile(keyName, key) };
  try {
    createPrivateKey(pair.key);
  } catch {
    throw new OptionError(`${keyName} holds no PEM key without a passphrase`);
  }
  return pair;
}
