// Texts by which a server may attack the readers of a report.

/** The target of each attack, and the text. */
export const hostile: readonly (readonly [attack: string, text: string])[] = [
  ['a script element', '</script><script>alert(1)</script>'],
  ['an image', '<img src=x onerror=alert(1)>'],
  ['a quoted attribute', `"' onmouseover="alert(1)" x='`],
  ['the end of a pre and of a page', '</pre></details></body></html>'],
  ['an entity', '&lt;b&gt; &unknown; &#0; & <!-- '],
  ['a CDATA section', ']]><x/><![CDATA['],
  ['characters that XML forbids', 'nul \0 bell \u0007 escape \u001b[2J\u001b[31m delete \u007f non-character \uffff'],
  ['half a surrogate pair', 'high \ud800 low \udc00 whole 😀'],
  ['the direction of text', 'safe \u202egnp.exe\u202c'],
  ['a carriage return', 'failed\rpassed'],
  ['a template', '{{x}} $& $1 <%= y %>'],
];

/** All hostile texts in one. */
export const allHostile = hostile.map(([, text]) => text).join(' ');
