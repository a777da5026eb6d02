// Templates keep text as text.
import { describe, expect, it } from 'vitest';
import { visible } from '../../safeText.js';
import { parseMarkup } from '../../testing/parse.js';
import { allHostile, hostile } from '../../testing/sample.js';
import { html, type Markup, treesOf } from './markup.js';

const read = (markup: Markup) => parseMarkup(`<!doctype html>${markup}`, 'html');

describe('a template', () => {
  it.each(hostile)('keeps %s as text, in an element and in an attribute', (_, text) => {
    const plain = text.replace(/\p{Cc}|\p{Surrogate}|[\u202e\u202c\uffff]/gu, '');
    expect(read(html`<p title="${plain}">${plain}</p>`)).toEqual({
      name: 'p',
      attributes: { title: plain },
      children: [],
      text: plain,
    });
    expect(read(html`<p title="${text}">${text}</p>`).children).toEqual([]);
  });

  it('accepts markup, lists of markup, numbers and undefined', () => {
    const items = ['<a>', 'b'].map((text) => html`<li>${text}</li>`);
    expect(html`<ul class="x">${items}</ul>${3}${undefined}`.toString()).toBe(
      '<ul class="x"><li>&#60;a&#62;</li>\n<li>b</li></ul>3',
    );
  });
});

describe('the tree of markup', () => {
  it('has its elements, attributes and texts in their order', () => {
    expect(treesOf(html`a<p class="x" hidden>b<b>c</b></p>${1}`)).toEqual([
      'a',
      ['p', { class: 'x', hidden: '' }, ['b', ['b', {}, ['c']]]],
      '1',
    ]);
  });

  it.each([...hostile, ['all of it', allHostile] as const])('keeps %s as text', (_, text) => {
    const markup: Markup = html`<p title="${text}">${text}</p>`;
    expect(treesOf(markup)).toEqual([['p', { title: visible(text) }, [visible(text)]]]);
  });
});
