// The target: all facts that the suite has about the server under test.
import type { Mechanism } from '../../matrix/api/index.js';
import type { Capability, FeatureName } from '../../matrix/subjects/features.js';

/** The features that are checked in any case: all of the table, or a list. */
export type DemandedFeatures = 'all' | readonly FeatureName[];

/** The owner of the nodes that run the pods of a target: the suite's node agent, the target, or none. */
export type Nodes = 'ours' | 'theirs' | 'none';

/** Credentials of one mechanism. */
export interface Credential {
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
  readonly certificate?: string;
  readonly key?: string;
}

/** A requirement that this target is known to break. */
export interface Deviation {
  /** The id of a requirement, or several ids if one cause breaks several requirements. */
  readonly requirement: string | readonly string[];
  /** Only the subjects that contain this pattern, or one of these patterns; every subject when absent. */
  readonly subject?: string | readonly string[];
  readonly reason: string;
  /** Set if the failure depends on timing or a setting: a run without the failure does not disprove the deviation. */
  readonly sometimes?: true;
  /** The URL of more information. */
  readonly link?: string;
  /** The file and line that declare it. */
  readonly at?: string;
}

/** Cases that are known to bring this target down. They are not sent. */
export interface Danger extends Pick<Deviation, 'requirement' | 'subject' | 'link' | 'at'> {
  /** The consequences for the target. */
  readonly reason: string;
}

/** A capability that the target's file declares as absent, or that discovery does not list. */
export interface NotSupported {
  readonly capability: Capability;
  readonly reason: string;
  /** The file and line of the declaration; absent for an absence from discovery. */
  readonly at?: string;
  /** The evidence that the target offers the capability nevertheless. */
  readonly offered?: string;
}

/** A resource that the target serves under another version than the document's. Its cases are not scored. */
export interface Alias {
  /** The document's version, such as `extensions/v1beta1`. */
  readonly groupVersion: string;
  readonly resource: string;
  /** The target's version, such as `apps/v1`. */
  readonly to: string;
  /** The capabilities that the target's version lacks; set after its discovery was read. */
  readonly lacks?: readonly NotSupported[];
  /** Set for an alias that no target file names: it is used where the server has it. */
  readonly usual?: true;
}

/** The images of the suite's pods, for nodes that really run them. */
interface Images {
  /** An image with a shell, `cat` and other small commands. */
  readonly shell: string;
}

/** The commands for `sh -c` that start and stop a managed target. */
export interface Lifecycle {
  /** Prints the lines `url:`, `ca:` (a file) and `token:` when the server is ready. */
  readonly start: string;
  readonly stop: string;
  /** Whether the start command starts the server with the fixtures in the directory of the variable FIXTURES. */
  readonly fixtures: boolean;
}

/** The route to a target, if its URL is not sufficient. */
export interface Route {
  /** The name that the certificate must be valid for, instead of the host in the URL. */
  readonly serverName?: string;
  /** Set if the certificate is not verified. */
  readonly insecure?: true;
  /** The Unix socket of a relay to the target. */
  readonly relay?: string;
}

/** The server under test (design: the target). */
export interface Target {
  readonly name: string;
  readonly url: string;
  /** PEM text of the authority that signed the server's certificate. */
  readonly ca?: string;
  /** The file or field that the authority is from, for messages. */
  readonly caFrom?: string;
  readonly route?: Route;
  /** The server that keeps the namespaces of a target without namespaces; it takes the same credentials. */
  readonly namespaceServer?: { readonly url: string; readonly ca?: string };
  readonly credentials: Partial<Record<Mechanism, Credential>>;
  /** A file with the current credential of the suite's own requests, if the credential expires before a run may end. */
  readonly renewal?: string;
  /** The mechanisms whose credentials the suite's own requests carry; all of them when absent. */
  readonly own?: readonly Mechanism[];
  /** `<vendor>` of the protobuf media type (readings, 1). */
  readonly vendor: string;
  /** `<domain>` of the authentication group and of the Secret type (readings, 1). */
  readonly domains: { readonly authentication: string; readonly secretType: string };
  readonly notSupported: readonly NotSupported[];
  readonly deviations: readonly Deviation[];
  /** The cases that are not sent; none when absent. */
  readonly dangerous?: readonly Danger[];
  /** The aliases in the target's file; in a run, only those of resources that the target does not serve itself. */
  readonly aliases?: readonly Alias[];
  /** The images for pods; public ones when absent. */
  readonly images?: Images;
  /** Whether cluster-scoped delete-collections and the largest inputs may be sent. */
  readonly disposable: boolean;
  /** Set if the user may use one namespace only, which has objects of others. */
  readonly only?: {
    readonly namespace: string;
    /** What the user may not do there, by the id of the operation: `create pods`. */
    readonly forbidden?: Readonly<Record<string, string>>;
  };
  /** Set if only GETs may be sent. */
  readonly readOnly?: true;
  /** The owner of the nodes, from the target's file; found out from the node objects when absent. */
  readonly nodes?: Nodes;
  /** The features that are checked even if the target seems to lack them. */
  readonly features?: DemandedFeatures;
  readonly lifecycle?: Lifecycle;
}
