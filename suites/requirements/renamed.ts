// Chapters with a new name. Target files, baselines and older evidence may contain the old name.

const renamedChapters: Readonly<Record<string, string>> = { conventions: 'responses' };

/** Returns the current name of a chapter; other names stay unchanged. */
export function currentChapter(name: string): string {
  return Object.hasOwn(renamedChapters, name) ? (renamedChapters[name] ?? name) : name;
}

/** Returns the current id of a requirement or a case whose id may begin with an old chapter name. */
export function currentId(id: string): string {
  const dot = id.indexOf('.');
  const chapter = id.slice(0, Math.max(dot, 0));
  const current = currentChapter(chapter);
  return current === chapter ? id : current + id.slice(dot);
}
