/**
 * What there is to read of an entry, as it can be looked for: in the order in which the view shows it, markdown without its signs, in pieces
 * that are each quickly searched.
 */
import type { ContentBlock, FileChange, ToolContent } from '../../core/model/content';
import { withoutSequences } from '../ansi/sequences';
import { inlineMathAt, mathBlockAt } from './formulas';
import { withoutReferences } from './references';
import type { Entry, SessionState } from '../../core/model/state';
import { resourceName, shortPath, shortTitle, withoutSigns as withoutTitleSigns } from '../../core/model/titles';

/** UTF-16 units of one piece. Nothing is found across the cut, which is between paragraphs where there are any. */
const PIECE = 64 * 1024;

/** The texts of `entry`, none longer than 64 K UTF-16 units. */
export function* textsOf(entry: Entry, state: Pick<SessionState, 'cwd' | 'terminals'>): Iterable<string> {
  switch (entry.kind) {
    case 'message':
      for (const block of entry.content) {
        yield* blockTexts(block, entry.role !== 'user');
      }
      break;
    case 'tool_call':
      yield* pieces(withoutTitleSigns(shortTitle(entry.title ?? '', state.cwd, entry.toolKind) || (entry.name ?? ''), entry.toolKind));
      for (const { path, line } of entry.locations) {
        yield* pieces(shortPath(path, state.cwd) + (line === undefined ? '' : `:${line}`));
      }
      for (const content of entry.content) {
        yield* toolTexts(content, state);
      }
      if (entry.title !== undefined && entry.name !== undefined && entry.name !== entry.title) {
        yield* pieces(entry.name);
      }
      break;
    case 'permission':
      yield* pieces(shortTitle(entry.title, state.cwd, entry.subject.kind));
      yield* pieces(entry.description ?? '');
      yield* pieces(entry.subject.command ?? '');
      break;
    case 'elicitation':
      yield* pieces(entry.message);
      break;
    case 'notice':
      yield* pieces(entry.title);
      yield* pieces(entry.description ?? '');
      yield* pieces(entry.failure?.detail ?? '');
      break;
    case 'compaction':
      yield* pieces(entry.error ?? '');
      for (const block of entry.summary) {
        yield* blockTexts(block, true);
      }
      break;
    case 'unknown':
      yield* pieces(entry.label);
      break;
    case 'turn':
      break;
  }
}

function* toolTexts(content: ToolContent, { cwd, terminals }: Pick<SessionState, 'cwd' | 'terminals'>): Iterable<string> {
  switch (content.type) {
    case 'content':
      yield* blockTexts(content.content, false);
      break;
    case 'diff':
      for (const change of content.changes) {
        yield* pieces(pathsOf(change, cwd));
      }
      break;
    case 'terminal': {
      const terminal = Object.hasOwn(terminals, content.terminalId) ? terminals[content.terminalId] : undefined;
      yield* pieces(terminal?.command ?? '');
      for (const piece of pieces(terminal?.output ?? '')) {
        yield withoutSequences(piece);
      }
      break;
    }
    case 'unknown':
      break;
  }
}

function pathsOf({ path, oldPath }: FileChange, cwd: string): string {
  return (oldPath === undefined ? '' : `${shortPath(oldPath, cwd)} → `) + shortPath(path, cwd);
}

function* blockTexts(block: ContentBlock, markdown: boolean): Iterable<string> {
  switch (block.type) {
    case 'text':
      if (markdown) {
        yield* readable(block.text);
      } else {
        for (const piece of pieces(block.text)) {
          yield withoutSequences(piece);
        }
      }
      break;
    case 'resource_link':
      yield* pieces(block.title || block.name || resourceName(block.uri));
      break;
    case 'resource':
      yield* pieces(resourceName(block.uri));
      yield* pieces(block.text ?? '');
      break;
    case 'image':
    case 'audio':
    case 'unknown':
      break;
  }
}

