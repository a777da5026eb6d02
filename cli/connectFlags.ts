// The flags of `serve` that say how nodes and pods are reached, named as the server's options are.
import type { Command } from 'commander';
import type { ServerOptions } from '../reference-server/index.js';

const flags = {
  egressProxy: [
    '--egress-proxy <file>',
    'Unix socket of an HTTP CONNECT proxy that reaches nodes and pods (default: direct connections)',
  ],
  kubeletCertificateAuthority: [
    '--kubelet-certificate-authority <file>',
    "CAs of the nodes' certificates, PEM (default: not verified)",
  ],
  kubeletClientCertificate: [
    '--kubelet-client-certificate <file>',
    'client certificate that the server presents to nodes, PEM',
  ],
  kubeletClientKey: ['--kubelet-client-key <file>', 'the key of --kubelet-client-certificate, PEM'],
} as const satisfies Partial<Record<keyof ServerOptions, readonly [flag: string, description: string]>>;

type Name = keyof typeof flags;

/** What the command line holds of them. */
export type ConnectFlags = Pick<ServerOptions, Name>;

/** Adds the flags to a command. */
export function addConnectFlags(command: Command): void {
  for (const [flag, description] of Object.values(flags)) command.option(flag, description);
}

/** The options that the flags give; those that were not given are absent. */
export function connectOptions(given: ConnectFlags): ConnectFlags {
  const names = Object.keys(flags) as Name[];
  return Object.fromEntries(names.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]));
}
