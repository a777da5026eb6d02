// The keys of the page: what each does, the list of them, and the theme.
import { el } from './dom.js';
import { termNames } from './search.js';

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const storage = 'kube-api-conformance-theme';

/** Returns the theme that the reader has chosen; some browsers keep nothing for files. */
function keptTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(storage)) ?? 'auto';
  } catch {
    return 'auto';
  }
}

/** Makes the switch of the theme. `auto` follows the system. */
export function themeSwitch(): HTMLButtonElement {
  const button = el('button', { type: 'button', class: 'theme' }, 'Theme');
  let theme = keptTheme();
  const show = (): void => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.setAttribute('aria-label', `Theme: ${theme}`);
    button.title = `${theme}; a click changes it`;
  };
  button.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto';
    show();
    try {
      localStorage.setItem(storage, theme);
    } catch {
      // The choice holds until the page is closed.
    }
  });
  show();
  return button;
}

/** A key and what it does; one without an action is only listed. */
export interface Shortcut {
  readonly key: string;
  readonly does: string;
  readonly act?: () => void;
}

/** Makes the keys work, and shows their list at `?`. Returns the button that shows the list. */
export function startKeys(shortcuts: readonly Shortcut[]): HTMLButtonElement {
  const rows = [...shortcuts, { key: '?', does: 'show this list' }].map(({ key, does }) =>
    el('div', {}, el('dt', {}, el('kbd', {}, key)), el('dd', {}, does)),
  );
  const close = el('button', { type: 'submit' }, 'Close');
  const list = el(
    'dialog',
    { class: 'keys', 'aria-label': 'Keys' },
    el('h2', {}, 'Keys'),
    el('dl', {}, ...rows),
    el('h2', {}, 'Search'),
    el(
      'p',
      {},
      `Words, "quoted texts", and terms: ${termNames.map((name) => `${name}:`).join(', ')}. A comma means or.`,
    ),
    el('p', {}, el('code', {}, 'verb:patch,replace kind:pods verdict:failed "not found"')),
    el('form', { method: 'dialog' }, close),
  );
  document.body.append(list);
  const show = (): void => list.showModal();
  addEventListener('keydown', (event) => {
    const { target } = event;
    const typing = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (typing || list.open || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = event.key === '?' ? show : shortcuts.find(({ key }) => key === event.key)?.act;
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  const button = el('button', { type: 'button', class: 'help', 'aria-label': 'Keys ?' }, '?');
  button.addEventListener('click', show);
  return button;
}
