/** A conversation as a markdown document: everything that can be read in the view, in order, with bulk cut and the cut said. */
import { changeLines } from './changeText';
import { numberOf, withoutTricks } from './characters';
import { contained, linkTarget } from './contained';
import type { ContentBlock, ExitStatus, FileChange, Location, PlanBody, ToolContent } from './content';
import type { Failure } from './failure';
import { codeSpan, fenced, proseLine, quoted } from './fence';
import { withoutSequences } from './findText';
import { type ElicitationEntry, type Entry, isAbsent, type MessageEntry, type PermissionEntry, type SessionState, type TerminalState, type ToolCallEntry } from './state';
import type { TurnChanges } from './turnChanges';

/** The words around what others said, in the reader's language. */
export interface TranscriptWords {
  readonly you: string;
  readonly agent: string;
  /** @param ms it took */
  thought(ms: number): string;
  /** Of a tool call; `ms` it took, when it is done. */
  status(status: string, ms: number): string;
  tool(title: string): string;
  readonly input: string;
  readonly output: string;
  changed(operation: string, path: string): string;
  asked(title: string): string;
  answered(option: string): string;
  /** Why a question has no answer: a word of its outcome, or undefined while it waits. */
  unanswered(outcome: string | undefined): string;
  accepted: string;
  terminal(exitStatus: ExitStatus | undefined): string;
  turnEnded(stopReason: string, ms: number): string;
  failure(failure: Failure): string;
  compaction(status: string): string;
  unknown(label: string): string;
  readonly plan: string;
  /** @param count UTF-16 units or lines that are left out */
  leftOut(count: number, unit: 'characters' | 'lines'): string;
}

export interface TranscriptPart {
  /** The entry it is of; absent: of the conversation. */
  readonly entryId?: string;
  /** Ends without a line break; never empty. */
  readonly text: string;
}

/** UTF-16 units of one text that is not a message's own. */
const MAX_TEXT = 128 * 1024;

/** The parts of the document; between two of them belongs an empty line. */
export function* transcriptParts(state: SessionState, words: TranscriptWords): Iterable<TranscriptPart> {
  for (const slot of state.entries) {
    const text = isAbsent(slot) ? '' : entryPart(slot, state, words).filter((part) => part !== '').join('\n\n');
    if (text !== '') {
      yield { entryId: slot.entryId, text: readable(text) };
    }
  }
  for (const plan of Object.values(state.plans)) {
    const text = planText(plan);
    if (text !== '') {
      yield { text: readable(`## ${words.plan}\n\n${text}`) };
    }
  }
}

/** What a message says, as its author wrote it. */
export function messageMarkdown({ content }: Pick<MessageEntry, 'content'>): string {
  return content.map(blockText).join('\n\n').trim();
}

function entryPart(entry: Entry, state: SessionState, words: TranscriptWords): string[] {
  switch (entry.kind) {
    case 'message': {
      const text = prose(entry.content);
      if (text === '') {
        return [];
      }
      return entry.role === 'thought' ? [`### ${words.thought(entry.updatedAt - entry.at)}`, quoted(text)] : [`## ${entry.role === 'user' ? words.you : words.agent}`, text];
    }
    case 'tool_call':
      return toolCall(entry, state, words);
    case 'permission':
      return permission(entry, state, words);
    case 'elicitation':
      return elicitation(entry, words);
    case 'turn': {
      const ended = words.turnEnded(entry.stopReason, entry.at - entry.startedAt);
      return ['---', entry.failure ? failureText(entry.failure, words) : ended, changedFiles(entry.changes, words)];
    }
    case 'notice':
      return [quoted([contained(entry.title), contained(entry.description ?? ''), entry.failure ? failureText(entry.failure, words) : ''].filter((part) => part !== '').join('\n\n'))];
    case 'compaction':
      return ['---', words.compaction(entry.status), entry.error === undefined ? '' : fenced(entry.error), prose(entry.summary)];
    case 'unknown':
      return [`### ${words.unknown(proseLine(entry.label))}`, json(entry.raw, words)];
  }
}

/** What a turn did to files, a line each. */
function changedFiles(changes: TurnChanges | undefined, words: TranscriptWords): string {
  const lines = (changes?.files ?? []).map(({ path, oldPath, operation, added, removed }) => {
    const name = codeSpan(oldPath === undefined ? path : `${oldPath} → ${path}`);
    return `- ${words.changed(operation, name)}${added === undefined ? '' : ` +${added} −${removed ?? 0}`}`;
  });
  return [...lines, ...(changes?.more === undefined ? [] : [`- … +${changes.more}`])].join('\n');
}

