/** Tool calls in a conversation's document, and the blocks of content that they share with messages. */
import { refusalOf, requestsOf } from '../../core/approval/requests';
import { changeLines } from '../../core/fileChanges/changeText';
import { linkTarget } from '../markdown/sanitize';
import type { ContentBlock, FileChange, Location, ToolContent } from '../../core/model/content';
import { toolCallTitle } from '../../core/model/toolTitle';
import { codeSpan, fenced, proseLine } from '../markdown/fence';
import { withoutSequences } from '../ansi/sequences';
import type { SessionState, TerminalState, ToolCallEntry } from '../../core/model/state';
import type { TranscriptWords } from './wording';

/** UTF-16 units of one text that is not a message's own. */
const MAX_TEXT = 128 * 1024;

/** A tool call: what it was given, what it changed and ran, what it gave back. @param decisions how the requests about it ended */
export function toolCall(entry: ToolCallEntry, state: SessionState, words: TranscriptWords, decisions: readonly string[] = []): string[] {
  const title = toolCallTitle(entry, state.cwd, entry.toolKind);
  const { content, rawInput, rawOutput } = entry;
  const isFailed = entry.status === 'failed';
  // A change or a command says what was wanted, and content what came of it: nobody wants to hear it twice.
  const input =
    content.some(({ type }) => type === 'diff' || type === 'terminal') || isNothing(rawInput) ? [] : [words.input, json(rawInput, words)];
  // Of a call that failed without a word it is the only reason.
  const output =
    (isFailed ? content.some(isSaid) : content.length > 0) || isNothing(rawOutput) ? [] : [words.output, json(rawOutput, words)];
  return [
    `### ${words.tool(proseLine(title))}`,
    // The decision says it.
    ...(refusalOf(entry, requestsOf(entry, state.entries))
      ? []
      : [words.status(entry.status, entry.updatedAt - entry.at - (entry.waited ?? 0))]),
    ...decisions,
    places(entry.locations),
    ...input,
    ...(isFailed ? output : []),
    ...content.flatMap((each) => toolContent(each, state, words)),
    ...(isFailed ? [] : output),
  ];
}

function isSaid(content: ToolContent): boolean {
  return content.type === 'content' && content.content.type === 'text' && content.content.text.trim() !== '';
}

export function isNothing(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (typeof value === 'string' && value.trim() === '') ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

/** What a tool call shows of what it did, or would do. */
export function toolContent(content: ToolContent, { terminals }: SessionState, words: TranscriptWords): string[] {
  switch (content.type) {
    case 'content':
      return [content.content.type === 'text' ? bounded(withoutSequences(content.content.text), words) : blockText(content.content)];
    case 'diff':
      return [
        ...content.changes.flatMap((change) => fileChange(change, words)),
        ...(content.patch === undefined ? [] : [bounded(content.patch, words, 'diff')]),
      ];
    case 'terminal':
      return terminal(Object.hasOwn(terminals, content.terminalId) ? terminals[content.terminalId] : undefined, words);
    case 'unknown':
      return [json(content.raw, words)];
  }
}

function fileChange(change: FileChange, words: TranscriptWords): string[] {
  const name = change.oldPath === undefined ? change.path : `${change.oldPath} → ${change.path}`;
  const lines = changeLines(change);
  return [
    words.changed(change.operation, codeSpan(name)),
    ...(lines && lines.text !== '' ? [bounded(lines.text, words, 'diff')] : []),
    ...(lines && lines.left > 0 ? [words.leftOut(lines.left, 'lines')] : []),
  ];
}

function terminal(state: TerminalState | undefined, words: TranscriptWords): string[] {
  if (!state) {
    return [];
  }
  return [
    state.command === undefined ? '' : fenced(state.command, 'sh'),
    state.dropped > 0 ? words.leftOut(state.dropped, 'characters') : '',
    state.output === '' ? '' : fenced(withoutSequences(state.output).replace(/\r+\n/g, '\n')),
    words.terminal(state.exitStatus),
  ];
}

/** A line for each. */
export function places(locations: readonly Location[]): string {
  return locations.map(({ path, line }) => `- ${codeSpan(line === undefined ? path : `${path}:${line}`)}`).join('\n');
}

/** Of blocks that are no text, what they are. */
export function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `[${proseLine(block.title || block.name || block.uri)}](${linkTarget(block.uri)})`;
    case 'resource':
      return block.text === undefined ? codeSpan(block.uri) : `${codeSpan(block.uri)}\n\n${fenced(block.text)}`;
    case 'image':
    case 'audio':
      return codeSpan(block.type === 'image' && block.uri !== undefined ? `${block.mimeType} ${block.uri}` : block.mimeType);
    case 'unknown':
      return fenced(JSON.stringify(block.raw, null, 2) ?? '', 'json');
  }
}

/** A value as it was sent. */
export function json(value: unknown, words: TranscriptWords): string {
  return typeof value === 'string' ? bounded(value, words) : bounded(JSON.stringify(value, null, 2) ?? '', words, 'json');
}

function bounded(text: string, words: TranscriptWords, info = ''): string {
  if (text.length <= MAX_TEXT) {
    return text.trim() === '' ? '' : fenced(text, info);
  }
  return `${fenced(text.slice(0, MAX_TEXT).toWellFormed(), info)}\n\n${words.leftOut(text.length - MAX_TEXT, 'characters')}`;
}
