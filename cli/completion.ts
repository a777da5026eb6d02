// The `completion` command: prints a script that completes commands, options and their values in a shell.
import type { Command } from 'commander';
import { chapters, requirements } from '../suites/requirements/index.js';
import { valuesOf } from './optionValues.js';

const shells = { bash, zsh, fish } as const;

export function registerCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes the commands and options of this program in a shell')
    .argument('<shell>', Object.keys(shells).join(', '))
    .addHelpText('after', usage)
    .action(async (shell: string, _: object, command: Command) => {
      const render = Object.entries(shells).find(([name]) => name === shell)?.[1];
      if (render === undefined)
        command.error(`there is no completion for ${shell}: give ${Object.keys(shells).join(', ')}`);
      const { serverFeatures } = await import('./serve/serve.js');
      process.stdout.write(render(program.name(), withHelp(completed(program, serverFeatures))));
    });
}

const usage = `
To use it, in the file that your shell reads when it starts:
  bash  source <(kube-api-conformance completion bash)
  zsh   source <(kube-api-conformance completion zsh), after compinit
  fish  kube-api-conformance completion fish | source
`;

/** Adds the command that shows the help of another one. */
function withHelp([root, ...commands]: readonly CompletedCommand[]): readonly CompletedCommand[] {
  if (root === undefined) return [];
  const help = { words: ['help'], description: 'show the help of a command', options: [], next: root.next };
  return [{ ...root, next: [...root.next, 'help'] }, help, ...commands];
}

interface CompletedOption {
  readonly names: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  /** Whether the value is a list with commas. */
  readonly isList: boolean;
  /** The known values; any file where there are none. */
  readonly values: readonly string[];
}

interface CompletedCommand {
  /** The name, after that of its parent if it has one. */
  readonly words: readonly string[];
  readonly description: string;
  readonly options: readonly CompletedOption[];
  /** The names of subcommands, or the known arguments. */
  readonly next: readonly string[];
}

/** Returns a command and all below it, without the hidden ones. */
function completed(
  command: Command,
  serverFeatures: readonly string[],
  above: readonly string[] = [],
): CompletedCommand[] {
  const help = command.createHelp();
  const below = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  const own = {
    words: above,
    description: command.description(),
    options: help.visibleOptions(command).map(
      (option): CompletedOption => ({
        names: [option.short, option.long].filter((name) => name !== undefined),
        description: option.description,
        takesValue: option.required || option.optional,
        isList: /<(names|features)>/.test(option.flags),
        values: option.long === '--without' ? serverFeatures : valuesOf(option),
      }),
    ),
    next: below.length > 0 ? below.map((one) => one.name()) : argumentsOf(above),
  };
  return [own, ...below.flatMap((one) => completed(one, serverFeatures, [...above, one.name()]))];
}

function argumentsOf([name]: readonly string[]): readonly string[] {
  if (name === 'completion') return Object.keys(shells);
  return name === 'explain' ? [...Object.keys(chapters), ...requirements.map(({ id }) => id)] : [];
}

/** Returns a function for bash that completes the word at the cursor; the last of several in a list with commas. */
function bash(name: string, commands: readonly CompletedCommand[]): string {
  const tables = commands.map(({ words, options, next }) => {
    const values = options
      .filter(({ takesValue }) => takesValue)
      .map(({ names, values }) => `        ${names.join('|')}) values='${values.join(' ')}'; given=1 ;;\n`);
    return `    '${words.join(' ')}')
      options='${options.flatMap(({ names }) => names).join(' ')}' words='${next.join(' ')}'
      case "$previous" in\n${values.join('')}      esac ;;\n`;
  });
  const parents = commands.filter(({ words }) => words.length === 2).map(({ words }) => words.join(' '));
  const functionName = `_${name.replaceAll('-', '_')}`;
  return `${functionName}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command='' options='' words='' values='' given='' prefix=''
  # \`--option=value\` is one word, or three where = divides words.
  if [[ $current == --*=* ]]; then previous="\${current%%=*}" prefix="\${current%%=*}=" current="\${current#*=}"
  elif [[ $current == = ]]; then current=''
  elif [[ $previous == = ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  [[ $COMP_CWORD -gt 1 ]] && command="\${COMP_WORDS[1]}"
  if [[ $COMP_CWORD -gt 2 ]]; then
    case "$command \${COMP_WORDS[2]}" in ${parents.map((words) => `'${words}'`).join('|')}) command="$command \${COMP_WORDS[2]}" ;; esac
  fi
  case "$command" in
${tables.join('')}  esac
  if [[ -z $given && $current == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -z $given ]]; then COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [[ -z $values ]]; then COMPREPLY=($(compgen -P "$prefix" -f -- "$current"))
  elif [[ $current == *,* ]]; then COMPREPLY=($(compgen -P "$prefix\${current%,*}," -W "$values" -- "\${current##*,}"))
  else COMPREPLY=($(compgen -P "$prefix" -W "$values" -- "$current")); fi
}
complete -o default -F ${functionName} ${name}
`;
}

function zsh(name: string, commands: readonly CompletedCommand[]): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash(name, commands)}`;
}

function fish(name: string, commands: readonly CompletedCommand[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap(({ words, options, next }) => {
    const tests = words.map((word) => `__fish_seen_subcommand_from ${word}`);
    const isHere = tests.length === 0 ? '__fish_use_subcommand' : tests.join('; and ');
    const begin = `complete -c ${name} -n ${quoted(isHere)}`;
    const below = next.map((word) => {
      const about = words[0] === 'help' ? word : [...words, word].join(' ');
      const { description = '' } = commands.find((one) => one.words.join(' ') === about) ?? {};
      return `${begin} -f -a ${word}${description === '' ? '' : ` -d ${quoted(description)}`}`;
    });
    const own = options.map(({ names, description, takesValue, isList, values }) => {
      const flags = names.map((one) => (one.startsWith('--') ? `-l ${one.slice(2)}` : `-s ${one.slice(1)}`));
      const choices = isList ? `(__fish_complete_list , "printf '%s\\n' ${values.join(' ')}")` : values.join(' ');
      const value = values.length > 0 ? ` -x -a ${quoted(choices)}` : ' -r';
      return `${begin} ${flags.join(' ')}${takesValue ? value : ''} -d ${quoted(description)}`;
    });
    return [...below, ...own];
  });
  return `${lines.join('\n')}\n`;
}
