// The words and signs that the page and its script share: verdicts, symbols, numbers, shell words.

/** Every verdict of a case, the most urgent first. The letter is its code in the data of the page. */
export const caseVerdicts = [
  { name: 'failed', letter: 'f', symbol: '✗' },
  { name: 'blocked', letter: 'b', symbol: '!' },
  { name: 'known-deviation', letter: 'd', symbol: '≈' },
  { name: 'passed', letter: 'p', symbol: '✓' },
  { name: 'skipped', letter: 's', symbol: '○' },
  { name: 'not-supported', letter: 'n', symbol: '–' },
] as const;

export type CaseVerdictName = (typeof caseVerdicts)[number]['name'];

/** The reasons for skipped cases, with their wording. */
export const skipReasons = [
  { name: 'not-selected', said: 'not selected' },
  { name: 'not-reached', said: 'not reached' },
  { name: 'not-safe', said: 'not safe here' },
  { name: 'could-not-run', said: 'could not run' },
] as const;

export function skipWord(skip: (typeof skipReasons)[number]['name']): string {
  return skipReasons.find(({ name }) => name === skip)?.said ?? skip;
}

/** The levels of requirements, as readers see them too. */
export const levels = ['required', 'recommended'] as const;

export type LevelWord = (typeof levels)[number];

/** The states of requirements without cases. */
export const emptyStates = [
  { name: 'untested', symbol: '?' },
  { name: 'unobservable', symbol: '◌' },
] as const;

/** The state of a requirement or of a cell. */
export type StateName = CaseVerdictName | (typeof emptyStates)[number]['name'];

const symbols = new Map<string, string>([...caseVerdicts, ...emptyStates].map(({ name, symbol }) => [name, symbol]));

/** Returns the sign of a state, which is shown next to its colour. */
export function symbolOf(state: StateName): string {
  return symbols.get(state) ?? '?';
}

/** `known-deviation` → `known deviation`. */
export function stateWord(state: StateName): string {
  if (state === 'unobservable') return 'not observable';
  return state.replace('-', ' ');
}

/** Returns the number of cases in a state: `2 failed`, `2 known deviations`. */
export function stateCount(number: number, state: StateName): string {
  return `${number.toLocaleString('en-US')} ${stateWord(state)}${state === 'known-deviation' && number !== 1 ? 's' : ''}`;
}

/** Returns a number with its noun: `1 case`, `12,000 cases`. */
export function countOf(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}

/** Returns the same of what is not shown: `1 more case`, `12,000 more cases`. */
export const moreOf = (number: number, noun: string): string => countOf(number, `more ${noun}`);

export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
