// Servers that end watches before their time, or give up requests, as a busy server does: that must not fail a case.
import { expect, it } from 'vitest';
import type { CaseResult } from '../../requirements/index.js';
import type { Broken, WireReply } from '../faults/wire/fault.js';
import { failure } from '../faults/wire/requests.js';
import { useServerBehindProxy } from './chosenRuns.js';

const resultsOf = useServerBehindProxy(['patch', 'watch', 'responses']);

/** What a busy server does to some requests. */
interface Trouble {
  readonly isAbout: (method: string, path: string) => boolean;
  readonly reply: WireReply;
}

const endedWatch: Trouble = {
  isAbout: (_, path) => /[?&]watch=true|\/watch\//.test(path),
  reply: { status: 200, headers: { 'content-type': 'application/json' }, body: '' },
};
const ofPatches = (reply: WireReply): Trouble => ({ isAbout: (method) => method === 'PATCH', reply });
const givenUp = ofPatches(failure(504, 'Timeout'));
const page = '<html><head><title>502 Bad Gateway</title></head></html>';
const badGateway: WireReply = { status: 502, headers: { 'content-type': 'text/html' }, body: page };
const unreached = ofPatches(badGateway);
const broken = ofPatches({ ...badGateway, status: 500 });
const unavailable = ofPatches(failure(503, 'ServiceUnavailable'));
const moved: Trouble = {
  isAbout: (method, path) => method === 'PUT' && path.endsWith('/finalize'),
  reply: failure(409, 'Conflict'),
};

/** Runs a case on a server that has the trouble with some of the requests, by their number, which starts at 1. */
function resultsWhere(trouble: Trouble, isHit: (number: number) => boolean, wanted: string): Promise<CaseResult[]> {
  let requests = 0;
  const edits: Broken = {
    request: (passing) => {
      if (!trouble.isAbout(passing.method, passing.path)) return passing;
      requests += 1;
      return isHit(requests) ? trouble.reply : passing;
    },
  };
  return resultsOf(edits, wanted);
}

/** Cases, a trouble, and the number of requests in one try of the case that may have the trouble. */
const wanted = [
  ['watch.version-zero › GET /api/v1/watch/serviceaccounts', 'ends', endedWatch, 2],
  ['watch.slow-reader › server, a watcher that does not read', 'ends', endedWatch, 2],
  ['watch.bounded › GET /api/v1/namespaces/{namespace}/configmaps', 'ends', endedWatch, 1],
  ['watch.unbounded › GET /apis/batch/v1/watch/jobs', 'ends', endedWatch, 1],
  ['watch.added › GET /api/v1/namespaces/{namespace}/configmaps', 'ends', endedWatch, 1],
  ['patch.hostile › server, an op called constructor', 'gives up', givenUp, 1],
  ['patch.hostile › server, an op called constructor', 'is not reached by', unreached, 1],
  ['patch.hostile › server, an op called constructor', 'is unavailable to', unavailable, 1],
  ['patch.hostile › server, an op called constructor', 'is behind a broken gateway at', broken, 1],
  ['responses.status › PUT /api/v1/namespaces/{name}/finalize, Accept application/json', 'moves before', moved, 1],
] as const;

it.each(wanted)('%s passes where the server %s the first requests', async (id, _, trouble, count) => {
  const results = await resultsWhere(trouble, (number) => number <= count, id);
  expect(results.map(({ verdict, message }) => message ?? verdict)).toEqual(['passed']);
});

it('a case passes where a gateway does not reach the server for three seconds', async () => {
  let since: number | undefined;
  const edits: Broken = {
    request: (passing) => {
      if (passing.method === 'PATCH') since ??= Date.now();
      return since !== undefined && Date.now() - since < 3_000 ? badGateway : passing;
    },
  };
  const results = await resultsOf(edits, 'patch.hostile › server, an op called constructor');
  expect(results.map(({ verdict, message }) => message ?? verdict)).toEqual(['passed']);
});

it.each(wanted)('%s fails where the server %s every request', async (id, _, trouble) => {
  const results = await resultsWhere(trouble, () => true, id);
  expect(results.map(({ verdict }) => verdict)).toEqual(['failed']);
});
