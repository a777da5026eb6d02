// A start-up option that cannot be used: one line that says which, why and what to do.

export class OptionError extends Error {
  override readonly name = 'OptionError';
}
