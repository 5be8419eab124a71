/** The position of a list of suggestions. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** px between a list of suggestions and its surroundings. */
const GAP = 4;
/** px; a lower list shows no whole row. */
const MIN_HEIGHT = 40;

/**
 * Positions a list above the message box and over the elements there, as high as the page allows, with its active row visible. Also follows the box
 * when it grows.
 */
export function useSuggestionPosition(active: number, isShown: boolean): RefObject<HTMLDivElement> {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    put(list.current);
    list.current?.querySelectorAll('[role=option]')[active]?.scrollIntoView({ block: 'nearest' });
  });
  useLayoutEffect(() => {
    const form = list.current?.closest('form');
    if (!form) {
      return undefined;
    }
    const again = (): void => put(list.current);
    const sizes = new ResizeObserver(again);
    [form, form.querySelector('.composer-box')!].forEach((each) => sizes.observe(each));
    window.addEventListener('resize', again);
    return () => {
      sizes.disconnect();
      window.removeEventListener('resize', again);
    };
  }, [isShown]);
  return list;
}

function put(list: HTMLElement | null): void {
  const form = list?.closest('form');
  const box = form?.querySelector('.composer-box');
  if (!list || !form || !box) {
    return;
  }
  const { top } = box.getBoundingClientRect();
  list.style.insetBlockEnd = `${form.getBoundingClientRect().bottom - top + GAP}px`;
  list.style.setProperty('--acp-room', `${Math.max(MIN_HEIGHT, top - 2 * GAP)}px`);
}