function toolCall(entry: ToolCallEntry, state: SessionState, words: TranscriptWords): string[] {
  const title = entry.title || entry.name || entry.toolKind;
  const { content, rawInput, rawOutput } = entry;
  const isFailed = entry.status === 'failed';
  // A change or a command says what was wanted, and content what came of it: nobody wants to hear it twice.
  const input = content.some(({ type }) => type === 'diff' || type === 'terminal') || isNothing(rawInput) ? [] : [words.input, json(rawInput, words)];
  // Of a call that failed without a word it is the only reason.
  const output = (isFailed ? content.some(isSaid) : content.length > 0) || isNothing(rawOutput) ? [] : [words.output, json(rawOutput, words)];
  return [
    `### ${words.tool(proseLine(title))}`,
    words.status(entry.status, entry.updatedAt - entry.at),
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

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '') || (typeof value === 'object' && Object.keys(value).length === 0);
}

function toolContent(content: ToolContent, { terminals }: SessionState, words: TranscriptWords): string[] {
  switch (content.type) {
    case 'content':
      return [content.content.type === 'text' ? bounded(withoutSequences(content.content.text), words) : blockText(content.content)];
    case 'diff':
      return [...content.changes.flatMap((change) => fileChange(change, words)), ...(content.patch === undefined ? [] : [bounded(content.patch, words, 'diff')])];
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

function permission({ title, description, subject, options, outcome }: PermissionEntry, state: SessionState, words: TranscriptWords): string[] {
  const chosen = options.find(({ optionId }) => optionId === outcome?.optionId);
  return [
    `### ${words.asked(proseLine(title))}`,
    contained(description ?? ''),
    subject.command === undefined ? '' : fenced(subject.command, 'sh'),
    places(subject.locations ?? []),
    ...(subject.content ?? []).flatMap((content) => toolContent(content, state, words)),
    outcome?.type === 'selected' ? words.answered(proseLine(chosen?.name || outcome.optionId || '?')) : words.unanswered(outcome?.type),
  ];
}

function elicitation({ message, body, outcome }: ElicitationEntry, words: TranscriptWords): string[] {
  const [first = '', ...rest] = message.split('\n');
  const labels = new Map(body.mode === 'form' ? body.fields.map(({ name, title }) => [name, title ?? name]) : []);
  const answers = Object.entries(outcome?.content ?? {}).map(([name, value]) => `- ${proseLine(labels.get(name) ?? name)}: ${codeSpan(String(value))}`);
  return [
    `### ${words.asked(proseLine(first))}`,
    contained(rest.join('\n').trim()),
    body.mode === 'url' ? codeSpan(body.url) : '',
    outcome?.type === 'accepted' ? words.accepted : words.unanswered(outcome?.type),
    answers.join('\n'),
  ];
}

function places(locations: readonly Location[]): string {
  return locations.map(({ path, line }) => `- ${codeSpan(line === undefined ? path : `${path}:${line}`)}`).join('\n');
}

function failureText(failure: Failure, words: TranscriptWords): string {
  return failure.detail === undefined ? words.failure(failure) : `${words.failure(failure)}\n\n${fenced(failure.detail)}`;
}

function planText(plan: PlanBody): string {
  switch (plan.type) {
    case 'items':
      return plan.entries.map(({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${proseLine(content)}`).join('\n');
    case 'markdown':
      return contained(plan.content);
    case 'file':
      return codeSpan(plan.uri);
    case 'unknown':
      return fenced(JSON.stringify(plan.raw, null, 2) ?? '', 'json');
  }
}

/** What a message says, as it can stand between others. */
function prose(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? contained(block.text) : blockText(block))).join('\n\n').trim();
}

/** As in the conversation: what would turn the reading order round, or control what shows it, is seen. */
function readable(text: string): string {
  return withoutTricks(text, (character) => `⟨${numberOf(character)}⟩`);
}

/** Of blocks that are no text, what they are. */
function blockText(block: ContentBlock): string {
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

function json(value: unknown, words: TranscriptWords): string {
  return typeof value === 'string' ? bounded(value, words) : bounded(JSON.stringify(value, null, 2) ?? '', words, 'json');
}

function bounded(text: string, words: TranscriptWords, info = ''): string {
  if (text.length <= MAX_TEXT) {
    return text.trim() === '' ? '' : fenced(text, info);
  }
  return `${fenced(text.slice(0, MAX_TEXT).toWellFormed(), info)}\n\n${words.leftOut(text.length - MAX_TEXT, 'characters')}`;
}
