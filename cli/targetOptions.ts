// The options of all commands that connect to a target.
import type { Command } from 'commander';

/** Adds the options for the address of a target and its credentials. */
export function addTargetOptions(command: Command): Command {
  return command
    .option('--url <url>', 'the server, as https://host:port')
    .option('--ca <file>', "the CA that signed the server's certificate, PEM")
    .option('--token <token>', 'bearer token')
    .option('--token-file <file>', 'file with the bearer token, such as the one that is mounted into a pod')
    .option('--client-certificate <file>', 'client certificate, PEM')
    .option('--client-key <file>', 'key of the client certificate, PEM')
    .option('--insecure', "do not verify the server's certificate")
    .option('--tls-server-name <name>', "name to expect in the server's certificate, if not the host of the URL")
    .option('--namespace-server <url>', 'the server that keeps the namespaces of a target that has none itself')
    .option('--namespace-server-ca <file>', 'the CA that signed its certificate, PEM (default: that of --ca)')
    .option('--kubeconfig <file>', 'take server, CA and credentials from this kubeconfig')
    .option('--context <name>', 'context of the kubeconfig (default: its current context)');
}
