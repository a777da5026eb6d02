// The field names in a 422 of servers as old as the document, if newer servers use other names.
import { type StatusCause, StatusError } from '../statusError.js';

interface Renaming {
  readonly field: RegExp;
  readonly as: string;
}

const renamings: readonly (Renaming & { readonly kind?: string })[] = [
  { field: /^(.*\.resources)\.requests(\[.*\])?$/, as: '$1.limits' },
  { kind: 'NetworkPolicy', field: /^spec\..*$/, as: 'spec' },
];

/** Returns the error with the field names of old servers, or the same error if they do not differ. */
export function withOldCauseNames(error: StatusError): StatusError {
  const { details } = error;
  const causes = details?.causes?.map((cause) => renamed(cause, details.kind));
  if (causes === undefined || error.code !== 422) return error;
  let { message } = error;
  details?.causes?.forEach(({ field }, index) => {
    const name = causes[index]?.field;
    if (field !== undefined && name !== undefined && name !== field)
      message = message.replace(`${field}: `, `${name}: `);
  });
  return new StatusError(error.code, error.reason, message, { ...details, causes }, error.headers, error.metadata);
}

function renamed(cause: StatusCause, kind: string | undefined): StatusCause {
  const row = renamings.find((each) => (each.kind ?? kind) === kind && cause.field?.match(each.field));
  return row === undefined || cause.field === undefined
    ? cause
    : { ...cause, field: cause.field.replace(row.field, row.as) };
}
