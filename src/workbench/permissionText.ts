/** The words of a permission's quick pick. Pure. Everything here but our own words was written by an agent. */
import type { FileChange, ToolContent } from '../core/content';
import type { PermissionAsk } from '../permission/presenter';
import { type InertText, joined, own, visible } from './escape';
import type { Translate } from './translate';

const MAX_TITLE = 160;
const MAX_DEED = 600;
const MAX_OPTION = 120;

export interface PermissionWords {
  /** Who asks, and what. */
  readonly title: InertText;
  /** What would be done. */
  readonly deed: InertText;
  readonly rows: readonly { readonly label: InertText; readonly description: InertText; readonly optionId: string }[];
}

export function permissionWords(ask: PermissionAsk, waiting: number, t: Translate): PermissionWords {
  const who = { agent: visible(ask.agentName, MAX_OPTION), title: visible(ask.title, MAX_TITLE) || t('Permission') };
  const title = waiting > 1 ? t('{agent}: {title} (1 of {waiting})', { ...who, waiting }) : t('{agent}: {title}', who);
  return {
    title,
    deed: deedOf(ask, t),
    rows: ask.options.map((option) => ({
      label: visible(option.name, MAX_OPTION) || visible(option.optionId, MAX_OPTION) || t('(an answer without a name)'),
      description: kindOf(option.kind, t),
      optionId: option.optionId,
    })),
  };
}

/** Command and folder, else paths, else the raw input, else the agent's description. */
function deedOf(ask: PermissionAsk, t: Translate): InertText {
  const { subject } = ask;
  const command = subject.command ?? commandIn(subject.rawInput);
  if (command !== undefined) {
    const cwd = subject.cwd ?? cwdIn(subject.rawInput) ?? ask.cwd;
    return t('Run: {command} — in {cwd}', { command: visible(command, MAX_DEED), cwd: visible(cwd, MAX_DEED / 3) });
  }
  const changes = (subject.content ?? []).flatMap(changesIn);
  if (changes.length > 0) {
    return bounded(changes.map((change) => describeChange(change, ask.cwd, t)), t);
  }
  const paths = (subject.locations ?? []).map(({ path, line }) => inFolder(path, ask.cwd) + (line === undefined ? '' : `:${line}`));
  if (paths.length > 0) {
    return bounded(paths.map((path) => describePath(subject.kind, visible(path, MAX_DEED), t)), t);
  }
  const raw = rawText(subject.rawInput);
  return raw ? visible(raw, MAX_DEED) : visible(ask.description ?? '', MAX_DEED);
}

function changesIn(content: ToolContent): readonly FileChange[] {
  return content.type === 'diff' ? content.changes : [];
}

function describeChange(change: FileChange, cwd: string, t: Translate): InertText {
  const path = visible(inFolder(change.path, cwd), MAX_DEED);
  switch (change.operation) {
    case 'add':
      return t('Create {path}', { path });
    case 'delete':
      return t('Delete {path}', { path });
    case 'modify':
      return t('Edit {path}', { path });
    default:
      return change.oldPath === undefined
        ? joined([visible(change.operation, 40), path], ': ')
        : joined([visible(change.operation, 40), joined([visible(inFolder(change.oldPath, cwd), MAX_DEED), path], ' → ')], ': ');
  }
}

/** A path alone does not say what would be done to it; the kind of the tool does. */
function describePath(kind: string | undefined, path: InertText, t: Translate): InertText {
  return kind === 'edit' ? t('Edit {path}', { path }) : kind === 'delete' ? t('Delete {path}', { path }) : path;
}

/** What agents of protocol v1 call their command line; the subject's own `command` came before this. */
function commandIn(rawInput: unknown): string | undefined {
  const { command, args } = fieldsOf(rawInput);
  const words: unknown = Array.isArray(command) ? command : typeof command === 'string' && Array.isArray(args) ? [command, ...(args as unknown[])] : undefined;
  if (Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === 'string')) {
    return words.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
  }
  return typeof command === 'string' && command !== '' ? command : undefined;
}

function cwdIn(rawInput: unknown): string | undefined {
  const { cwd } = fieldsOf(rawInput);
  return typeof cwd === 'string' && cwd !== '' ? cwd : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function rawText(rawInput: unknown): string {
  if (rawInput === undefined || rawInput === null) {
    return '';
  }
  const text = typeof rawInput === 'string' ? rawInput : JSON.stringify(rawInput);
  return text === '{}' || text === '[]' ? '' : text;
}

/** A path inside the session's folder without the folder; any other path whole, so that it can be told apart. */
function inFolder(path: string, cwd: string): string {
  const inside = path.startsWith(cwd) && /^[\\/]/.test(path.slice(cwd.length)) && !/(^|[\\/])\.\.([\\/]|$)/.test(path);
  return inside ? path.slice(cwd.length + 1) : path;
}

/** As many as fit, and how many more there are. */
function bounded(items: readonly InertText[], t: Translate): InertText {
  let text = own('');
  for (const [index, item] of items.entries()) {
    const next = text === '' ? item : joined([text, item], ', ');
    if (index > 0 && next.length > MAX_DEED) {
      return t('{items} (+{count})', { items: text, count: items.length - index });
    }
    text = next;
  }
  return text;
}

/** Nothing for kinds we do not know: never call those an approval. */
function kindOf(kind: string, t: Translate): InertText {
  switch (kind) {
    case 'allow_once':
      return t('allows this once');
    case 'allow_always':
      return t('allows this from now on');
    case 'reject_once':
      return t('rejects this once');
    case 'reject_always':
      return t('rejects this from now on');
    default:
      return own('');
  }
}
