// An error that the user can correct: printed as one line, without a stack, with exit code 2.
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
