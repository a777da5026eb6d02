// The syntax of patterns on present servers, which are written in Go, put in that of the engine: names of character classes
// in any spelling, and groups that share a name.

/** The other names of the categories, with those of the engine. */
const categories: Record<string, string> = {
  letter: 'L',
  casedletter: 'LC',
  uppercaseletter: 'Lu',
  lowercaseletter: 'Ll',
  titlecaseletter: 'Lt',
  modifierletter: 'Lm',
  otherletter: 'Lo',
  mark: 'M',
  combiningmark: 'M',
  nonspacingmark: 'Mn',
  spacingmark: 'Mc',
  enclosingmark: 'Me',
  number: 'N',
  decimalnumber: 'Nd',
  digit: 'Nd',
  letternumber: 'Nl',
  othernumber: 'No',
  punctuation: 'P',
  punct: 'P',
  connectorpunctuation: 'Pc',
  dashpunctuation: 'Pd',
  openpunctuation: 'Ps',
  closepunctuation: 'Pe',
  initialpunctuation: 'Pi',
  finalpunctuation: 'Pf',
  otherpunctuation: 'Po',
  symbol: 'S',
  mathsymbol: 'Sm',
  currencysymbol: 'Sc',
  modifiersymbol: 'Sk',
  othersymbol: 'So',
  separator: 'Z',
  spaceseparator: 'Zs',
  lineseparator: 'Zl',
  paragraphseparator: 'Zp',
  other: 'C',
  control: 'Cc',
  cntrl: 'Cc',
  format: 'Cf',
  surrogate: 'Cs',
  privateuse: 'Co',
  unassigned: 'Cn',
  any: 'Any',
  assigned: 'Assigned',
};
for (const name of [...new Set(Object.values(categories))]) categories[name.toLowerCase()] = name;

/** What matters of a pattern: quoted text, an escape, a class by its name, a group with a name, and the ends of a set. */
const tokens =
  /\\Q[\s\S]*?(?:\\E|$)|\\(?<which>[pP])(?:\{(?<not>\^?)(?<name>[^{}]*)\}|(?<letter>[a-zA-Z]))|\\[\s\S]|\[:\^?[a-z]+:\]|\[\^?\]?|\]|\(\?(?<sign>P?)<(?<group>\w+)>/g;

type Groups = Readonly<Record<'which' | 'not' | 'name' | 'letter' | 'sign' | 'group', string | undefined>>;

/** Returns a pattern in the syntax of the engine. Throws an error for a class that has no name in it. */
export function engineSyntax(pattern: string): string {
  if (!/\\[pP]|\(\?P?</.test(pattern)) return pattern;
  const groups = new Map<string, number>();
  let isInSet = false;
  return pattern.replace(tokens, (token: string, ...found: unknown[]) => {
    const { which, not = '', name, letter, sign, group } = found.at(-1) as Groups;
    if (which !== undefined) return characters(token, (which === 'P') !== (not === '^'), name ?? letter ?? '', isInSet);
    if (isInSet) {
      // A bracket in a set is a character, and what follows it too: it may end the set.
      if (token.startsWith('[') && !token.startsWith('[:')) isInSet = !token.endsWith(']');
      else if (token === ']') isInSet = false;
      return token;
    }
    if (token.startsWith('[')) isInSet = true;
    if (group === undefined) return token;
    const count = (groups.get(group) ?? 0) + 1;
    groups.set(group, count);
    return count === 1 ? token : `(?${sign}<${group}_${count}>`;
  });
}

/** Returns the characters of a class, or those outside it. */
function characters(token: string, isNot: boolean, name: string, isInSet: boolean): string {
  const plain = name.toLowerCase().replace(/[ _-]/g, '');
  if (plain === 'ascii') return isInSet ? (isNot ? '\\x{80}-\\x{10FFFF}' : '\\x00-\\x7F') : asciiSet(isNot);
  const known = categories[plain] ?? scriptOf(name);
  if (known === undefined) throw new Error(`error parsing regexp: invalid character class range: \`${token}\``);
  return `\\${isNot ? 'P' : 'p'}{${known}}`;
}

const asciiSet = (isNot: boolean): string => (isNot ? '[^\\x00-\\x7F]' : '[\\x00-\\x7F]');

/** Returns the usual spelling of the name of a script, such as Old_Italic. */
function scriptOf(name: string): string | undefined {
  const words = name.split(/[ _-]/);
  const usual = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()).join('_');
  return [name, usual].find(isScript);
}

function isScript(name: string): boolean {
  if (!/^\w+$/.test(name)) return false;
  try {
    return new RegExp(`\\p{Script=${name}}`, 'u') !== undefined;
  } catch {
    return false;
  }
}
