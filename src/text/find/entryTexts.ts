/** The texts of an entry, in the order in which the page shows them, as if everything were expanded. */
import type { ContentBlock, FileChange, Location, ToolContent } from '../../core/model/content';
import { type Operation, operationOf } from '../../core/approval/operation';
import { commandLines, purposeOf, saysPurpose } from '../../core/approval/purpose';
import { isBeforeRun, requestsOf, waitingFor } from '../../core/approval/requests';
import { isForAgent } from '../../core/model/audience';
import { type Entry, entryIdOf, isAbsent, type PermissionEntry, type SessionState, type ToolCallEntry } from '../../core/model/state';
import { subagentName, subagentOf, type SubagentState } from '../../core/subagents/subagentTree';
import { shownLocations } from '../../core/toolCalls/shownLocations';
import { resourceLabel } from '../../core/model/contentNames';
import { shortPath, withoutSigns } from '../../core/toolCalls/titles';
import { saysCommand, toolCallTitle } from '../../core/toolCalls/toolTitle';
import { nameBelow } from '../../core/toolCalls/toolTitle';
import { withoutSequences } from '../ansi/sequences';
import { escapeInvisible, oneLine, escapeMisleading } from '../characters/textSafety';
import { isOwnAttachment } from '../messages/sentAttachments';
import { isVerbatim, laidOut } from '../markdown/verbatim';

/** UTF-16 units that are shown of a chip's label, of a permission's description, and of a question and its form. */
export const MAX_LABEL = 80;
export const MAX_DESCRIPTION = 4000;
export const MAX_QUESTION = 20_000;
/** UTF-16 units that are shown of a subagent's task. */
export const MAX_TASK = 2000;

/** A text, or markdown that must still be parsed. */
export type EntryText = string | { readonly markdown: string };

type EntryContext = Pick<SessionState, 'cwd' | 'entries' | 'terminals' | 'subagents'>;

/** Returns the texts of `entry`. A match never spans two of them. */
export function* textsOf(entry: Entry, state: EntryContext): Iterable<EntryText> {
  switch (entry.kind) {
    case 'message':
      for (const block of entry.content) {
        if (entry.role === 'user' && isOwnAttachment(block)) {
          // The page shows a chip with our text, which opens the sent content.
          continue;
        }
        yield* entry.role === 'user' && block.type === 'text' && !isForAgent(block) ? [escapeMisleading(block.text)] : blockTexts(block);
      }
      break;
    case 'tool_call': {
      const waiting = waitingFor(entry, state.entries);
      if (waiting.length > 0) {
        yield* questionTexts(entry, waiting, state);
        break;
      }
      const title = oneLine(toolCallTitle(entry, state.cwd));
      yield withoutSigns(title, entry.toolKind);
      const requests = requestsOf(entry, state.entries);
      const kind = isBeforeRun(entry, requests) ? '' : entry.toolKind;
      const said = purposeOf(entry);
      const contents = entry.content.filter((content) => !saysPurpose(content, said));
      const { purpose = '', command = '' } = commandLines(entry, title);
      // A failed call shows its reason first.
      const reasons = entry.status === 'failed' ? contents.filter(isVisibleText) : [];
      for (const content of reasons) {
        yield* toolTexts(content, state, kind, title);
      }
      yield escapeMisleading(shortened(purpose, MAX_DESCRIPTION));
      yield escapeInvisible(command);
      yield* placeTexts(shownLocations(entry, state.cwd), state.cwd);
      for (const content of contents) {
        if (!reasons.includes(content)) {
          yield* toolTexts(content, state, kind, title);
        }
      }
      for (const request of requests) {
        const operation = operationOf(request, { call: entry, cwd: state.cwd });
        yield oneLine(operation.title);
        yield escapeMisleading(shortened(operation.description, MAX_DESCRIPTION));
      }
      yield oneLine(nameBelow(entry, title) ?? '');
      break;
    }
    case 'permission':
      // A request on its tool call's card is part of the call.
      if (!entry.onToolCall) {
        yield* ownQuestionTexts(entry, state);
      }
      break;
    case 'elicitation': {
      const { first, rest } = linesOf(entry.message);
      yield escapeMisleading(shortened(first, MAX_QUESTION));
      yield escapeMisleading(shortened(rest, MAX_QUESTION));
      break;
    }
    case 'notice':
      yield oneLine(entry.title);
      yield escapeMisleading(entry.description ?? '');
      yield escapeMisleading(entry.failure?.detail ?? '');
      break;
    case 'compaction':
      yield escapeMisleading(entry.error ?? '');
      for (const block of entry.summary) {
        yield* blockTexts(block);
      }
      break;
    case 'session_message':
      for (const block of entry.content) {
        yield* blockTexts(block);
      }
      break;
    case 'subagent': {
      // The entries of its conversation are searched one by one.
      const child = subagentOf(state, entry.subagentId);
      yield child ? subagentHeading(child) : '';
      break;
    }
    case 'unknown':
      yield oneLine(entry.label, 120);
      break;
    case 'turn':
      break;
  }
}

