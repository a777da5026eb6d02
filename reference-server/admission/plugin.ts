// The interface of admission plug-ins: they complete a new object, refuse a write, or reserve resources for it.
import type { Feature } from '../features/features.js';
import type { Change, Creation, Ending, Revised, Writing } from '../registry/admission.js';

export interface Plugin {
  /** The plug-in is left out if the server lacks this feature. */
  readonly feature?: Feature;
  /** The stored resources that the plug-in handles, as `group/plural`; all by default. */
  readonly resources?: readonly string[];
  /** Reports whether the plug-in handles a stored resource, given `group/plural`; for one that cannot list them. */
  concerns?(stored: string): boolean;
  /** The resources whose updates the plug-in validates or reserves for, as `group/plural`. */
  readonly updatesOf?: readonly string[];
  /** Reports whether the plug-in shows changes of a stored resource to others now. Asked before each write. */
  shows?(stored: string): boolean;
  /** Returns the object of a change that the plug-in shows, as it shall be. Throws the Status that refuses the change. */
  revise?(change: Change): Promise<Revised>;
  /** Throws the Status that refuses a change that the plug-in shows. */
  review?(change: Change): Promise<void>;
  /** Completes a new object. Throws the Status that refuses it. */
  mutate?(creation: Creation): Promise<void>;
  /** Throws the Status that refuses a finished object. */
  validate?(writing: Writing): Promise<void>;
  /**
   * Reserves resources for a write and returns the function that ends the reservation. Throws the Status that refuses
   * the write.
   */
  reserve?(writing: Writing): Promise<Ending | undefined>;
}
