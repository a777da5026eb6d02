// Splits JSON into indented lines without changing its values, and records the path of each line.

/** A line of a body; `path` has the form of paths in checks: `spec.containers[0].name`. Empty without `hasPaths`. */
export interface BodyLine {
  readonly text: string;
  readonly path: string;
}

interface Open {
  readonly close: '}' | ']';
  key: string;
  index: number;
}

const token = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/gs;
/** The maximum depth of indentation. API objects are not nested deeper, and spaces would fill the page. */
const deepest = 32;

/** Returns the lines of a JSON body, even if the body is cut; undefined if it is not a JSON object or list. */
export function prettyJson(source: string, hasPaths = true): BodyLine[] | undefined {
  if (!/^\s*[{[]/.test(source)) return undefined;
  const tokens = source.match(token) ?? [];
  const lines: BodyLine[] = [];
  const open: Open[] = [];
  let text = '';
  let path = '';
  const pathNow = (): string =>
    hasPaths
      ? open
          .map(({ close, key, index }) => (close === ']' ? `[${index}]` : `.${key}`))
          .join('')
          .replace(/^\./, '')
      : '';
  const end = (): void => {
    lines.push({ text, path });
    text = '  '.repeat(open.length);
    const top = open.at(-1);
    path = top?.close === ']' ? pathNow() : '';
  };
  for (const [at, part] of tokens.entries()) {
    const top = open.at(-1);
    if (part === '{' || part === '[') {
      const close = part === '{' ? '}' : ']';
      text += part;
      if (tokens[at + 1] === close) continue;
      open.push({ close, key: '', index: 0 });
      if (open.length > deepest) return undefined;
      end();
    } else if (part === '}' || part === ']') {
      if (tokens[at - 1] === (part === '}' ? '{' : '[')) {
        text += part;
        continue;
      }
      if (top?.close !== part) return undefined;
      open.pop();
      lines.push({ text, path });
      text = `${'  '.repeat(open.length)}${part}`;
      path = pathNow();
    } else if (part === ',') {
      if (!top) return undefined;
      text += ',';
      top.index += 1;
      end();
    } else if (part === ':') text += ': ';
    else {
      if (hasPaths && top?.close === '}' && tokens[at + 1] === ':') {
        top.key = keyOf(part);
        path = pathNow();
      }
      text += part;
    }
  }
  lines.push({ text, path });
  return lines;
}

function keyOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
