/** Finds the comments, test titles, code and strings of a source file. */

const BEFORE_REGEX = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'throw',
  'new',
  'else',
  'do',
  'instanceof',
  'yield',
  'await',
  'default',
]);
const DIRECTIVE =
  /^\s*(?:biome-|oxlint-|eslint|@ts-|prettier-|c8 |v8 |istanbul|#region|#endregion|#__PURE__|@__PURE__|<reference|sourceMappingURL|# sourceMappingURL|!\s|@jsx|@type\b|@license)/;

/**
 * Finds comments and test titles in source text. Good enough for TypeScript, JSX and CSS: strings, templates and regular
 * expressions are skipped; an apostrophe in JSX text hides the rest of its line only.
 */
export function scan(text, css) {
  const comments = [];
  const titles = [];
  const code = [];
  const strings = [];
  const aliases = css
    ? []
    : [...text.matchAll(/\bconst\s+(\w+)\s*=[^;\n]*\b(?:it|describe)\b(?:\.skip)?\s*[;:]/g)].map((match) => match[1]);
  const call = new RegExp(
    `(?:(?:^|[^.\\w$])(it|describe|test|suite|specify|context${aliases.map((name) => `|${name}`).join('')})(?:\\.\\w+)*|\\([^()]*\\b(?:it|describe)(?:\\.skip)?\\s*\\))\\s*\\(\\s*$`,
  );
  const templates = [];
  let depth = 0;
  let line = 1;
  let previous = '';
  let codeFrom = 0;
  let lineStart = 0;
  const literal = (from, to) => {
    code.push(text.slice(codeFrom, from));
    strings.push(text.slice(from, to));
    codeFrom = to;
  };
  const advance = (from, to) => {
    for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) {
      line++;
      lineStart = at + 1;
    }
  };
  const title = (from, to, open, at) => {
    if (css || !call.test(text.slice(Math.max(0, at - 160), at))) return;
    titles.push({ text: text.slice(from, to).replace(/\\(['"`])/g, '$1') + (open ? '…' : ''), line });
  };
  for (let i = 0; i < text.length; ) {
    const c = text[i];
    const next = text[i + 1];
    if (c === '\n') {
      line++;
      lineStart = ++i;
    } else if (c === ' ' || c === '\t' || c === '\r') {
      i++;
    } else if (c === '/' && (next === '*' || (next === '/' && !css))) {
      code.push(text.slice(codeFrom, i));
      const block = next === '*';
      let end = text.indexOf(block ? '*/' : '\n', i + 2);
      if (end < 0) end = text.length;
      const doc = block && text[i + 2] === '*' && text[i + 3] !== '/';
      comments.push({
        kind: doc ? 'doc' : block ? 'block' : 'line',
        line,
        alone: text.slice(lineStart, i).trim() === '',
        text: text.slice(i + (doc ? 3 : 2), end),
      });
      advance(i, end);
      i = block ? end + 2 : end;
      codeFrom = i;
    } else if (c === '"' || c === "'") {
      let end = i + 1;
      while (end < text.length && text[end] !== c && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1;
      title(i + 1, end, false, i);
      literal(i + 1, end);
      advance(i, end);
      i = text[end] === '\n' ? end : end + 1;
      previous = 'literal';
    } else if (!css && (c === '`' || (c === '}' && templates.at(-1) === depth))) {
      if (c === '}') templates.pop();
      let end = i + 1;
      while (end < text.length && text[end] !== '`' && !(text[end] === '$' && text[end + 1] === '{')) end += text[end] === '\\' ? 2 : 1;
      if (c === '`') title(i + 1, end, text[end] !== '`', i);
      literal(i + 1, end);
      advance(i, end);
      if (text[end] === '$') {
        templates.push(depth);
        previous = '{';
        i = end + 2;
      } else {
        previous = 'literal';
        i = end + 1;
      }
    } else if (!css && c === '/') {
      const end = previous === '' || BEFORE_REGEX.has(previous) || /^[^\w$)\]}<]$/.test(previous) ? endOfRegex(text, i) : -1;
      previous = end < 0 ? '/' : 'literal';
      i = end < 0 ? i + 1 : end;
    } else if (/[\p{L}\p{N}_$]/u.test(c)) {
      let end = i + 1;
      while (end < text.length && /[\p{L}\p{N}_$]/u.test(text[end])) end++;
      previous = text.slice(i, end);
      i = end;
    } else {
      if (c === '{') depth++;
      else if (c === '}') depth--;
      previous = c;
      i++;
    }
  }
  code.push(text.slice(codeFrom));
  return {
    comments: joined(comments).filter((comment) => !DIRECTIVE.test(comment.text)),
    titles,
    code: code.join(' '),
    strings: strings.join(' '),
  };
}

function endOfRegex(text, from) {
  let set = false;
  for (let at = from + 1; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '[') set = true;
    else if (text[at] === ']') set = false;
    else if (text[at] === '/' && !set) {
      at++;
      while (/[a-z]/.test(text[at] ?? '')) at++;
      return at;
    }
  }
  return -1;
}

/** Joins `//` comments on consecutive lines of their own. */
function joined(comments) {
  const result = [];
  for (const comment of comments) {
    const last = result.at(-1);
    if (
      last?.kind === 'line' &&
      comment.kind === 'line' &&
      last.alone &&
      comment.alone &&
      !DIRECTIVE.test(comment.text) &&
      comment.line === last.line + last.text.split('\n').length
    )
      last.text += `\n${comment.text}`;
    else result.push({ ...comment });
  }
  return result;
}

export function linesOf(comment) {
  return comment.text.split('\n').map((text, index) => ({
    text: comment.kind === 'line' ? text.trim() : text.replace(/^\s*\*? ?/, '').trimEnd(),
    line: comment.line + index,
  }));
}
