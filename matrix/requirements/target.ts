// The target: everything that the suite knows of the server under test.
import type { Mechanism } from '../api/index.js';
import type { FeatureName } from './features.js';

/**
 * What a server may lack: a group (`group:extensions`), a resource (`resource:extensions/deployments`), operations
 * (`operation:` and an id; a `*` at its end stands for any rest), a media type (`mediaType:protobuf`), a mechanism of
 * authentication (`mechanism:staticPassword`), nodes: one that runs pods (`nodes:running`), one of the suite's that
 * tells what reached it (`nodes:observed`); or a feature of the table (`feature:dry-run`).
 */
export type Capability =
  | `group:${string}`
  | `resource:${string}`
  | `operation:${string}`
  | `mediaType:${string}`
  | `mechanism:${Mechanism}`
  | `nodes:${NodeNeed}`
  | `feature:${FeatureName}`;

/** What a check needs of a node. */
export type NodeNeed = 'running' | 'observed';

/** The features that are judged in any case: all of the table, or these. */
export type DemandedFeatures = 'all' | readonly FeatureName[];

/** Who runs the pods of a target: the suite's node agent, nodes of its own, or nobody. */
export type Nodes = 'ours' | 'theirs' | 'none';

/** Credentials of one mechanism. */
export interface Credential {
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
  /** PEM text. */
  readonly certificate?: string;
  readonly key?: string;
}

/** A requirement that this target is known to break. */
export interface Deviation {
  /** A requirement id; several where one cause breaks several requirements. */
  readonly requirement: string | readonly string[];
  /**
   * Only the subjects that contain this text, or one of these; every subject when absent. In it `*` stands for any
   * text, `^` at its start and `$` at its end for those of the subject, and a backslash takes the meaning from what
   * follows it.
   */
  readonly subject?: string | readonly string[];
  readonly reason: string;
  /** It depends on time: a run in which it is not seen is no reason to delete it. */
  readonly sometimes?: true;
  /** Where more is said about it. */
  readonly link?: string;
  /** The file and line that declare it. */
  readonly at?: string;
}

/** Cases that are known to bring this target down: they are not sent. */
export interface Danger extends Pick<Deviation, 'requirement' | 'subject' | 'link' | 'at'> {
  /** What would happen. */
  readonly reason: string;
}

/** A capability that the target's file says is absent, whatever discovery says. */
export interface NotSupported {
  readonly capability: Capability;
  readonly reason: string;
  /** The file and line that say so; absent where discovery does. */
  readonly at?: string;
  /** How it was seen that the target offers it all the same. */
  readonly offered?: string;
}

/** A resource that the target serves under another version than the document's; what runs there is not scored. */
export interface Alias {
  /** The document's, such as `extensions/v1beta1`. */
  readonly groupVersion: string;
  /** The plural. */
  readonly resource: string;
  /** The target's, such as `apps/v1`. */
  readonly to: string;
  /** What the target's version lacks, once its discovery was read. */
  readonly lacks?: readonly NotSupported[];
}

/** The images that the pods of the suite run, where a node really runs them. */
export interface Images {
  /** One with a shell, `cat` and the other small commands. */
  readonly shell: string;
}

/** How a managed target is started and stopped: commands for `sh -c`. */
export interface Lifecycle {
  /** Prints `url:`, `ca:` (a file), `token:` lines when the server is ready. */
  readonly start: string;
  readonly stop: string;
  /** Whether the start command starts the server with the fixtures in the directory that FIXTURES names. */
  readonly fixtures: boolean;
}

/** How a target is reached where its URL does not say it all. */
export interface Route {
  /** The name that its certificate must be good for, in the place of the host of its URL. */
  readonly serverName?: string;
  /** Its certificate is not verified. */
  readonly insecure?: true;
  /** The Unix socket of a relay that leads to it. */
  readonly relay?: string;
}

/** The server under test (design: the target). */
export interface Target {
  readonly name: string;
  readonly url: string;
  /** PEM text of the authority that signed the server's certificate. */
  readonly ca?: string;
  readonly route?: Route;
  readonly credentials: Partial<Record<Mechanism, Credential>>;
  /** A file with the credential of the suite's own requests as it is now, where that ends before a run may do. */
  readonly renewal?: string;
  /** The mechanisms whose credentials the suite's own requests carry; all of them when absent. */
  readonly own?: readonly Mechanism[];
  /** `<vendor>` of the protobuf media type (readings, 1). */
  readonly vendor: string;
  /** `<domain>` of the authentication group and of the Secret type (readings, 1). */
  readonly domains: { readonly authentication: string; readonly secretType: string };
  readonly notSupported: readonly NotSupported[];
  readonly deviations: readonly Deviation[];
  /** What is not sent to it; nothing when absent. */
  readonly dangerous?: readonly Danger[];
  /** As the target's file says them; those of a run are only of what the target does not serve itself. */
  readonly aliases?: readonly Alias[];
  /** Public ones when absent. */
  readonly images?: Images;
  /** True where cluster-scoped delete-collections may run. */
  readonly disposable: boolean;
  /** True where nothing but GETs may be sent. */
  readonly readOnly?: true;
  /** As the target's file says it; found out from its node objects when absent. */
  readonly nodes?: Nodes;
  /** The features that are judged even where the target seems to lack them. */
  readonly features?: DemandedFeatures;
  readonly lifecycle?: Lifecycle;
}
