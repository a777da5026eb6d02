// What an admission plugin is: it fills in what a request is about to write, or refuses it.
import type { Resource } from '../../matrix/api/index.js';
import type { Feature } from '../features/features.js';
import type { Registry } from '../registry/registry.js';
import type { Draft, KubeObject } from '../schema/object.js';

/** The write that is asked for. */
export interface Admission {
  readonly registry: Registry;
  /** As the request names it; errors do so too. */
  readonly resource: Resource;
  /** `group/plural` under which the object is stored. */
  readonly stored: string;
  readonly namespace: string | undefined;
  readonly dryRun: boolean;
}

/** A new object on its way in, before it is validated. */
export interface Creation extends Admission {
  readonly draft: Draft;
}

/** A valid object that is about to be stored. */
export interface Writing extends Admission {
  readonly object: KubeObject;
  /** What it replaces; absent for a new object. */
  readonly before?: KubeObject;
}

/** Ends what a plugin began for a write, once it is known whether that was done. */
export type Settle = (written: boolean) => Promise<void>;

export interface Plugin {
  /** What the server must not lack for it. */
  readonly feature?: Feature;
  /** `group/plural` of the stored resources that it is about; all of them where it does not say. */
  readonly resources?: readonly string[];
  /** Fills in a new object, or refuses it by throwing. */
  fill?(creation: Creation): Promise<void>;
  /** Refuses a write by throwing; answers what there is to end afterwards. */
  judge?(writing: Writing): Promise<Settle | undefined>;
  /** `group/plural` of the resources whose updates it judges as well. */
  readonly judgesUpdates?: readonly string[];
}
