// How `--help` looks: it fits the terminal, and names stand out.
import { type Help, type HelpConfiguration, Help as Plain } from 'commander';
import { wrapped } from './terminal.js';

/** The indentation of a description below its term, where there is no room beside it. */
const below = '      ';

/** Terms are bold, headings underlined; commander removes both for an output without colours. */
export const helpStyle: HelpConfiguration = {
  styleTitle: (text) => `\u001b[4m${text}\u001b[24m`,
  styleOptionTerm: bold,
  styleSubcommandTerm: bold,
  styleArgumentTerm: bold,
  formatItem(this: Help, term: string, termWidth: number, description: string, helper: Help): string {
    const { helpWidth = 80, minWidthToWrap } = helper;
    if (helpWidth - termWidth - 4 >= minWidthToWrap)
      return Plain.prototype.formatItem.call(this, term, termWidth, description, helper);
    const lines = wrapped(description, helpWidth - below.length);
    return [`  ${term}`, ...lines.map((line) => `${below}${line}`)].join('\n');
  },
};

function bold(text: string): string {
  return `\u001b[1m${text}\u001b[22m`;
}
