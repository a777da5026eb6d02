// What is wrong with the layout of a page in a browser: it scrolls sideways, something is outside, a word is broken.
import type { Page } from '@playwright/test';

/** Runs in the page. Paths and other long values may be broken where there is no room. */
const search = `(() => {
  const { clientWidth: width, scrollWidth } = document.documentElement;
  const faults = scrollWidth > width ? ['it scrolls sideways: ' + scrollWidth] : [];
  const isShown = (element) => element.checkVisibility() && element.closest('.unseen, .skip') === null;
  const scrolls = (element) =>
    element !== null && (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement));
  const named = (element) => element.tagName.toLowerCase() + '.' + element.className + ' "' + element.textContent.trim().slice(0, 40) + '"';
  for (const element of document.body.querySelectorAll('*')) {
    const { left, right } = element.getBoundingClientRect();
    if (right - left === 0 || !isShown(element) || scrolls(element.parentElement)) continue;
    if (left < -1 || right > width + 1) faults.push('outside: ' + named(element));
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const element = text.parentElement;
    if (element.closest('script, style, code, pre, .message') !== null || !isShown(element)) continue;
    if (getComputedStyle(element).writingMode !== 'horizontal-tb') continue;
    for (const { index, 0: word } of text.data.matchAll(/(?<=^|\\s)[A-Za-z]{2,16}(?=$|[\\s.,:;])/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) faults.push('broken: ' + word + ' in ' + named(element));
    }
  }
  return faults;
})()`;

/** Returns the faults of the layout of an open page, one line each. */
export async function layoutFaults(page: Page): Promise<string[]> {
  return await page.evaluate(search);
}
