/** Changes of the message box that the browser's undo can revert, as if they were typed. */
import { findTokens } from '../../../src/core/mentions/tokens';

/** Replaces the text from `start` to `end` by `text` and puts the caret after it. Returns false when the browser refused. */
export function replaceText(area: HTMLTextAreaElement, start: number, end: number, text: string): boolean {
  const root = area.getRootNode() as Document | ShadowRoot;
  if (root.activeElement !== area) {
    area.focus();
  }
  area.setSelectionRange(start, end);
  // `execCommand` is the only API whose changes the browser's undo includes.
  const isDone = text === '' ? start === end || document.execCommand('delete') : document.execCommand('insertText', false, text);
  if (!isDone) {
    area.setRangeText(text, start, end, 'end');
    area.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  return area.isConnected;
}

/** Inserts a token at the caret. Adds a space after it, and one before it where it would follow a word directly and not be recognized. */
export function insertToken(area: HTMLTextAreaElement, token: string): boolean {
  const { selectionStart: start, selectionEnd: end, value } = area;
  return replaceText(area, start, end, `${/\S$/.test(value.slice(0, start)) ? ' ' : ''}${token} `);
}

/** Removes every occurrence of a token, with one of the spaces where two would remain. */
export function removeToken(area: HTMLTextAreaElement, token: string): void {
  for (let place = findTokens(area.value, [token])[0]; place; place = findTokens(area.value, [token])[0]) {
    const { start, end } = place;
    const isBetween = /(?:^|\s)$/.test(area.value.slice(0, start)) && area.value[end] === ' ';
    replaceText(area, start, isBetween ? end + 1 : end, '');
  }
}

/** Backspace after a token and Delete before one remove the whole token. Returns true when they did. */
export function onTokenKey(event: KeyboardEvent, area: HTMLTextAreaElement | null, tokens: readonly string[]): boolean {
  const isBack = event.key === 'Backspace';
  if (!area || (!isBack && event.key !== 'Delete') || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
    return false;
  }
  const { value, selectionStart: caret, selectionEnd } = area;
  const place = caret === selectionEnd && findTokens(value, tokens).find(({ start, end }) => (isBack ? end : start) === caret);
  return place ? replaceText(area, place.start, place.end, '') : false;
}
