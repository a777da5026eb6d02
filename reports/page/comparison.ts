// The script of a comparison: the cases of a requirement come when they are asked for.
import { build, type Tree } from './tree.js';

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>('button.unfold') : null;
  const row = button?.closest('tr');
  if (!button || !row) return;
  const open = button.getAttribute('aria-expanded') === 'true';
  button.setAttribute('aria-expanded', String(!open));
  const body = row.parentElement;
  const known = [...(body?.querySelectorAll<HTMLElement>('tr.one') ?? [])];
  for (const one of known) one.hidden = open;
  if (known.length > 0 || open) return;
  const data = document.getElementById(button.value);
  body?.append(...(JSON.parse(data?.textContent ?? '[]') as readonly Tree[]).map(build));
});
document.documentElement.classList.add('script');
