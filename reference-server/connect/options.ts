// The options of connections to nodes and pods, and what is made of them.
import { createPrivateKey } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import { readAuthorities } from '../authentication/pem.js';
import { OptionError } from '../optionError.js';
import { readOptionFile } from '../optionFile.js';
import { Dialer } from './dialer.js';

export interface ConnectOptions {
  /** `--egress-proxy`: a Unix socket that serves HTTP CONNECT, the way to nodes and pods; dialled directly where absent. */
  readonly egressProxy?: string;
  /** `--kubelet-certificate-authority`: PEM, what nodes' certificates are verified with; they are not where absent. */
  readonly kubeletCertificateAuthority?: string;
  /** `--kubelet-client-certificate`: PEM, what the server shows to nodes. */
  readonly kubeletClientCertificate?: string;
  /** `--kubelet-client-key`: PEM, its key. */
  readonly kubeletClientKey?: string;
}

/** The way to nodes and pods. */
export interface Connections {
  readonly dialer: Dialer;
  /** For connections to kubelets. */
  readonly kubeletTls: ConnectionOptions;
}

/** Reads the files. Throws OptionError for those that cannot be used. */
export async function makeConnections(options: ConnectOptions = {}): Promise<Connections> {
  const { egressProxy, kubeletCertificateAuthority: authority } = options;
  const ca = authority === undefined ? undefined : await readAuthorities('--kubelet-certificate-authority', authority);
  return {
    dialer: new Dialer(egressProxy),
    kubeletTls: {
      ...(ca === undefined ? { rejectUnauthorized: false } : { ca }),
      ...(await clientOf(options)),
    },
  };
}

async function clientOf({ kubeletClientCertificate: certificate, kubeletClientKey: key }: ConnectOptions) {
  if (certificate === undefined && key === undefined) return {};
  if (certificate === undefined || key === undefined) {
    const missing = certificate === undefined ? '--kubelet-client-certificate' : '--kubelet-client-key';
    throw new OptionError(`${missing} is missing: give both, or neither`);
  }
  const pair = {
    cert: await readAuthorities('--kubelet-client-certificate', certificate),
    key: await readOptionFile('--kubelet-client-key', key),
  };
  try {
    createPrivateKey(pair.key);
  } catch {
    throw new OptionError('--kubelet-client-key holds no PEM key without a passphrase');
  }
  return pair;
}
