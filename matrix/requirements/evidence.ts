// Evidence: what the suite writes down, a JSON line each, and what every verdict is computed from.
import type { Choice, EvidenceChoice } from './choice.js';
import type { Alias, Deviation, Nodes, NotSupported } from './target.js';

/** One header line, in the order it travelled. */
export type Header = readonly [name: string, value: string];

/** A body as recorded: text where it is text, base64 otherwise; cut at a limit. */
export interface RecordedBody {
  readonly text?: string;
  readonly base64?: string;
  /** The size on the wire, in bytes. */
  readonly bytes: number;
  readonly cut?: true;
}

/** One event of a stream, `at` in milliseconds since the request was sent. */
export interface StreamEvent {
  readonly at: number;
  readonly data: RecordedBody;
}

/** One frame of an upgraded connection. */
export interface Frame extends StreamEvent {
  readonly direction: 'sent' | 'received';
  readonly channel?: number;
}

/** What the TLS handshake showed. */
interface TlsFacts {
  readonly protocol: string;
  readonly clientCertificate?: string;
  readonly authorized: boolean;
}

/** A request that another end of the target saw; `by` says which. */
export interface SeenExchange extends Exchange {
  /** Such as `node: ours` or `webhookReviewer`. */
  readonly by: string;
}

/** One request and its answer. `error` stands where no answer came. */
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
  /** What the target asked of the node of the run, or of the stand-ins, because of it. */
  readonly standIn?: readonly SeenExchange[];
  readonly error?: string;
}

/**
 * `passed` and `failed` are a check's words. `blocked`: a prerequisite failed; it counts as a failure.
 * `not-supported`: the target lacks the capability. `skipped`: nothing was judged, and `skip` says why.
 */
export type CaseVerdict = 'passed' | 'failed' | 'blocked' | 'not-supported' | 'skipped';

/**
 * Why a case was skipped. `not-selected`: the run was not told to run it. `not-reached`: the run ended before the case.
 * `not-safe`: it could harm the target, and its owner has not allowed it. `could-not-run`: the message says what it lacks.
 */
export type SkipReason = 'not-selected' | 'not-reached' | 'not-safe' | 'could-not-run';

/** The verdict on one case, with the ids of the exchanges that prove it. */
export interface CaseResult {
  readonly type: 'case';
  /** `<chapter>.<requirement> › <subject>`. */
  readonly id: string;
  readonly requirement: string;
  readonly subject: string;
  readonly verdict: CaseVerdict;
  /** Of a skipped case. */
  readonly skip?: SkipReason;
  /** The version that it ran in instead of its own, such as `apps/v1`: it is told, and not scored. */
  readonly alias?: string;
  /** For anything but a pass: what was expected and what came. */
  readonly message?: string;
  /** For a pass: what is worth a line and decides nothing, as `<about>: <what>, <what>`. */
  readonly note?: string;
  readonly exchanges: readonly string[];
}

/** The first line of every evidence file: what was run, against what. */
export interface RunHeader {
  readonly type: 'run';
  readonly version: string;
  readonly runId: string;
  readonly startedAt: string;
  readonly target: {
    readonly name: string;
    readonly url: string;
    readonly serverVersion?: string;
    /** Its certificate was not verified. */
    readonly insecure?: true;
  };
  readonly notSupported: readonly NotSupported[];
  readonly deviations: readonly Deviation[];
  /** What ran under another version; absent where nothing did. */
  readonly aliases?: readonly Alias[];
  readonly disposable: boolean;
  /** Who runs the pods; absent in evidence of before that was asked. */
  readonly nodes?: Nodes;
  /** Where the target has an anonymous user: one line that says what that user may do. */
  readonly anonymous?: string;
  /** What it was told to run; everything when absent. */
  readonly choice?: Choice;
  /** In evidence of before there was a `choice`. */
  readonly grep?: string;
  /** The command that starts such a run, without what chose cases; absent in evidence of before that was written down. */
  readonly command?: string;
  /** What is kept of passed cases; a sample when absent. */
  readonly evidence?: EvidenceChoice;
  /** How many workers ran it; absent in evidence of before that was written down. */
  readonly workers?: number;
  /** Whether recommended requirements decide as required ones do. */
  readonly strict?: true;
  /** What failed in an earlier run; only what is new fails this one. */
  readonly baseline?: Baseline;
}

/** An earlier run that this one is compared with. */
export interface Baseline {
  /** Where it was read from. */
  readonly file: string;
  /** The ids of the cases that failed or were blocked. */
  readonly failed: readonly string[];
}

/** The last line: how the run ended, and what it left on the target. */
export interface RunFooter {
  readonly type: 'end';
  readonly endedAt: string;
  readonly leftovers: readonly string[];
  /** Why the run could not go on, if it could not. */
  readonly aborted?: string;
  /** When the target was gone and came back; absent where it was there all the time. */
  readonly outages?: readonly Outage[];
}

/** A time in which no connection to the target could be made. */
export interface Outage {
  /** From when it was missed until it answered again. */
  readonly milliseconds: number;
  /** The requests that were under way when it went, each with what became of it. */
  readonly requests: readonly string[];
}

/** Any line of `evidence.jsonl`. */
export type EvidenceLine = RunHeader | Exchange | CaseResult | RunFooter;
