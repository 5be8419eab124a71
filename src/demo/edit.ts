/** Chooses one small, useful edit of a text. Pure: the proposal depends on the path and the text alone. */

export interface Edit {
  /** The edit in the imperative, for a tool call's title. */
  readonly title: string;
  /** The reason, in a sentence. */
  readonly reason: string;
  readonly newText: string;
  /** The line (1-based) of the change in the new text. */
  readonly line: number;
}

/** The start and end of a line comment, by file extension. */
const COMMENTS: readonly (readonly [RegExp, string, string])[] = [
  [/\.(?:[cm]?[jt]sx?|go|rs|java|kt|cs|c|cc|cpp|h|hpp|swift|php|scala|dart|jsonc|scss|less)$/i, '// ', ''],
  [/\.(?:py|rb|sh|bash|zsh|ya?ml|toml|r|pl|ps1|ex|exs|nim|conf|dockerfile)$|(?:^|[\\/])(?:makefile|dockerfile)$/i, '# ', ''],
  [/\.(?:md|markdown|html?|xml|svg|vue|svelte)$/i, '<!-- ', ' -->'],
  [/\.css$/i, '/* ', ' */'],
  [/\.(?:sql|lua|hs|elm|ada)$/i, '-- ', ''],
  [/\.(?:lisp|clj|el|scm|ini|asm)$/i, '; ', ''],
];

/** Function names, and the operator that such a function should use. */
const NOTES: readonly (readonly [RegExp, string])[] = [
  [/^(?:add|sum|plus)(?:numbers|two|up)?$/i, '+'],
  [/^(?:sub|subtract|minus|difference)$/i, '-'],
  [/^(?:mul|multiply|times|product)$/i, '*'],
  [/^(?:div|divide|quotient)$/i, '/'],
];

/**
 * Returns the edit for this text; undefined when there is no small and safe one.
 * @param comment the user's own text for a comment; it takes precedence
 */
export function proposeEdit(path: string, text: string, comment?: string): Edit | undefined {
  if (comment !== undefined) {
    return addComment(path, text, comment.replace(/[\r\n]+/g, ' '), 'The comment is yours.');
  }
  return fixOperator(text) ?? documentFile(path, text);
}

/** Fixes an `add` that subtracts: a body of one return with two operands, in a language with braces, an arrow or a `def`. */
function fixOperator(text: string): Edit | undefined {
  const head =
    /(?:\b(?:function|def|func|fn|fun)\s+(\w+)\s*\([^)]*\)(?:[^{\n]*\{|[^:\n]*:)|\b(?:const|let|var)\s+(\w+)\s*=\s*\([^)]*\)[^=\n]*=>)/;
  const body = /\s*\{?\s*(?:return\s+)?(\w+)\s*([-+*/])\s*(\w+)/;
  const functions = new RegExp(head.source + body.source, 'g');
  for (const match of text.matchAll(functions)) {
    const name = match[1] ?? match[2] ?? '';
    const [, , , left = '', operator = '', right = ''] = match;
    const promised = NOTES.find(([pattern]) => pattern.test(name))?.[1];
    if (promised === undefined || promised === operator) {
      continue;
    }
    const from = match.index + match[0].lastIndexOf(operator);
    return {
      title: `Fix ${name}: ${left} ${promised} ${right}`,
      reason: `\`${name}\` computes \`${left} ${operator} ${right}\`; its name suggests \`${left} ${promised} ${right}\`.`,
      newText: text.slice(0, from) + promised + text.slice(from + 1),
      line: lineAt(text, from),
    };
  }
  return undefined;
}

/** Adds a first line that describes the file, or removes that line when it exists already. */
function documentFile(path: string, text: string): Edit | undefined {
  const name = baseName(path);
  const names = definedNames(text);
  const words = names.length > 0 ? `${name}: ${list(names)}` : `TODO: say in one line what ${name} is for`;
  const edit = addComment(path, text, words, 'The first line should tell readers what is in the file.');
  if (!edit) {
    return undefined;
  }
  const line = edit.newText.split('\n')[edit.line - 1] ?? '';
  const had = text.split('\n').indexOf(line);
  if (had < 0) {
    return edit;
  }
  const lines = text.split('\n');
  lines.splice(had, 1);
  return {
    title: `Remove the comment from ${name}`,
    reason: 'The file already has the line I would add, so this edit removes it.',
    newText: lines.join('\n'),
    line: Math.min(had + 1, lines.length),
  };
}

function addComment(path: string, text: string, words: string, reason: string): Edit | undefined {
  const style = COMMENTS.find(([pattern]) => pattern.test(path));
  if (!style) {
    return undefined;
  }
  const [, open, close] = style;
  const eol = /\r\n/.test(text) ? '\r\n' : '\n';
  const at = afterPreamble(text);
  const inserted = open + words.replaceAll(close.trim() || '\n', '') + close + eol;
  return {
    title: `Add a comment to ${baseName(path)}`,
    reason,
    newText: text.slice(0, at) + inserted + text.slice(at),
    line: lineAt(text, at),
  };
}

/** Returns the offset after everything that must stay first: a byte order mark, `#!`, an encoding line, `<?xml`, a doctype, front matter. */
function afterPreamble(text: string): number {
  const preamble =
    /^\uFEFF?(?:---\r?\n[\s\S]*?\r?\n---\r?\n|#![^\n]*\n|<\?[^\n]*\n|<!doctype[^\n]*\n)?(?:#[^\n]*coding[:=][^\n]*\n)?/i.exec(text);
  return preamble?.[0].length ?? 0;
}

function definedNames(text: string): string[] {
  const defined =
    /^(?:export\s+(?:default\s+)?)?(?:pub(?:lic)?\s+)?(?:async\s+)?(?:function\*?|class|def|func|fn|struct|interface)\s+([A-Za-z_]\w*)/gm;
  const arrows = /^(?:export\s+)?const\s+([A-Za-z_]\w*)\s*=\s*(?:async\s*)?\([^)]*\)\s*=>/gm;
  const names = [...text.matchAll(defined), ...text.matchAll(arrows)].sort((a, b) => a.index - b.index).map((match) => match[1]!);
  return [...new Set(names)].slice(0, 5);
}

/** Joins words as in a sentence. */
function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]!}`;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function baseName(path: string): string {
  return path.split(/[\\/]/).pop() ?? path;
}
