// The clients of a history: each sends its operations one after the other, and all at the same time.
import type { Resource } from '../../matrix/api/index.js';
import { at, isObject, type Json, type JsonObject } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import type { Context } from '../run/context.js';
import { Bodies, json, type Marks, mergePatch } from './bodies.js';
import { type Exchanged, exchange, isUncertain, mostTries } from './exchange.js';
import type { ClientPlan, PlannedWatch, Side, Step } from './plan.js';
import { type Entry, historyLabel, holdFinalizer, nameOf, sideLabel, versionOf } from './record.js';
import { uidOf } from './watchers.js';

/** An object that the clients write: its place and its name. */
export interface Spot {
  readonly place: string;
  readonly name: string;
}

/** What the clients of a history share. */
export interface Shared {
  readonly context: Context;
  readonly resource: Resource;
  readonly id: string;
  readonly places: readonly string[];
  readonly spots: readonly Spot[];
  readonly canPage: boolean;
  readonly canListExactly: boolean;
  readonly canDeleteSelected: boolean;
  readonly canHold: boolean;
  /** Begins a watch that goes on to the end of the history. */
  readonly watch: (place: string, from: string | undefined, planned: PlannedWatch) => void;
  readonly entries: Entry[];
  /** Returns a value for the annotation of the next write. */
  readonly nextStep: () => string;
}

type Sent = Omit<Entry, 'client' | 'sent' | 'answered' | 'status' | 'reply'>;

/** The pages that a client reads of one list. */
const mostPages = 12;

export const selectorOf = (id: string, side?: Side): string =>
  `${historyLabel}=${id}${side === undefined ? '' : `,${sideLabel}=${side}`}`;

export class HistoryClient {
  readonly #known = new Map<string, JsonObject>();
  readonly #versions = new Map<string, string[]>();
  readonly #spots: Spot[];
  readonly #bodies: Bodies;

  constructor(
    readonly shared: Shared,
    readonly index: number,
    /** The version of each place before the first operation. */
    versions: ReadonlyMap<string, string>,
  ) {
    this.#spots = [...shared.spots];
    this.#bodies = new Bodies(shared.context.sandbox, shared.resource);
    for (const [place, version] of versions) this.#versions.set(place, [version]);
  }

  async run({ steps, watches }: ClientPlan): Promise<void> {
    for (const [index, step] of steps.entries()) {
      for (const planned of watches) if (planned.before === index) this.#watch(planned);
      await this.#take(step);
    }
  }

  /** Changes the labels of an object. */
  async touch(spot: Spot): Promise<void> {
    await this.#patch(spot, contending, 'merge');
  }

  /** Takes an object out of the left side, and back. */
  async turn(spot: Spot): Promise<void> {
    for (const side of ['right', 'left'] as const) await this.#patch(spot, { ...contending, side }, 'merge');
  }

  /** Writes the status and the scale of an object, where the kind has them. */
  async adjust(spot: Spot): Promise<void> {
    await this.#take({ ...contending, what: 'status' }, spot);
    await this.#take({ ...contending, what: 'scale', pick: 2 }, spot);
  }

  async look(spot: Spot): Promise<void> {
    await this.#read(spot);
  }

  async list(place: string): Promise<void> {
    await this.#list({ ...contending, what: 'list' }, place);
  }

  /** Lists a place in pages, and at the version before the history, where the target offers it. */
  async survey(place: string): Promise<void> {
    const { canPage, canListExactly } = this.shared;
    if (canPage) await this.#pages(place);
    if (canListExactly) await this.#list({ ...contending, what: 'list-exact' }, place);
  }

  /** Replaces an object on condition of the version that this client has read. */
  async contend(spot: Spot): Promise<void> {
    await this.#replace(spot, contending);
  }

  /** Creates an object whose name the server generates. */
  async generate(place: string): Promise<void> {
    await this.#generate({ place, name: '' }, contending);
  }