/** `text` in pieces; nothing for an empty one. */
export function* pieces(text: string): Iterable<string> {
  let start = 0;
  while (text.length - start > PIECE) {
    const paragraph = text.lastIndexOf('\n\n', start + PIECE);
    const line = text.lastIndexOf('\n', start + PIECE);
    const cut = paragraph > start + PIECE / 2 ? paragraph + 2 : line > start ? line + 1 : start + PIECE;
    yield text.slice(start, cut);
    start = cut;
  }
  if (start < text.length) {
    yield start === 0 ? text : text.slice(start);
  }
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Markdown as it reads once it is rendered, nearly: what a person sees, and so what they look for. */
export function* readable(markdown: string): Iterable<string> {
  const labels = new Set([...markdown.matchAll(DEFINITION)].map(([, label]) => labelOf(label!)));
  let fence = '';
  for (const piece of pieces(markdown)) {
    const parts: string[] = [];
    let prose = '';
    for (const line of piece.split(/(?<=\n)/)) {
      const mark = FENCE.exec(line.trimEnd());
      const closes = fence !== '' && mark !== null && mark[1]!.startsWith(fence) && mark[2]!.trim() === '';
      if (closes || (fence === '' && mark !== null)) {
        parts.push(plain(prose, labels), '\n\n');
        prose = '';
        fence = closes ? '' : mark![1]!;
      } else if (fence !== '') {
        parts.push(line);
      } else {
        prose += line;
      }
    }
    parts.push(plain(prose, labels));
    yield parts.join('');
  }
}

/** Code, bounded, so that signs that are never closed cost little; what may begin a formula; or a sign that is escaped, and so begins neither. */
const VERBATIM = /(?<!`)(`{1,3})(?!`)([^`\n]{1,1000})\1(?!`)|\$+|\\[!-/:-@[-`{-~]/g;

function plain(prose: string, labels: ReadonlySet<string>): string {
  const parts: string[] = [];
  let start = 0;
  for (const span of prose.matchAll(VERBATIM)) {
    if (span.index < start) {
      continue;
    }
    const code = span[2]?.replace(/^ (.*) $/, '$1');
    const whole = code !== undefined ? span[0] : /^(?:\$|\\[([])/.test(span[0]) ? formulaAt(prose, span.index) : '';
    if (whole === '') {
      continue;
    }
    parts.push(withoutSigns(prose.slice(start, span.index), labels), code ?? whole);
    start = span.index + whole.length;
  }
  parts.push(withoutSigns(prose.slice(start), labels));
  return parts.join('');
}

/** A formula reads as it was written, since what it is looked for by is that. */
function formulaAt(prose: string, index: number): string {
  const line = /(?:^|\n)[ \t>*+\d.)-]*$/.test(index > 20 ? prose.slice(index - 20, index).replace(/^[^\n]/, 'x') : prose.slice(0, index));
  const math = (line && mathBlockAt(prose.slice(index))) || inlineMathAt(prose.slice(index), prose[index - 1] ?? '');
  return math ? math.raw.trimEnd() : '';
}

/** What `[label]` leads to, which is not shown. */
const DEFINITION =
  /^ {0,3}\[([^\]\n]{1,200})\]:[ \t]{0,8}(?:<[^<>\n]{0,500}>|[^\s<][^\s]{0,500})(?:[ \t]{1,8}(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|\([^()\n]{0,200}\)))?[ \t]{0,8}\r?$/gm;

/** Labels are compared without case and with runs of space as one. */
function labelOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

function withoutSigns(text: string, labels: ReadonlySet<string>): string {
  const linked =
    labels.size === 0
      ? text
      : text
          .replace(DEFINITION, '')
          .replace(/\[([^[\]\n]{1,500})\](?:\[([^[\]\n]{0,200})\])?/g, (whole, words: string, label?: string) =>
            labels.has(labelOf(label || words)) ? words : whole,
          );
  const bare = linked
    .replace(/^[ \t]{0,8}(?:>[ \t]?){1,8}/gm, '')
    .replace(/^ {0,3}(?:=+|-+|(?:[*_-][ \t]*){3,})[ \t]*\r?$/gm, '\n')
    .replace(/^[ \t]{0,16}(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t])?/gm, '\n')
    .replace(/^ {0,3}#{1,6}[ \t]+/gm, '\n')
    .replace(
      /!?\[([^[\]\n]{0,500})\]\((?:<[^<>\n]{0,500}>|(?:[^()\s<]|\([^()\s]{0,200}\))(?:[^()\s]|\([^()\s]{0,200}\)){0,500})?(?: "[^"\n]{0,200}")?\)/g,
      '$1',
    )
    .replace(/(?<!\\)(\*{1,3})(?=[^\s*])([^*\n]{1,500})(?<=[^\s\\])\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}_\\])(_{1,3})(?=[^\s_])([^\n]{1,200}?)(?<=[^\s_])\1(?![\p{L}\p{N}_])/gu, '$2')
    .replace(/(?<![~\\])(~{1,2})(?=[^\s~])([^~\n]{1,500})(?<=\S)\1(?!~)/g, '$2')
    .replace(/^[ \t]*\|.*$/gm, (row) => (/^[\s|:-]+$/.test(row) ? '\n\n' : row.replace(/[ \t]*\|[ \t]*/g, '\n\n')))
    .replace(/\\(?:\r?\n|([!-/:-@[-`{-~]))/g, (_, sign?: string) => sign ?? '\n');
  return withoutReferences(bare);
}
