// The forms of secrets that have one beginning, to find the longest at a place of a text without a look at each.
import type { SecretForm } from './secretForms.js';

/** The form at a place of a text; `cut` if the text ends within it. */
export type FoundForm = SecretForm | 'cut';

/** Sorts the forms, and knows which of them begin others. */
export class FormIndex {
  readonly #forms = new Map<string, SecretForm>();
  /** The texts of the forms, and those that are not sorted yet. */
  #sorted: readonly string[] = [];
  #added: string[] = [];
  /** For each of the sorted texts the place of the longest other one with which it begins; -1 if there is none. */
  #beginnings: readonly number[] = [];
  #longest = 0;

  /** Adds a form. Of two forms with one text, both may have edges. */
  add(form: SecretForm): void {
    const { text, edges } = form;
    const known = this.#forms.get(text);
    if (known === undefined) this.#added.push(text);
    const edge = (side: 0 | 1): 0 | 1 => (known?.edges?.[side] === 1 || edges?.[side] === 1 ? 1 : 0);
    this.#forms.set(text, known === undefined ? form : { text, edges: [edge(0), edge(1)] });
    this.#longest = Math.max(this.#longest, text.length);
  }

  /** Returns the longest form with which the text goes on at a place. A start of `shortest` characters counts at its end. */
  find(text: string, from: number, shortest: number): FoundForm | undefined {
    if (this.#added.length > 0) this.#sort();
    const rest = text.slice(from, from + this.#longest);
    const after = this.#placeAfter(rest);
    const mayBeCut = from + rest.length === text.length && rest.length >= shortest;
    if (mayBeCut && this.#sorted[after]?.startsWith(rest)) return 'cut';
    const before = this.#sorted[after - 1] ?? '';
    const common = lengthOfCommon(before, rest);
    // All texts between a beginning and what begins with it begin with it too.
    let place = after - 1;
    while (place >= 0 && (this.#sorted[place] ?? '').length > common) place = this.#beginnings[place] ?? -1;
    return this.#forms.get(this.#sorted[place] ?? '');
  }

  /** Returns the place of the first text that is greater. */
  #placeAfter(text: string): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] ?? '') <= text) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #sort(): void {
    // What is sorted already costs one pass.
    this.#sorted = [...this.#sorted, ...this.#added].sort();
    this.#added = [];
    const beginnings: number[] = [];
    for (const [place, text] of this.#sorted.entries()) {
      let beginning = place - 1;
      while (beginning >= 0 && !text.startsWith(this.#sorted[beginning] ?? '')) beginning = beginnings[beginning] ?? -1;
      beginnings.push(beginning);
    }
    this.#beginnings = beginnings;
  }
}

function lengthOfCommon(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one.charCodeAt(length) === other.charCodeAt(length))
    length += 1;
  return length;
}
