// The words and signs that the page and its script share: verdicts, their symbols, numbers, shell words.

/** Every verdict on a case, what needs attention first; the letter stands for it in the data of the page. */
export const caseVerdicts = [
  { name: 'failed', letter: 'f', symbol: '✗' },
  { name: 'not-testable', letter: 't', symbol: '!' },
  { name: 'deviation', letter: 'd', symbol: '≈' },
  { name: 'passed', letter: 'p', symbol: '✓' },
  { name: 'not-reached', letter: 'e', symbol: '·' },
  { name: 'not-run', letter: 'r', symbol: '○' },
  { name: 'not-offered', letter: 'o', symbol: '–' },
] as const;

/** A verdict on a case. */
export type CaseVerdictName = (typeof caseVerdicts)[number]['name'];

/** What a requirement without cases is. */
export const emptyStates = [
  { name: 'untested', symbol: '?' },
  { name: 'planned', symbol: '…' },
  { name: 'unobservable', symbol: '◌' },
] as const;

/** The state of a requirement or of a cell. */
export type StateName = CaseVerdictName | (typeof emptyStates)[number]['name'];

const symbols = new Map<string, string>([...caseVerdicts, ...emptyStates].map(({ name, symbol }) => [name, symbol]));

/** The sign of a state, which stands beside its colour. */
export function symbolOf(state: StateName): string {
  return symbols.get(state) ?? '?';
}

/** How a state is spelled. */
export function spell(state: StateName): string {
  return state.replace('-', ' ');
}

/** How many are in a state: `2 failed`, `2 deviations`. */
export function numbered(number: number, state: StateName): string {
  return `${number.toLocaleString('en-US')} ${state === 'deviation' && number !== 1 ? 'deviations' : spell(state)}`;
}

/** A number with its noun: `1 case`, `12,000 cases`. */
export function countOf(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}

/** The text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
