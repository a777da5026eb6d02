// Evidence: the JSON lines that the suite writes, from which every verdict is computed.
import type { FoundKind } from '../../matrix/api/index.js';
import type { Choice, EvidenceChoice } from './choice.js';
import type { Alias, Deviation, Nodes, NotSupported } from './target.js';

/** One header line, in the order on the wire. */
export type Header = readonly [name: string, value: string];

/** A recorded body: text if possible, else base64; cut at a limit. */
export interface RecordedBody {
  readonly text?: string;
  readonly base64?: string;
  /** The size on the wire, in bytes. */
  readonly bytes: number;
  readonly cut?: true;
}

/** One event of a stream; `at` is in milliseconds since the request was sent. */
export interface StreamEvent {
  readonly at: number;
  readonly data: RecordedBody;
}

/** One frame of an upgraded connection. */
export interface Frame extends StreamEvent {
  readonly direction: 'sent' | 'received';
  readonly channel?: number;
}

/** Facts about a TLS handshake. */
interface TlsFacts {
  readonly protocol: string;
  readonly clientCertificate?: string;
  readonly authorized: boolean;
}

/** A request that a backend of the target received; `by` names the backend. */
export interface SeenExchange extends Exchange {
  /** The name of the backend, such as `node: ours` or `webhookReviewer`. */
  readonly by: string;
}

/** One request and its response. `error` is set if no response arrived. */
export interface Exchange {
  readonly type: 'exchange';
  readonly id: string;
  readonly at: string;
  readonly milliseconds: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly Header[];
    readonly body?: RecordedBody;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: readonly Header[];
    readonly body?: RecordedBody;
  };
  readonly events?: readonly StreamEvent[];
  readonly frames?: readonly Frame[];
  readonly tls?: TlsFacts;
  /** The requests of the target to the node of the run, or to the stand-ins, because of this request. */
  readonly standIn?: readonly SeenExchange[];
  readonly error?: string;
}

/**
 * `passed` and `failed`: the result of the check. `blocked`: a prerequisite failed; it counts as a failure.
 * `not-supported`: the target lacks the capability. `skipped`: nothing was checked, and `skip` gives the reason.
 */
export type CaseVerdict = 'passed' | 'failed' | 'blocked' | 'not-supported' | 'skipped';

/**
 * Why a case was skipped. `not-selected`: the run was not told to run it. `not-reached`: the run ended before the case.
 * `not-safe`: it could harm the target, and its owner has not allowed it. `could-not-run`: the message names the
 * missing prerequisite.
 */
export type SkipReason = 'not-selected' | 'not-reached' | 'not-safe' | 'could-not-run';

/** The verdict of one case, with the ids of the exchanges that prove it. */
export interface CaseResult {
  readonly type: 'case';
  /** `<chapter>.<requirement> › <subject>`. */
  readonly id: string;
  readonly requirement: string;
  readonly subject: string;
  readonly verdict: CaseVerdict;
  /** Set for a skipped case. */
  readonly skip?: SkipReason;
  /** The version in which the case ran instead of its own, such as `apps/v1`. The case is reported, and not scored. */
  readonly alias?: string;
  /** The expected and the actual outcome; absent for a pass. */
  readonly message?: string;
  /** Why the case failed at first; set for a case that passed when it was tried again. */
  readonly retried?: string;
  /** A fact to report for a pass, without an effect on the verdict, as `<about>: <what>, <what>`. */
  readonly note?: string;
  readonly exchanges: readonly string[];
  /** The times of the exchanges that the evidence does not have. */
  readonly timing?: Timing;
}

/** The times of a case's exchanges. */
export interface Timing {
  /** The start of the first exchange, in milliseconds since 1970. */
  readonly start: number;
  /** The sum of all exchanges, in milliseconds. Cases of one setup share its exchanges. */
  readonly milliseconds: number;
}

/** The first line of every evidence file: the run and its target. */
export interface RunHeader {
  readonly type: 'run';
  readonly version: string;
  readonly runId: string;
  readonly startedAt: string;
  readonly target: {
    readonly name: string;
    readonly url: string;
    readonly serverVersion?: string;
    /** Set if the certificate of the target was not verified. */
    readonly insecure?: true;
  };
  readonly notSupported: readonly NotSupported[];
  readonly deviations: readonly Deviation[];
  /** The resources that ran under another version; absent if there were none. */
  readonly aliases?: readonly Alias[];
  readonly disposable: boolean;
  /** The owner of the nodes. */
  readonly nodes: Nodes;
  /** One line about the permissions of the target's anonymous user, if the target has one. */
  readonly anonymous?: string;
  readonly choice: Choice;
  /** The kinds that only the target knows, whose cases the run has too; absent if there are none. */
  readonly kinds?: readonly FoundKind[];
  /** The command that starts such a run, without the options that choose cases; absent if no command line started it. */
  readonly command?: string;
  /** The evidence that is kept for passed cases; a sample when absent. */
  readonly evidence?: EvidenceChoice;
  readonly workers: number;
  /** Whether failures of recommended requirements fail the run too. */
  readonly strict?: true;
  /** The failures of an earlier run: only new failures fail this run. */
  readonly baseline?: Baseline;
}

/** An earlier run that this one is compared with. */
export interface Baseline {
  /** The file of the earlier run. */
  readonly file: string;
  /** The ids of the cases that failed or were blocked. */
  readonly failed: readonly string[];
}

/** How often and how long a worker waited because the target asked for it, with the fewest requests at once. */
export interface WaitsLine {
  readonly type: 'waits';
  readonly times: number;
  readonly milliseconds: number;
  readonly atOnce: number;
}

/** The last line: how the run ended, and the objects that it left on the target. */
export interface RunFooter {
  readonly type: 'end';
  readonly endedAt: string;
  readonly leftovers: readonly string[];
  /** Why the run stopped early; absent if it did not. */
  readonly aborted?: string;
  /** The outages of the target; absent if there were none. */
  readonly outages?: readonly Outage[];
}

/** A time in which the target accepted no connection. */
export interface Outage {
  /** Milliseconds from the first missing response to the next response. */
  readonly milliseconds: number;
  /** The requests that were pending at the start of the outage, each with its outcome. */
  readonly requests: readonly string[];
}

/** Any line of `evidence.jsonl`. */
export type EvidenceLine = RunHeader | Exchange | CaseResult | WaitsLine | RunFooter;