  /** Deletes what must stay: an object on condition of the uid of no object, and the side on which it is not. */
  async spare({ place, name }: Spot): Promise<void> {
    await this.#deleteOf({ place, name }, uidOfNone);
    if (this.shared.canDeleteSelected) await this.#deleteSelected(place, 'right');
  }

  /** Deletes an object and creates one of its name. */
  async renew(spot: Spot): Promise<void> {
    await this.#delete(spot, false);
    await this.#create(spot, contending);
  }

  /** Deletes all objects of one side. */
  async sweep(place: string): Promise<void> {
    if (this.shared.canDeleteSelected) await this.#deleteSelected(place, contending.side);
  }

  /** Deletes an object, which may be gone already. */
  async remove(spot: Spot): Promise<void> {
    let count = 0;
    while (isUncertain(await this.#deleteOf(spot, undefined)) && count < mostTries) count += 1;
  }

  #watch(planned: PlannedWatch): void {
    const { places, watch } = this.shared;
    const { form, fromBeginning, pick } = planned;
    // most happens in the first place
    const place = places[form === 'listAll' || form === 'watchAll' ? pick % places.length : 0] ?? '';
    watch(place, fromBeginning ? undefined : this.#version(place, pick), planned);
  }

  #version(place: string, pick: number): string {
    const known = this.#versions.get(place) ?? [];
    return known[pick % known.length] ?? '';
  }

  async #take(step: Step, spot = this.#spots[step.object % this.#spots.length] as Spot): Promise<void> {
    const { resource } = this.shared;
    const has = (verb: Resource['stated'][number]): boolean => resource.stated.includes(verb);
    switch (step.what) {
      case 'create':
        return this.#create(spot, step);
      case 'generate':
        return this.#generate(spot, step);
      case 'read':
        return this.#read(spot);
      case 'list':
      case 'select':
      case 'list-stale':
        return this.#list(step, spot.place);
      case 'list-exact':
        return this.#list(this.shared.canListExactly ? step : { ...step, what: 'list' }, spot.place);
      case 'pages':
        return this.shared.canPage ? this.#pages(spot.place) : this.#list({ ...step, what: 'list' }, spot.place);
      case 'replace':
      case 'overwrite':
        return this.#replace(spot, step);
      case 'status':
        return has('patchStatus') && this.#bodies.status !== undefined
          ? this.#status(spot)
          : this.#patch(spot, step, 'merge');
      case 'scale':
        return has('patchScale') ? this.#scale(spot, step) : this.#patch(spot, step, 'merge');
      case 'hold':
      case 'release':
        return this.#patch(spot, step, this.shared.canHold ? step.what : 'merge');
      case 'merge':
      case 'json':
      case 'strategic':
        return this.#patch(spot, step, step.what);
      case 'delete':
      case 'delete-if':
        return this.#delete(spot, step.what === 'delete-if');
      case 'delete-selected':
        return this.shared.canDeleteSelected ? this.#deleteSelected(spot.place, step.side) : this.#delete(spot, false);
    }
  }

