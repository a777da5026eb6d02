// Why a file cannot be used, in the words of all messages.

/** What the codes of the operating system say about a file, for a sentence. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission',
  EEXIST: 'it, or a part of its path, is there already',
  EISDIR: 'it is a folder',
  ENOENT: 'there is none',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'it, or a part of its path, is no folder',
  EPERM: 'this user has no permission',
  EROFS: 'the file system is read-only',
};

/** Returns why a file cannot be used, from the error of the operating system: `there is none (ENOENT)`. */
export function whyNot(error: unknown): string {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return message ?? String(error);
  // The parent is there, and belongs to the system.
  if (code === 'ENOENT' && syscall?.startsWith('mkd')) return `nothing can be made there (${code})`;
  const reason = reasons[code];
  return reason === undefined ? message : `${reason} (${code})`;
}
