// Buttons that copy the text of the block before them.

/** Makes every `.copy` button of the page work, including buttons that are added later. */
export function startCopying(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('button.copy') : null;
    const block = button?.parentElement?.querySelector('pre, code');
    if (button && block) void copy(block).then((done) => tell(button, done));
  });
}

async function copy(block: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(block.textContent ?? '');
    return true;
  } catch {
    // A page from plain HTTP has no clipboard API: the script selects the text and lets the browser copy it.
    getSelection()?.selectAllChildren(block);
    return document.execCommand('copy');
  }
}

function tell(button: Element, done: boolean): void {
  const status = button.nextElementSibling;
  if (status) status.textContent = done ? 'copied' : 'selected: copy it with the keyboard';
  setTimeout(() => {
    if (status) status.textContent = '';
  }, 3_000);
}
