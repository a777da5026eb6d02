// Chapters that have another name now. Target files, baselines and evidence of before still name the old one.

const renamedChapters: Readonly<Record<string, string>> = { conventions: 'responses' };

/** The name that a chapter has now; what is no old name stays as it is. */
export function currentChapter(name: string): string {
  return Object.hasOwn(renamedChapters, name) ? (renamedChapters[name] ?? name) : name;
}

/** The id that a requirement or a case has now, from one that may begin with an old name of its chapter. */
export function currentId(id: string): string {
  const dot = id.indexOf('.');
  return dot === -1 ? id : `${currentChapter(id.slice(0, dot))}${id.slice(dot)}`;
}
