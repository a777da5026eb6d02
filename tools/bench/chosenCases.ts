// The options of a measurement that choose the cases of its run.
import type { Command } from 'commander';

/** The values of the options, as the command line of the suite takes them. */
export interface ChosenFlags {
  readonly chapter?: string;
  readonly profile?: string;
}

/** Adds the options to a command, and returns it. */
export const withChosenCases = (command: Command): Command =>
  command
    .option('--chapter <names>', 'only these chapters, with commas')
    .option('--profile <name>', 'smoke, standard or full');

/** Returns the options for the command line of the suite. */
export const chosenOf = ({ chapter, profile }: ChosenFlags): string[] => [
  ...(chapter ? ['--chapter', chapter] : []),
  ...(profile ? ['--profile', profile] : []),
];
