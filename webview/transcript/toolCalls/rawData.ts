/** Decides which raw input and output the card already shows in another form. It is then available only through the card's menu. Pure. */
import type { ToolCallEntry } from '../../../src/core/model/state';
import { commandLines, purposeOf, saysPurpose } from '../../../src/core/approval/purpose';
import { isBulk } from '../../../src/core/protocol/view';
import { reasonIn } from './failureReason';
import { isEmpty } from '../../base/jsonText';

export interface HiddenRaw {
  readonly rawInput: boolean;
  readonly rawOutput: boolean;
}

/** The most texts, and levels, of a value that are compared with the card's texts. */
const MAX_TEXTS = 200;
const DEEPEST = 6;
/** Kinds of tools whose content is their output. */
const TELLS_OUTPUT = new Set(['read', 'search', 'execute', 'fetch', 'think']);

/** @param title the card's title */
export function hiddenRaw(entry: ToolCallEntry, title: string): HiddenRaw {
  const { rawInput, rawOutput, toolKind } = entry;
  const purpose = purposeOf(entry);
  const content = entry.content.filter((each) => !saysPurpose(each, purpose));
  // A command or a change represents the input, and its output or result represents the raw output.
  const isWhole = content.some(({ type }) => type === 'terminal' || type === 'diff');
  const shown = shownTexts(entry, title);
  const hasOutput = content.length > 0 && (isWhole || TELLS_OUTPUT.has(toolKind));
  return {
    rawInput: !isEmpty(rawInput) && (isWhole || isShown(rawInput, shown)),
    rawOutput: !isEmpty(rawOutput) && (hasOutput || isShown(rawOutput, shown)),
  };
}

function shownTexts(entry: ToolCallEntry, title: string): string {
  const { content, locations, status, rawOutput } = entry;
  const texts = content.flatMap((each) => (each.type === 'content' && each.content.type === 'text' ? [each.content.text] : []));
  const reason = status === 'failed' && !isBulk(rawOutput) ? reasonIn(rawOutput) : undefined;
  const { command = '' } = commandLines(entry, title);
  return [title, command, ...locations.map(({ path }) => path), ...texts, ...(reason === undefined ? [] : [reason])].map(plain).join('\n');
}

/** True when the card shows all of the value's texts; switches and numbers are details. A value without text is never considered shown. */
function isShown(value: unknown, shown: string): boolean {
  if (isBulk(value)) {
    return false;
  }
  const texts: string[] = [];
  if (!collect(value, texts, 0) || texts.length === 0) {
    return false;
  }
  return texts.every((text) => shown.includes(plain(text)) || isInPaths(text, shown));
}

/** Paths are shown relative to the session's folder. */
function isInPaths(text: string, shown: string): boolean {
  const parts = text.split(/[\\/]/);
  return parts.length > 2 && !/\s/.test(text) && shown.includes(parts.slice(-2).join('/'));
}

/** Returns false when there are more texts than are compared. */
function collect(value: unknown, texts: string[], depth: number): boolean {
  if (typeof value === 'string') {
    if (value.trim() !== '') {
      texts.push(value);
    }
    return texts.length <= MAX_TEXTS;
  }
  if (typeof value !== 'object' || value === null) {
    return true;
  }
  return depth < DEEPEST && Object.values(value).every((each) => collect(each, texts, depth + 1));
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