  #marks(side: Side): Marks {
    return { id: this.shared.id, client: this.index, side, step: this.shared.nextStep() };
  }

  /** Returns the first part of a write of one object. */
  #write({ place, name }: Spot, method: string, sub = ''): Pick<Sent, 'place' | 'name' | 'method' | 'path'> {
    const verb = { PUT: 'replace', PATCH: 'patch', DELETE: 'delete', GET: 'read' } as const;
    const path = pathTo(this.shared.resource, verb[method as keyof typeof verb], place || undefined, name);
    return { place, name, method, path: path + sub };
  }

  async #create(spot: Spot, { side }: Step): Promise<void> {
    const { resource } = this.shared;
    const marks = this.#marks(side);
    const { place, name } = spot;
    const path = pathTo(resource, 'create', place || undefined);
    const sentBody = this.#bodies.create(name, place || undefined, marks);
    await this.#send({ what: 'create', place, name, method: 'POST', path, type: json, sentBody, step: marks.step });
  }

  async #generate({ place }: Spot, { side }: Step): Promise<void> {
    const { resource, id } = this.shared;
    const marks = this.#marks(side);
    const path = pathTo(resource, 'create', place || undefined);
    const sentBody = this.#bodies.generate(`${id}-g-`, place || undefined, marks);
    const entry = await this.#send({
      what: 'generate',
      place,
      method: 'POST',
      path,
      type: json,
      sentBody,
      step: marks.step,
    });
    if (entry.name !== undefined) this.#spots.push({ place, name: entry.name });
  }

  async #read(spot: Spot): Promise<void> {
    await this.#send({ what: 'read', ...this.#write(spot, 'GET') });
  }

  async #list({ what, side, pick }: Step, place: string): Promise<void> {
    const selected = what === 'select' ? side : undefined;
    const exact = what === 'list-exact' ? this.#version(place, pick) : undefined;
    const query = new URLSearchParams({ labelSelector: selectorOf(this.shared.id, selected) });
    if (what === 'list-stale') query.set('resourceVersion', '0');
    if (exact !== undefined) {
      query.set('resourceVersion', exact);
      query.set('resourceVersionMatch', 'Exact');
    }
    const path = `${pathTo(this.shared.resource, 'list', place || undefined)}?${query}`;
    const more = { ...(selected && { side: selected }), ...(exact !== undefined && { exact }) };
    await this.#send({ what, place, method: 'GET', path, ...more });
  }

  async #pages(place: string): Promise<void> {
    const path = pathTo(this.shared.resource, 'list', place || undefined);
    const pages: unknown[] = [];
    const first = await this.#exchange('GET', `${path}?${this.#page()}`);
    let last = first;
    let isWhole = false;
    while (last.status === 200 && pages.length < mostPages) {
      pages.push(last.reply);
      const token = at(last.reply, 'metadata', 'continue');
      isWhole = typeof token !== 'string' || token === '';
      if (isWhole) break;
      last = await this.#exchange('GET', `${path}?${this.#page(String(token))}`);
    }
    const about = { what: 'pages', client: this.index, place, method: 'GET', path: `${path}?${this.#page()}` } as const;
    const { sent, reply } = first;
    // pages that end before the last one say nothing
    const status = isWhole || last.status !== 200 ? last.status : undefined;
    const answer = { answered: last.answered, ...(status !== undefined && { status }) };
    this.shared.entries.push({ ...about, sent, ...answer, reply, pages });
  }

  #page(token?: string): URLSearchParams {
    const query = new URLSearchParams({ labelSelector: selectorOf(this.shared.id), limit: '1' });
    if (token !== undefined) query.set('continue', token);
    return query;
  }

  async #replace(spot: Spot, { what, side, changed, pick }: Step): Promise<void> {
    const key = keyOf(spot);
    if (!this.#known.has(key)) await this.#read(spot);
    const known = this.#known.get(key);
    if (known === undefined) return;
    const marks = this.#marks(side);
    const variant = changed && this.#bodies.hasVariants ? pick : undefined;
    const body = this.#bodies.replace(known, marks, variant);
    const { resourceVersion, ...metadata } = body.metadata as JsonObject;
    const isConditional = what === 'replace';
    const sentBody = isConditional ? body : { ...body, metadata };
    await this.#send({
      ...{ what, ...this.#write(spot, 'PUT'), type: json, sentBody, step: marks.step, changed: variant !== undefined },
      ...(isConditional && { base: String(resourceVersion) }),
    });
  }

  async #patch(spot: Spot, { side, changed, pick }: Step, what: 'merge' | 'json' | 'strategic' | 'hold' | 'release') {
    const marks = this.#marks(side);
    const variant = what === 'merge' && changed && this.#bodies.hasVariants ? pick : undefined;
    const about = { name: spot.name, ...(spot.place !== '' && { namespace: spot.place }) };
    const patch = this.#bodies.patch(marks, about, variant);
    const finalizers = what === 'hold' ? [holdFinalizer] : what === 'release' ? null : undefined;
    const metadata = patch.metadata as JsonObject;
    const sentBody =
      what === 'json'
        ? this.#bodies.jsonPatch(marks)
        : { ...patch, metadata: { ...metadata, ...(finalizers === undefined ? {} : { finalizers }) } };
    const type = what === 'json' || what === 'strategic' ? patchTypes[what] : mergePatch;
    await this.#send({
      ...{ what, ...this.#write(spot, 'PATCH'), type, sentBody, step: marks.step, changed: variant !== undefined },
    });
  }

  async #status(spot: Spot): Promise<void> {
    const sentBody = { status: this.#bodies.status };
    await this.#send({ what: 'status', ...this.#write(spot, 'PATCH', '/status'), type: mergePatch, sentBody });
  }

  async #scale(spot: Spot, { pick }: Step): Promise<void> {
    const sentBody = { spec: { replicas: pick % 3 } };
    await this.#send({ what: 'scale', ...this.#write(spot, 'PATCH', '/scale'), type: mergePatch, sentBody });
  }

  async #delete(spot: Spot, isConditional: boolean): Promise<void> {
    const known = this.#known.get(keyOf(spot));
    await this.#deleteOf(spot, isConditional && known !== undefined ? uidOf(known) : undefined);
  }

  #deleteOf(spot: Spot, uid: string | undefined): Promise<Entry> {
    const sentBody = { ...deleteOptions, ...(uid !== undefined && { preconditions: { uid } }) };
    return this.#send({
      ...{ what: 'delete', ...this.#write(spot, 'DELETE'), type: json, sentBody },
      ...(uid !== undefined && { uid }),
    });
  }

  async #deleteSelected(place: string, side: Side): Promise<void> {
    const query = new URLSearchParams({
      labelSelector: selectorOf(this.shared.id, side),
      propagationPolicy: 'Background',
    });
    const path = `${pathTo(this.shared.resource, 'deleteCollection', place)}?${query}`;
    await this.#send({ what: 'delete-selected', place, method: 'DELETE', path, side });
  }

  async #send(sent: Sent): Promise<Entry> {
    const { method, path, type, sentBody } = sent;
    const came = await this.#exchange(method, path, sentBody, type);
    const isOne = came.status !== undefined && came.status < 300;
    const name = sent.name ?? (sent.what === 'generate' && isOne ? nameOf(came.reply) : undefined);
    const entry: Entry = { ...sent, client: this.index, ...came, ...(name !== undefined && { name }) };
    this.shared.entries.push(entry);
    this.#learn(entry);
    return entry;
  }

  #exchange(method: string, path: string, body?: JsonObject | readonly Json[], type?: string): Promise<Exchanged> {
    return exchange(this.shared.context.client, method, path, body, type);
  }

  /** Remembers the objects and the versions that a response shows. */
  #learn({ what, place, name, status, reply }: Entry): void {
    if (name === undefined || status === undefined || what === 'scale') return;
    const key = keyOf({ place, name });
    if (status === 404 || what === 'delete') this.#known.delete(key);
    if (status > 299 || what === 'delete' || !isObject(reply)) return;
    this.#known.set(key, reply);
    this.#versions.get(place)?.push(versionOf(reply));
  }
}

const patchTypes = { json: 'application/json-patch+json', strategic: 'application/strategic-merge-patch+json' };

export const deleteOptions = {
  kind: 'DeleteOptions',
  apiVersion: 'v1',
  gracePeriodSeconds: 0,
  propagationPolicy: 'Background',
};

const uidOfNone = '00000000-0000-4000-8000-000000000000';

const contending: Step = { what: 'replace', object: 0, side: 'left', changed: false, pick: 0 };

const keyOf = ({ place, name }: Spot): string => `${place}/${name}`;
