// Makes the `.copy` buttons copy the text of the block before them, also buttons that are added later. It is a part of the
// page's script, and the whole script of the files beside the page.

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button.copy') : null;
  const block = button?.parentElement?.querySelector('pre, code');
  if (button && block) void copy(block).then((done) => tell(button, done));
});

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
