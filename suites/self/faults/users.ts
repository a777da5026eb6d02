// What the broken servers of the authentication chapter are made of: whom they refuse, let in, and show as another.
import { at, isObject, type JsonObject } from '../../support/json.js';
import { answering, type Fault, failure, type Known, type Passing } from './parts.js';

type Request = NonNullable<Fault['request']>;

export const fault = (
  name: string,
  grep: string,
  fails: readonly string[],
  broken: Pick<Fault, 'request' | 'reply' | 'unread'>,
): Fault => ({
  name,
  grep,
  chapters: ['authentication'],
  tls: true,
  fails: fails.map((requirement) => `authentication.${requirement}`),
  ...broken,
});

/** Breaks one requirement, on those of its subjects whose id begins so. */
export const only = (
  requirement: string,
  subject: string,
  name: string,
  broken: Pick<Fault, 'request' | 'reply' | 'unread'>,
) => fault(name, `authentication.${requirement} › ${subject}`, [requirement], broken);

export const authorizationOf = ({ headers }: Passing): string => headers.authorization ?? '';
export const withHeader = (passing: Passing, authorization: string): Passing => ({
  ...passing,
  headers: { ...passing.headers, authorization },
});
const asAdmin = (passing: Passing, { fixtures }: Known): Passing =>
  withHeader(passing, `Bearer ${fixtures.secrets.staticToken.admin}`);

export const unauthorized = failure(401, 'Unauthorized');

/** Refuses those of whom it is so; only where everybody may go, so that the rest of the suite can do its work. */
export const refusing =
  (whom: (passing: Passing, known: Known) => boolean): Request =>
  (passing, known) =>
    passing.path === '/api/v1' && whom(passing, known) ? unauthorized : passing;
/** Lets in as the administrator those of whom it is so. */
export const admitting =
  (whom: (passing: Passing, known: Known) => boolean): Request =>
  (passing, known) =>
    whom(passing, known) ? asAdmin(passing, known) : passing;

/** Says something else of who somebody is. */
export const showing = (change: (user: JsonObject) => JsonObject): Pick<Fault, 'reply'> => ({
  reply: answering((body) => {
    const user = at(body, 'status', 'userInfo');
    return body.kind === 'SelfSubjectReview' && isObject(user) ? { ...body, status: { userInfo: change(user) } } : body;
  }),
});
export const keepingGroups = (keep: (group: unknown, index: number) => boolean): Pick<Fault, 'reply'> =>
  showing((user) => ({ ...user, groups: Array.isArray(user.groups) ? user.groups.filter(keep) : [] }));

export const wantsToken = (passing: Passing, token: string): boolean => authorizationOf(passing) === `Bearer ${token}`;
