// An invalid start-up option. The message is one line that says which option, why, and what to do.

export class OptionError extends Error {
  override readonly name = 'OptionError';
}
