// How a command ended, as the error stream tells it: a Status from version 4 on, before that a text of the failure.

/** The exit code of a command that ran, or why it did not. */
export type RemoteCommandOutcome = { readonly exitCode: number } | { readonly error: string };

/** What goes over the error stream; empty where there is nothing to tell. */
export function renderOutcome(outcome: RemoteCommandOutcome, form: 'status' | 'text'): string {
  const status = toStatus(outcome);
  return form === 'status' ? JSON.stringify(status) : (status.message ?? '');
}

function toStatus(outcome: RemoteCommandOutcome) {
  if ('error' in outcome) {
    const message = `error executing command in container: ${outcome.error}`;
    return {
      metadata: {},
      status: 'Failure',
      message: `Internal error occurred: ${message}`,
      reason: 'InternalError',
      details: { causes: [{ message }] },
      code: 500,
    };
  }
  if (outcome.exitCode === 0) return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${outcome.exitCode}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: `${outcome.exitCode}` }] },
  };
}
