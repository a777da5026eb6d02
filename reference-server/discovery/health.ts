// The pages of health: all checks of a page together, and each by itself.
import type { Answer, ApiRequest, Handler } from '../request.js';

/** The checks of each page, in the order of real servers. A server that waits for its storage lives. */
const checks: Readonly<Record<string, readonly string[]>> = {
  '/healthz': ['ping', 'etcd'],
  '/livez': ['ping'],
  '/readyz': ['ping', 'etcd', 'shutdown'],
};

const singles = Object.entries(checks).flatMap(([page, names]) => names.map((name) => `${page}/${name}`));

/** The paths of all pages. */
export const healthPaths: readonly string[] = [...Object.keys(checks), ...singles];

const mediaType = 'text/plain; charset=utf-8';

/** The answer of a page whose checks succeed. */
export const healthy: Answer = { status: 200, raw: 'ok', mediaType };

/** Returns a handler that answers the pages of health, and passes other requests on. `probe` tries the storage. */
export function withHealth(probe: () => Promise<void>, other: Handler): Handler {
  const failureOf = async (check: string): Promise<Error | undefined> => {
    if (check !== 'etcd') return undefined;
    return probe().then(
      () => undefined,
      (error: Error) => error,
    );
  };
  return async (request) => {
    const { path } = request.operation;
    const names = checks[path];
    if (names !== undefined) return answerOfAll(request, names, failureOf);
    if (!singles.includes(path)) return other(request);
    const failure = await failureOf(path.slice(path.lastIndexOf('/') + 1));
    if (failure === undefined) return healthy;
    return { status: 500, raw: `internal server error: ${failure.message}\n`, mediaType };
  };
}

/** Lists the checks if one fails, or the query has `verbose`, with any value. `exclude` leaves checks out. */
async function answerOfAll(
  { query, operation: { path } }: ApiRequest,
  names: readonly string[],
  failureOf: (check: string) => Promise<Error | undefined>,
): Promise<Answer> {
  const excluded = query.getAll('exclude').filter((name) => name !== '');
  const lines: string[] = [];
  let fails = false;
  for (const name of names) {
    const isExcluded = excluded.includes(name);
    const isFailing = !isExcluded && (await failureOf(name)) !== undefined;
    fails ||= isFailing;
    lines.push(isFailing ? `[-]${name} failed: reason withheld` : `[+]${name}${isExcluded ? ' excluded:' : ''} ok`);
  }
  if (!fails && !query.has('verbose')) return healthy;
  const unknown = excluded.filter((name) => !names.includes(name)).map((name) => JSON.stringify(name));
  if (unknown.length > 0) {
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.join(',')}`);
  }
  lines.push(`${path.slice(1)} check ${fails ? 'failed' : 'passed'}`, '');
  return { status: fails ? 500 : 200, raw: lines.join('\n'), mediaType };
}
