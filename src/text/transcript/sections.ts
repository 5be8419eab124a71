/** Formats a conversation as a markdown document: all readable content of the view, in order. Long content is cut, with a note. */
import { escapeMisleading } from '../characters/textSafety';
import { linkTarget, sanitizeMarkdown, withoutRunningLinks } from '../markdown/sanitize';
import type { ContentBlock, PlanBody } from '../../core/model/content';
import { resourceLabel } from '../../core/model/contentNames';
import type { Failure } from '../../core/model/failure';
import { codeSpan, fenced, proseLine, quoted } from '../markdown/fence';
import {
  type ElicitationEntry,
  type Entry,
  entryIdOf,
  isAbsent,
  type MessageEntry,
  type PermissionEntry,
  type Plans,
  type SessionState,
} from '../../core/model/state';
import type { TranscriptStrings } from './transcriptStrings';
import { operationOf } from '../../core/approval/operation';
import { requestsOf, shownOutcome } from '../../core/approval/requests';
import { askedToolCall, decided, question } from './questions';
import { sessionMessageHeading, subagentSection } from './subagents';
import { blockText, json, toolCall } from './toolCalls';
import type { TurnChanges } from '../../core/fileChanges/turnFiles';

export interface TranscriptSection {
  /** The entry that the part belongs to; absent when it belongs to the conversation. */
  readonly entryId?: string;
  /** The text, never empty and without a line break at its end. */
  readonly text: string;
}

/** Returns the parts of the document, to be joined with empty lines. */
export function* transcriptSections(state: SessionState, strings: TranscriptStrings): Iterable<TranscriptSection> {
  for (const slot of state.entries) {
    const text = isAbsent(slot)
      ? ''
      : entrySection(slot, state, strings)
          .filter((part) => part !== '')
          .join('\n\n');
    if (text !== '') {
      yield { entryId: slot.entryId, text: escapeMisleading(text) };
    }
  }
  for (const text of plans(state.plans, strings)) {
    yield { text: escapeMisleading(text) };
  }
}

/** Returns the content of a message as its author wrote it. */
export function messageMarkdown({ content }: Pick<MessageEntry, 'content'>): string {
  return content.map(blockText).join('\n\n').trim();
}

function sender({ from }: MessageEntry, strings: TranscriptStrings): string {
  return from === undefined ? strings.you : `${strings.you} · ${strings.sentFrom(proseLine(from))}`;
}

function entrySection(entry: Entry, state: SessionState, strings: TranscriptStrings): string[] {
  switch (entry.kind) {
    case 'message': {
      const text = prose(entry.content, entry.role === 'user' ? (block) => attached(block, strings) : blockText);
      if (text === '') {
        return [];
      }
      return entry.role === 'thought'
        ? [`### ${strings.thought(entry.updatedAt - entry.at)}`, quoted(text)]
        : [`## ${entry.role === 'user' ? sender(entry, strings) : strings.agent}`, text];
    }
    case 'tool_call': {
      const requests = requestsOf(entry, state.entries);
      const waiting = requests.filter(({ outcome }) => !outcome);
      return waiting.length > 0
        ? askedToolCall(entry, waiting, state, strings)
        : toolCall(
            entry,
            state,
            strings,
            requests.map((request) => decided(request, strings) ?? ''),
          );
    }
    case 'permission':
      return permission(entry, state, strings);
    case 'elicitation':
      return elicitation(entry, strings);
    case 'turn': {
      const ended = strings.turnEnded(entry, entry.at - entry.startedAt - (entry.waited ?? 0));
      return [
        '---',
        entry.failure ? failureText(entry.failure, strings) : ended,
        changedFiles(entry.changes, strings),
        ...plans(entry.plans ?? {}, strings),
      ];
    }
    case 'notice':
      return [
        quoted(
          [
            sanitizeMarkdown(entry.title),
            sanitizeMarkdown(entry.description ?? ''),
            entry.failure ? failureText(entry.failure, strings) : '',
          ]
            .filter((part) => part !== '')
            .join('\n\n'),
        ),
      ];
    case 'compaction':
      return ['---', strings.compaction(entry.status), entry.error === undefined ? '' : fenced(entry.error), prose(entry.summary)];
    case 'subagent':
      return subagentSection(entry, state, strings, (conversation) =>
        [...transcriptSections(conversation, strings)].map(({ text }) => text).join('\n\n'),
      );
    case 'session_message': {
      const text = prose(entry.content);
      return text === '' ? [] : [sessionMessageHeading(entry, state, strings), text];
    }
    case 'unknown':
      return [`### ${strings.unknown(proseLine(entry.label))}`, json(entry.raw, strings)];
  }
}

