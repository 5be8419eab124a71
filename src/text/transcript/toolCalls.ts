/** Tool calls in a conversation's document, and the content blocks that they share with messages. */
import { refusalOf, requestsOf, statusOf } from '../../core/approval/requests';
import { changeLines } from '../../core/toolCalls/changeText';
import { linkTarget, sanitizeMarkdown } from '../markdown/sanitize';
import { purposeOf, saysPurpose } from '../../core/approval/purpose';
import type { ContentBlock, FileChange, Location, ToolContent } from '../../core/model/content';
import { toolCallTitle } from '../../core/toolCalls/toolTitle';
import { codeSpan, fenced, proseLine } from '../markdown/fence';
import { withoutSequences } from '../ansi/sequences';
import type { SessionState, TerminalState, ToolCallEntry } from '../../core/model/state';
import { subagentName, subagentOf } from '../../core/subagents/subagentTree';
import type { TranscriptStrings } from './transcriptStrings';

/** The most UTF-16 units of one text, except for the text of messages. */
const MAX_TEXT = 128 * 1024;

/** Returns a tool call with its input, changes, commands and output. @param decisions the outcomes of its requests */
export function toolCall(
  entry: ToolCallEntry,
  state: SessionState,
  strings: TranscriptStrings,
  decisions: readonly string[] = [],
): string[] {
  const title = toolCallTitle(entry, state.cwd, entry.toolKind);
  const { rawInput, rawOutput } = entry;
  const requests = requestsOf(entry, state.entries);
  const purpose = purposeOf(entry);
  const content = entry.content.filter((each) => !saysPurpose(each, purpose));
  const isFailed = entry.status === 'failed';
  // A change or a command shows the input, and content shows the output, so the raw values would repeat them.
  const input =
    content.some(({ type }) => type === 'diff' || type === 'terminal') || isNothing(rawInput)
      ? []
      : [strings.input, json(rawInput, strings)];
  // For a call that failed without a text, the output is the only reason.
  const output =
    (isFailed ? content.some(isVisibleText) : content.length > 0) || isNothing(rawOutput) ? [] : [strings.output, json(rawOutput, strings)];
  return [
    `### ${strings.tool(proseLine(title))}`,
    // The decision replaces the status.
    ...(refusalOf(entry, requests) ? [] : [strings.status(statusOf(entry, requests), entry.updatedAt - entry.at - (entry.waited ?? 0))]),
    ...decisions,
    places(entry.locations),
    ...(purpose !== undefined && input.length === 0 ? [sanitizeMarkdown(purpose)] : []),
    ...input,
    ...(isFailed ? output : []),
    ...content.flatMap((each) => toolContent(each, state, strings)),
    ...(isFailed ? [] : output),
  ];
}

function isVisibleText(content: ToolContent): boolean {
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

/** Returns a part of a tool call's content. */
export function toolContent(content: ToolContent, { terminals, subagents }: SessionState, strings: TranscriptStrings): string[] {
  switch (content.type) {
    case 'content':
      return [content.content.type === 'text' ? bounded(withoutSequences(content.content.text), strings) : blockText(content.content)];
    case 'diff':
      return [
        ...content.changes.flatMap((change) => fileChange(change, strings)),
        ...(content.patch === undefined ? [] : [bounded(content.patch, strings, 'diff')]),
      ];
    case 'terminal':
      return terminal(Object.hasOwn(terminals, content.terminalId) ? terminals[content.terminalId] : undefined, strings);
    case 'session': {
      const child = subagentOf({ subagents }, content.sessionId);
      return child ? [strings.subagent(proseLine(subagentName(child)))] : [];
    }
    case 'unknown':
      return [json(content.raw, strings)];
  }
}

function fileChange(change: FileChange, strings: TranscriptStrings): string[] {
  const name = change.oldPath === undefined ? change.path : `${change.oldPath} → ${change.path}`;
  const lines = changeLines(change);
  return [
    strings.changed(change.operation, codeSpan(name)),
    ...(lines && lines.text !== '' ? [bounded(lines.text, strings, 'diff')] : []),
    ...(lines && lines.left > 0 ? [strings.leftOut(lines.left, 'lines')] : []),
  ];
}

function terminal(state: TerminalState | undefined, strings: TranscriptStrings): string[] {
  if (!state) {
    return [];
  }
  return [
    state.command === undefined ? '' : fenced(state.command, 'sh'),
    state.dropped > 0 ? strings.leftOut(state.dropped, 'characters') : '',
    state.output === '' ? '' : fenced(withoutSequences(state.output).replace(/\r+\n/g, '\n')),
    strings.terminal(state.exitStatus),
  ];
}

/** Returns one line for each location. */
export function places(locations: readonly Location[]): string {
  return locations.map(({ path, line }) => `- ${codeSpan(line === undefined ? path : `${path}:${line}`)}`).join('\n');
}

/** Returns the text of a block, or a description of a block without text. */
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

/** Returns a value as it was sent. */
export function json(value: unknown, strings: TranscriptStrings): string {
  return typeof value === 'string' ? bounded(value, strings) : bounded(JSON.stringify(value, null, 2) ?? '', strings, 'json');
}

function bounded(text: string, strings: TranscriptStrings, info = ''): string {
  if (text.length <= MAX_TEXT) {
    return text.trim() === '' ? '' : fenced(text, info);
  }
  return `${fenced(text.slice(0, MAX_TEXT).toWellFormed(), info)}\n\n${strings.leftOut(text.length - MAX_TEXT, 'characters')}`;
}
