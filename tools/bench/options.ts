// Options of the command line that several measurements have.
import type { Command } from 'commander';

/** An option that cannot be used; the message is one line. */
export class BadOption extends Error {}

/** Reads a whole number from 1 to 9,999,999. Throws BadOption for other text. */
export function numberOf(option: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new BadOption(`--${option}: "${text}" is not a number; give one from 1 on`);
  return Number(text);
}

/** The options that choose the cases of a run, as the command line of the suite takes them. */
export interface ChosenFlags {
  readonly chapter?: string;
  readonly profile?: string;
}

/** Adds these options to a command, and returns the command. */
export const withChosenCases = (command: Command): Command =>
  command
    .option('--chapter <names>', 'only these chapters, with commas')
    .option('--profile <name>', 'smoke, standard or full');

export const chosenOf = ({ chapter, profile }: ChosenFlags): string[] => [
  ...(chapter ? ['--chapter', chapter] : []),
  ...(profile ? ['--profile', profile] : []),
];
