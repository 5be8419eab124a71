/** Which of what a tool was given and gave back its card shows anyway: that stands behind the card's menu, and nowhere else. Pure. */
import type { ToolCallEntry } from '../../../src/core/model/state';
import { isBulk } from '../../../src/core/protocol/view';
import { reasonIn } from './failureReason';
import { isEmpty } from './jsonText';

export interface HiddenRaw {
  readonly rawInput: boolean;
  readonly rawOutput: boolean;
}

/** Texts, and levels, of a value that are compared with what is shown. */
const MOST_TEXTS = 200;
const DEEPEST = 6;
/** Tools whose content is what they gave back. */
const TELLS_OUTPUT = new Set(['read', 'search', 'execute', 'fetch', 'think']);

/** @param title as the card has it */
export function hiddenRaw(entry: ToolCallEntry, title: string): HiddenRaw {
  const { content, rawInput, rawOutput, toolKind } = entry;
  // A command and a change are what was wanted, and their output or result what came of it.
  const isWhole = content.some(({ type }) => type === 'terminal' || type === 'diff');
  const shown = shownTexts(entry, title);
  const hasOutput = content.length > 0 && (isWhole || TELLS_OUTPUT.has(toolKind));
  return {
    rawInput: !isEmpty(rawInput) && (isWhole || isShown(rawInput, shown)),
    rawOutput: !isEmpty(rawOutput) && (hasOutput || isShown(rawOutput, shown)),
  };
}

function shownTexts({ content, locations, status, rawOutput }: ToolCallEntry, title: string): string {
  const texts = content.flatMap((each) => (each.type === 'content' && each.content.type === 'text' ? [each.content.text] : []));
  const reason = status === 'failed' && !isBulk(rawOutput) ? reasonIn(rawOutput) : undefined;
  return [title, ...locations.map(({ path }) => path), ...texts, ...(reason === undefined ? [] : [reason])].map(plain).join('\n');
}

/** All of its texts are; switches and numbers beside them say how, not what. What holds no text at all says something of its own. */
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

/** A path is shown from the session's folder on. */
function isInPaths(text: string, shown: string): boolean {
  const parts = text.split(/[\\/]/);
  return parts.length > 2 && !/\s/.test(text) && shown.includes(parts.slice(-2).join('/'));
}

/** False when there are more than are compared. */
function collect(value: unknown, texts: string[], depth: number): boolean {
  if (typeof value === 'string') {
    if (value.trim() !== '') {
      texts.push(value);
    }
    return texts.length <= MOST_TEXTS;
  }
  if (typeof value !== 'object' || value === null) {
    return true;
  }
  return depth < DEEPEST && Object.values(value).every((each) => collect(each, texts, depth + 1));
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