/** Returns the files that a turn changed, one per line. */
function changedFiles(changes: TurnChanges | undefined, strings: TranscriptStrings): string {
  const lines = (changes?.files ?? []).map(({ path, oldPath, operation, added, removed }) => {
    const name = codeSpan(oldPath === undefined ? path : `${oldPath} → ${path}`);
    return `- ${strings.changed(operation, name)}${added === undefined ? '' : ` +${added} −${removed ?? 0}`}`;
  });
  return [...lines, ...(changes?.more === undefined ? [] : [`- … +${changes.more}`])].join('\n');
}

/** Returns nothing for a request on its tool call's card, because it is part of the call. */
function permission(request: PermissionEntry, state: SessionState, strings: TranscriptStrings): string[] {
  if (request.onToolCall) {
    return [];
  }
  const { toolCallId } = request.subject;
  const slot = toolCallId === undefined ? undefined : state.entries.get(entryIdOf.toolCall(toolCallId));
  const call = slot?.kind === 'tool_call' && !isAbsent(slot) ? slot : undefined;
  return [
    `### ${strings.asked(proseLine(request.title))}`,
    ...question(request, operationOf(request, { call, alone: true, cwd: state.cwd }), call, state, strings),
    decided(request, strings) ?? strings.unanswered(undefined),
  ];
}

function elicitation(entry: ElicitationEntry, strings: TranscriptStrings): string[] {
  const { message, body, outcome } = entry;
  const [first = '', ...rest] = message.split('\n');
  const labels = new Map(body.mode === 'form' ? body.fields.map(({ name, title }) => [name, title ?? name]) : []);
  const answers = Object.entries(outcome?.content ?? {}).map(
    ([name, value]) => `- ${proseLine(labels.get(name) ?? name)}: ${codeSpan(String(value))}`,
  );
  return [
    `### ${strings.asked(proseLine(first))}`,
    sanitizeMarkdown(rest.join('\n').trim()),
    body.mode === 'url' ? codeSpan(body.url) : '',
    outcome?.type === 'accepted' ? strings.accepted : strings.unanswered(shownOutcome(entry)),
    answers.join('\n'),
  ];
}

function failureText(failure: Failure, strings: TranscriptStrings): string {
  return failure.detail === undefined ? strings.failure(failure) : `${strings.failure(failure)}\n\n${fenced(failure.detail)}`;
}

function plans(all: Plans, strings: TranscriptStrings): string[] {
  return Object.values(all)
    .map(planText)
    .filter((text) => text !== '')
    .map((text) => `## ${strings.plan}\n\n${text}`);
}

function planText(plan: PlanBody): string {
  switch (plan.type) {
    case 'items':
      return plan.entries.map(({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${proseLine(content)}`).join('\n');
    case 'markdown':
      return sanitizeMarkdown(plan.content);
    case 'file':
      return codeSpan(plan.uri);
    case 'unknown':
      return fenced(JSON.stringify(plan.raw, null, 2) ?? '', 'json');
  }
}

/** Returns a block of the user's message under the name that the user knows. */
function attached(block: ContentBlock, strings: TranscriptStrings): string {
  if (block.type !== 'resource') {
    return blockText(block);
  }
  const { uri, text } = block;
  const own = strings.ownAttachment(block);
  const label = proseLine(resourceLabel(uri));
  const name = own !== undefined ? `**${proseLine(own)}**` : /^file:/i.test(uri) ? `[${label}](${linkTarget(uri)})` : `**${label}**`;
  return text === undefined ? name : `${name}\n\n${fenced(text)}`;
}

/** Returns the content of a message in a form that can be embedded. @param named writes a block that has no text */
function prose(content: readonly ContentBlock[], named: (block: ContentBlock) => string = blockText): string {
  const texts = content.map((block) => (block.type === 'text' ? sanitizeMarkdown(block.text) : named(block)));
  return withoutRunningLinks(texts.join('\n\n').trim());
}
