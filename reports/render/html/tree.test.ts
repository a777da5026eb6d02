import { describe, expect, it } from 'vitest';
import { visible } from '../../safeText.js';
import { allHostile, hostile } from '../../testing/hostile.js';
import { html, type Markup } from './markup.js';
import { treesOf } from './tree.js';

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
