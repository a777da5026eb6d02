// The bodies that the clients of a history send, made from the sample of the kind.
import type { Resource } from '../../matrix/api/index.js';
import { isObject, type Json, type JsonObject, merge } from '../client/json.js';
import { mergePatched } from '../objects/mergePatch.js';
import { sampleOf } from '../objects/samples/index.js';
import type { Sandbox } from '../objects/sandbox.js';
import type { Side } from './plan.js';
import { historyLabel, sideLabel, stepAnnotation } from './record.js';

export const json = 'application/json';
export const mergePatch = 'application/merge-patch+json';

/** What a write marks its object with. */
export interface Marks {
  readonly id: string;
  /** The client that writes: an annotation of its own shows when another client undoes the write. */
  readonly client: number;
  readonly side: Side;
  readonly step: string;
}

const annotationsOf = ({ client, step }: Marks): Readonly<Record<string, string>> => ({
  [stepAnnotation]: step,
  [`${stepAnnotation}-of-${client}`]: step,
});

const marked = (marks: Marks): JsonObject => ({
  labels: { [historyLabel]: marks.id, [sideLabel]: marks.side },
  annotations: annotationsOf(marks),
});

/** The bodies for objects of one kind. */
export class Bodies {
  readonly #replaced: JsonObject;

  constructor(
    readonly sandbox: Sandbox,
    readonly resource: Resource,
  ) {
    this.#replaced = sampleOf(resource).replaced;
  }

  get status(): JsonObject | undefined {
    return sampleOf(this.resource).status;
  }

  /** Whether something but metadata may be changed. */
  get hasVariants(): boolean {
    return Object.keys(this.#replaced).length > 0;
  }

  create(name: string, namespace: string | undefined, marks: Marks): JsonObject {
    const change = { metadata: marked(marks) };
    const comes = this.status === undefined ? {} : ({ statusToCome: true } as const);
    return this.sandbox.body(this.resource, name, namespace, { ...comes, change });
  }

  generate(prefix: string, namespace: string | undefined, marks: Marks): JsonObject {
    const body = this.create(`${prefix}${marks.step}`, namespace, marks);
    const { name: _, ...metadata } = body.metadata as JsonObject;
    return { ...body, metadata: { ...metadata, generateName: prefix } };
  }

  /** Returns a known object with new marks and, where `variant` is given, with that variant of its other fields. */
  replace(known: JsonObject, marks: Marks, variant: number | undefined): JsonObject {
    const changed = variant === undefined ? {} : this.#change(known, variant);
    const metadata = merge(known.metadata as JsonObject, marked(marks));
    return { ...known, ...(mergePatched(known, changed) as JsonObject), metadata };
  }

  patch(
    marks: Marks,
    about: { readonly name: string; readonly namespace?: string },
    variant: number | undefined,
  ): JsonObject {
    const body = this.sandbox.body(this.resource, about.name, about.namespace);
    return { metadata: marked(marks), ...(variant === undefined ? {} : this.#change(body, variant)) };
  }

  jsonPatch(marks: Marks): readonly Json[] {
    const set = (field: string, key: string, value: string): Json => ({
      op: 'add',
      path: `/metadata/${field}/${key.replace('/', '~1')}`,
      value,
    });
    const annotations = Object.entries(annotationsOf(marks));
    return [...annotations.map(([key, value]) => set('annotations', key, value)), set('labels', sideLabel, marks.side)];
  }

  /** Returns the merge patch to one of two variants of the fields that may change. */
  #change(body: JsonObject, variant: number): JsonObject {
    const sample = this.sandbox.body(this.resource, String((body.metadata as JsonObject).name), undefined);
    const keys = Object.keys(this.#replaced);
    const first = Object.fromEntries(keys.map((key) => [key, sample[key]]));
    const second = JSON.parse(JSON.stringify(merge(first, this.#replaced))) as JsonObject;
    return variant % 2 === 0 ? patchTo(second, first) : patchTo(first, second);
  }
}

/** Returns the merge patch that makes one object the other, with all members of the other. */
function patchTo(from: JsonObject, to: JsonObject): JsonObject {
  const gone = Object.keys(from).filter((key) => to[key] === undefined);
  const kept = Object.entries(to).map(([key, value]) => {
    const before = from[key];
    return [key, isObject(value) && isObject(before) ? patchTo(before, value) : value] as const;
  });
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...Object.fromEntries(kept) };
}
