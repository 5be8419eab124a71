/** Changes of the message box that its own undo takes back: as if they were typed. */
import { findTokens } from '../../../src/core/mentions/tokens';

/** Puts `text` in place of what is from `start` to `end`, and the caret behind it. False when the browser did not. */
export function replaceText(area: HTMLTextAreaElement, start: number, end: number, text: string): boolean {
  const root = area.getRootNode() as Document | ShadowRoot;
  if (root.activeElement !== area) {
    area.focus();
  }
  area.setSelectionRange(start, end);
  // The only way in that is part of the browser's undo.
  const isDone = text === '' ? start === end || document.execCommand('delete') : document.execCommand('insertText', false, text);
  if (!isDone) {
    area.setRangeText(text, start, end, 'end');
    area.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  return area.isConnected;
}

/** Puts a token at the caret: right behind a word it would be none, so a space comes before it, and one behind it. */
export function insertToken(area: HTMLTextAreaElement, token: string): boolean {
  const { selectionStart: start, selectionEnd: end, value } = area;
  return replaceText(area, start, end, `${/\S$/.test(value.slice(0, start)) ? ' ' : ''}${token} `);
}

/** Takes a token out wherever it stands, with a space where two would be left. */
export function removeToken(area: HTMLTextAreaElement, token: string): void {
  for (let place = findTokens(area.value, [token])[0]; place; place = findTokens(area.value, [token])[0]) {
    const { start, end } = place;
    const isBetween = /(?:^|\s)$/.test(area.value.slice(0, start)) && area.value[end] === ' ';
    replaceText(area, start, isBetween ? end + 1 : end, '');
  }
}

/** Backspace behind a token, and Delete before one, take it as a whole. True when they did. */
export function onTokenKey(event: KeyboardEvent, area: HTMLTextAreaElement | null, tokens: readonly string[]): boolean {
  const isBack = event.key === 'Backspace';
  if (!area || (!isBack && event.key !== 'Delete') || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
    return false;
  }
  const { value, selectionStart: caret, selectionEnd } = area;
  const place = caret === selectionEnd && findTokens(value, tokens).find(({ start, end }) => (isBack ? end : start) === caret);
  return place ? replaceText(area, place.start, place.end, '') : false;
}
