// The flags of a program as Go's libraries read them: `--name=value`, `--name value`, `--name`.

/** Returns the values of each flag, in order; `true` for a flag without a value. Words that are no flags are left out. */
export function flagsIn(words: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const flags = new Map<string, string[]>();
  for (const [place, word] of words.entries()) {
    const [, name, , given] = /^--?([A-Za-z][\w-]*)(=([\s\S]*))?$/.exec(word) ?? [];
    if (name === undefined) continue;
    const next = words[place + 1];
    const value = given ?? (next === undefined || next.startsWith('-') ? 'true' : next);
    flags.set(name, [...(flags.get(name) ?? []), value]);
  }
  return flags;
}

/** Returns the last value of a flag. */
export const lastOf = (flags: ReadonlyMap<string, readonly string[]>, name: string): string | undefined =>
  flags.get(name)?.at(-1);

/** Returns the help of a program: a line for each flag, as those look for it who ask which flags there are. */
export const helpOf = (program: string, flags: Readonly<Record<string, string>>): string =>
  [`${program}: a stand-in by kube-api-conformance`, '', 'Flags:', '']
    .concat(Object.entries(flags).map(([name, text]) => `      --${name.padEnd(40)} ${text}`))
    .join('\n');
