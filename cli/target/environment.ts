// Options from environment variables: `--token-file` is KUBE_API_CONFORMANCE_TOKEN_FILE.
import { type Command, Option } from 'commander';

/**
 * Lets variables give the options that the command gets from now on; the command line overrides them. An empty variable
 * counts for nothing, and `0` and `false` leave an option without a value out.
 */
export function withEnvironment(command: Command): Command {
  command.createOption = (flags, description) => {
    const option = new Option(flags, description);
    const name = `KUBE_API_CONFORMANCE_${option.name().toUpperCase().replaceAll('-', '_')}`;
    const value = process.env[name] ?? '';
    const isOff = option.required || option.optional ? value === '' : ['', '0', 'false'].includes(value);
    return isOff ? option : option.env(name);
  };
  return command;
}