/** Returns the name and the task of a subagent, as its card shows them. */
function subagentHeading(child: SubagentState): string {
  return `${oneLine(subagentName(child), MAX_LABEL)} ${oneLine(child.description ?? '', MAX_TASK)}`.trim();
}

/** Returns the texts of a tool call that waits for an answer. A text that both the call and a request have occurs once. */
function* questionTexts(call: ToolCallEntry, waiting: readonly PermissionEntry[], state: EntryContext): Iterable<EntryText> {
  const name = oneLine(nameBelow(call, oneLine(toolCallTitle(call, state.cwd))) ?? '');
  for (const [index, request] of waiting.entries()) {
    const operation = operationOf(request, { call, before: waiting.slice(0, index), cwd: state.cwd });
    if (index === 0) {
      yield oneLine(operation.heading);
    } else if (index === 1) {
      yield name;
    }
    yield oneLine(operation.title);
    yield* operationTexts(operation, request, call, state, isBeforeRun(call, waiting) ? '' : call.toolKind);
  }
  if (waiting.length === 1) {
    yield name;
  }
}

/** Returns the texts of a request on a card of its own. */
function* ownQuestionTexts(request: PermissionEntry, state: EntryContext): Iterable<EntryText> {
  const { toolCallId } = request.subject;
  const slot = toolCallId === undefined ? undefined : state.entries.get(entryIdOf.toolCall(toolCallId));
  const call = slot?.kind === 'tool_call' && !isAbsent(slot) ? slot : undefined;
  const operation = operationOf(request, { call, alone: true, cwd: state.cwd });
  yield oneLine(operation.heading);
  yield* operationTexts(operation, request, call, state, '');
}

function* operationTexts(
  { description, purpose, command, written, locations, content, called }: Operation,
  request: PermissionEntry,
  call: ToolCallEntry | undefined,
  state: EntryContext,
  toolKind: string,
): Iterable<EntryText> {
  yield escapeMisleading(shortened(description, MAX_DESCRIPTION));
  const why = escapeMisleading(shortened(purpose, MAX_DESCRIPTION));
  yield command === undefined ? '' : why;
  yield escapeInvisible(command ?? '');
  yield* placeTexts(locations, state.cwd);
  for (const index of content) {
    yield* toolTexts(request.subject.content![index]!, state, '', '');
  }
  for (const index of called) {
    yield* toolTexts(call!.content[index]!, state, toolKind, '');
  }
  yield command === undefined ? why : '';
  yield escapeInvisible(written ?? '');
}

function* placeTexts(locations: readonly Location[], cwd: string): Iterable<EntryText> {
  for (const { path, line } of locations) {
    yield escapeMisleading(shortPath(path, cwd) + (line === undefined ? '' : `:${line}`));
  }
}

/** Returns `text`, cut to `limit` units with an ellipsis. */
export function shortened(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

/** Splits a question into its first line, which is its heading, and the rest. */
export function linesOf(message: string): { first: string; rest: string } {
  const text = message.trim();
  const end = text.search(/[\r\n]/);
  return end < 0 ? { first: text, rest: '' } : { first: text.slice(0, end).trim(), rest: text.slice(end).trim() };
}

/** True for text for the user; in a failed call, this is the reason. */
export function isVisibleText(content: ToolCallEntry['content'][number]): boolean {
  return (
    content.type === 'content' && content.content.type === 'text' && content.content.text.trim() !== '' && !isForAgent(content.content)
  );
}

function* toolTexts(
  content: ToolContent,
  { cwd, terminals }: Pick<SessionState, 'cwd' | 'terminals'>,
  toolKind: string,
  title: string,
): Iterable<EntryText> {
  switch (content.type) {
    case 'content': {
      const block = content.content;
      if (block.type !== 'text' || isForAgent(block) || !isVerbatim(toolKind, block.text)) {
        yield* blockTexts(block);
      } else {
        const json = toolKind === 'read' ? undefined : laidOut(block.text);
        yield escapeMisleading(json ?? withoutSequences(block.text));
      }
      break;
    }
    case 'diff':
      for (const change of content.changes) {
        yield escapeMisleading(pathsOf(change, cwd));
      }
      break;
    case 'terminal': {
      const terminal = Object.hasOwn(terminals, content.terminalId) ? terminals[content.terminalId] : undefined;
      const command = terminal?.command ?? content.terminalId;
      yield terminal && !saysCommand(title, command) ? escapeInvisible(command) : '';
      yield escapeMisleading(withoutSequences(terminal?.output ?? ''));
      break;
    }
    case 'unknown':
      break;
  }
}

function pathsOf({ path, oldPath }: FileChange, cwd: string): string {
  return (oldPath === undefined ? '' : `${shortPath(oldPath, cwd)} → `) + shortPath(path, cwd);
}

function* blockTexts(block: ContentBlock): Iterable<EntryText> {
  switch (block.type) {
    case 'text':
      yield { markdown: block.text };
      break;
    case 'resource_link':
      yield oneLine(block.title || block.name || resourceLabel(block.uri), MAX_LABEL);
      break;
    case 'resource':
      yield oneLine(resourceLabel(block.uri), MAX_LABEL);
      yield escapeMisleading(block.text ?? '');
      break;
    case 'image':
    case 'audio':
    case 'unknown':
      break;
  }
}
