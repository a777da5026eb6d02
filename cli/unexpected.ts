// An unexpected error: one line on standard error, and an exit code that no verdict has.

/** The exit code of a bug in this program (EX_SOFTWARE): 1 is for verdicts, 2 for what the user can fix. */
const bug = 70;
/** Set to anything, it has the stack of an unexpected error printed. */
const variable = 'KUBE_API_CONFORMANCE_VERBOSE';

/** Says on standard error what happened. Returns the exit code. */
export function tellUnexpected(error: unknown): number {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (process.env[variable]) console.error(error);
  // a full disk, a folder that is not ours, a port that is taken
  if (code !== undefined && syscall !== undefined) {
    process.stderr.write(`the operating system refused: ${message}\n`);
    return 2;
  }
  const [line = ''] = String(error).split('\n');
  const how = process.env[variable]
    ? 'please report it with the lines above'
    : `set ${variable}=1 to see where, and please report it`;
  process.stderr.write(`this is a bug in kube-api-conformance: ${line}: ${how}\n`);
  return bug;
}
