// The conversion of a version of a definition by a webhook: with the defaults of the version before, pruned afterwards.
import { apiVersionOf } from '../../../matrix/api/index.js';
import type { KubeObject } from '../../schema/object.js';
import type { Storage } from '../../storage/storage.js';
import { doAll } from '../../turns.js';
import { prefixOf } from '../../versions/addresses.js';
import type { KindConversion } from '../../versions/kindConversions.js';
import { convertingStorage } from './convertingStorage.js';
import { contentOf } from './kind.js';
import { normalised } from './normalised.js';
import type { MadeVersion } from './rows.js';

/** Converts objects of other versions to one. Rejects with a Status. */
export type ConvertObjects = (objects: readonly KubeObject[], apiVersion: string) => Promise<readonly KubeObject[]>;

const apiVersionIn = ({ resource }: MadeVersion): string => apiVersionOf(resource.groupVersion);

export class WebhookKindConversion implements KindConversion {
  /** What objects of other versions are in this one. */
  readonly #known = new WeakMap<KubeObject, KubeObject>();
  readonly #stored: MadeVersion;

  /** `all` are the versions that objects may have. */
  constructor(
    readonly made: MadeVersion,
    readonly all: readonly MadeVersion[],
    readonly convert: ConvertObjects,
  ) {
    this.#stored = all.find(({ version }) => version.storage) ?? made;
  }

  /** Returns what an object of another version was converted to. */
  known(object: KubeObject): KubeObject | undefined {
    return this.#known.get(object);
  }

  async converted(objects: readonly KubeObject[]): Promise<readonly KubeObject[]> {
    const results = await this.#toVersion(objects, this.made);
    for (const [index, object] of objects.entries()) this.#known.set(object, results[index] ?? object);
    return results;
  }

  bare(objects: readonly KubeObject[]): Promise<readonly KubeObject[]> {
    return this.#toVersion(objects, this.made, false);
  }

  over(storage: Storage): Storage {
    return convertingStorage(storage, {
      prefix: prefixOf(this.#stored.resource),
      stored: apiVersionIn(this.#stored),
      fromStored: (objects) => this.#toVersion(objects, this.made),
      toStored: async (object) => (await this.#toVersion([object], this.#stored))[0] ?? object,
    });
  }

  /** Converts those objects that are not of a version yet. */
  async #toVersion(
    objects: readonly KubeObject[],
    to: MadeVersion,
    setsDefaults = true,
  ): Promise<readonly KubeObject[]> {
    const apiVersion = apiVersionIn(to);
    const others = objects.filter((object) => object.apiVersion !== apiVersion);
    if (others.length === 0) return objects;
    const whole = others.map((object) => this.#whole(object, setsDefaults));
    const answers = await this.convert(whole, apiVersion);
    const results = new Map(others.map((object, index) => [object, content(answers[index] ?? object, to, false)]));
    return objects.map((object) => results.get(object) ?? object);
  }

  /** Returns an object as webhooks see it, with the defaults of its version if they are wanted. */
  #whole(object: KubeObject, setsDefaults: boolean): KubeObject {
    const of = this.all.find((one) => apiVersionIn(one) === object.apiVersion) ?? this.made;
    const { selfLink: _link, ...metadata } = object.metadata;
    return { ...content(object, of, setsDefaults), metadata };
  }
}

/** Returns an object with the fields that a version has, and with its defaults if they are wanted. */
function content(object: KubeObject, { schema }: MadeVersion, setsDefaults: boolean): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const fields = doAll(normalised(contentOf(object), schema, { setsDefaults })) as object;
  return { apiVersion, kind, metadata, ...fields };
}
