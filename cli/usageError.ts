// What the user can fix: printed as one line, without a stack, with exit code 2.
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
