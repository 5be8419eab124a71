/** Up in the first row and Down in the last row of the message box recall earlier messages. In other rows they move the caret. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useView } from '../state/context';
import type { Draft } from '../state/draft';
import type { Step } from '../state/messageHistory';

/** Returns a key handler, which returns true when it used the key. Calls `moved` after the text and the caret have changed. */
export function useHistoryKeys(draft: Draft, area: RefObject<HTMLTextAreaElement>, moved: () => void): (event: KeyboardEvent) => boolean {
  const { mirror } = useView();
  /** The direction to continue in after the requested messages have arrived. */
  const waiting = useRef<-1 | 1>();

  const show = (by: -1 | 1): boolean => {
    const element = area.current;
    const { history } = draft;
    const step = by < 0 ? history.earlier(mirror.state.entries, draft.text) : history.later(mirror.state.entries, draft.text);
    waiting.current = step && 'want' in step ? by : undefined;
    if (step && 'want' in step) {
      mirror.want(step.want);
    } else if (step && element) {
      put(element, step, by < 0 ? 0 : step.text.length);
    }
    return step !== undefined;
  };
  const put = (element: HTMLTextAreaElement, { text, mentions }: Extract<Step, { text: string }>, caret: number) => {
    draft.showEarlier(text, mentions);
    element.value = draft.text;
    element.setSelectionRange(caret, caret);
    moved();
  };
  const latest = useRef(show);
  latest.current = show;
  useLayoutEffect(() => mirror.subscribe(() => waiting.current !== undefined && latest.current(waiting.current)), [mirror]);

  return (event) => {
    waiting.current = undefined;
    const { history } = draft;
    const element = area.current;
    if (!element || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
      return false;
    }
    switch (event.key) {
      case 'ArrowUp':
        return leaves(element, -1, show);
      case 'ArrowDown':
        return history.isBrowsing && leaves(element, 1, show);
      case 'Escape':
        if (!history.isBrowsing) {
          return false;
        }
        event.stopPropagation();
        put(element, { text: history.leave() }, element.value.length);
        return true;
      default:
        return false;
    }
  };
}

/** True when an arrow key leaves the text. Only the browser knows where lines wrap, so `go` is called later if the caret did not move. */
function leaves(area: HTMLTextAreaElement, by: -1 | 1, go: (by: -1 | 1) => boolean): boolean {
  const { value, selectionStart: caret } = area;
  if (caret !== area.selectionEnd) {
    return false;
  }
  const isAtEdge = by < 0 ? caret === 0 : caret === value.length;
  const beyond = by < 0 ? value.slice(0, caret) : value.slice(caret);
  if (isAtEdge || isOneRow(area)) {
    return go(by);
  }
  if (!beyond.includes('\n')) {
    setTimeout(() => area.value === value && area.selectionStart === caret && go(by));
  }
  return false;
}

function isOneRow(area: HTMLTextAreaElement): boolean {
  const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(area);
  const text = area.scrollHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
  return !area.value.includes('\n') && text < 1.6 * parseFloat(lineHeight);
}
