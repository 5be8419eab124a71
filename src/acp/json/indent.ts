/** Indents JSON without parsing it, so that numbers and texts stay as they were written, and finds the line of each value. */

export interface IndentedJson {
  readonly lines: readonly string[];
  /** The line of each member and item, by its path, such as `params.content[0].type`. The whole value is at `''`. */
  readonly places: ReadonlyMap<string, number>;
}

const SCALAR = /[^\s,:{}[\]"]+/y;
/** A deeper value is written on one line. */
const MAX_DEPTH = 60;

interface Level {
  readonly isArray: boolean;
  readonly path: string;
  index: number;
}

/** @param text JSON, or its beginning @param maxLines more lines are left out */
export function indentJson(text: string, maxLines: number): IndentedJson {
  const lines: string[] = [];
  const places = new Map<string, number>();
  const levels: Level[] = [];
  let line = '';
  let path = '';
  let isKey = false;

  const indent = (): string => '  '.repeat(Math.min(levels.length, MAX_DEPTH));
  const breakLine = (): void => {
    lines.push(line);
    line = indent();
  };
  /** Begins a value: notes its place. */
  const value = (): void => {
    const level = levels.at(-1);
    if (level?.isArray) {
      path = `${level.path}[${level.index}]`;
    }
    places.set(path, lines.length);
  };
  for (let at = 0; at < text.length && lines.length < maxLines; ) {
    const character = text[at]!;
    if (character === '"') {
      const end = stringEnd(text, at);
      const literal = text.slice(at, end);
      const level = levels.at(-1);
      if (isKey && level) {
        path = level.path === '' ? unquoted(literal) : `${level.path}.${unquoted(literal)}`;
        isKey = false;
      } else {
        value();
      }
      line += literal;
      at = end;
    } else if (character === '{' || character === '[') {
      value();
      const isArray = character === '[';
      line += character;
      levels.push({ isArray, path, index: 0 });
      at = afterBlank(text, at + 1);
      isKey = !isArray;
      if (text[at] !== '}' && text[at] !== ']') {
        breakLine();
      }
    } else if (character === '}' || character === ']') {
      const isEmpty = /[{[]$/.test(line);
      const closed = levels.pop();
      if (!isEmpty) {
        breakLine();
      }
      line += character;
      path = closed?.path ?? '';
      isKey = false;
      at++;
    } else if (character === ',') {
      const level = levels.at(-1);
      line += ',';
      if (level) {
        level.index++;
        isKey = !level.isArray;
      }
      breakLine();
      at++;
    } else if (character === ':') {
      line += ': ';
      at++;
    } else if (character <= ' ') {
      at++;
    } else {
      SCALAR.lastIndex = at;
      const [scalar] = SCALAR.exec(text) ?? [character];
      value();
      line += scalar;
      at += scalar.length;
    }
  }
  lines.push(line);
  return { lines, places };
}

/** The index after the closing quote of the string that begins at `at`, or the end of the text. */
function stringEnd(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') {
      slashes++;
    }
    if (slashes % 2 === 0) {
      return end + 1;
    }
  }
  return text.length;
}

function afterBlank(text: string, at: number): number {
  let next = at;
  while (next < text.length && text[next]! <= ' ') {
    next++;
  }
  return next;
}

function unquoted(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal;
  }
}
