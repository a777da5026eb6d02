import { describe, expect, it } from 'vitest';
import { hostile } from '../../testing/hostile.js';
import { parse } from '../../testing/parse.js';
import { html, type Markup } from './markup.js';

const read = (markup: Markup) => parse(`<!doctype html>${markup}`, 'html');

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
