/** The messages that the agent suggests, as chips below an empty message box. Tab or a click takes one; nothing is sent by itself. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isBusy } from '../../src/core/model/select';
import { oneLine } from '../../src/text/characters/textSafety';
import { t } from '../base/l10n';
import type { Draft } from '../state/draft';
import { useSelect } from '../state/context';

/** UTF-16 units of a chip. */
const MAX_CHIP = 100;

export function PromptSuggestions({ draft, area }: { draft: Draft; area: RefObject<HTMLTextAreaElement> }) {
  const suggestions = useSelect((state) => state.suggestions);
  const busy = useSelect(isBusy);
  const shown = suggestions && !busy && draft.empty && draft.editing === undefined ? suggestions : [];
  const take = (text: string): void => {
    draft.setText(text);
    const element = area.current;
    if (element) {
      element.focus();
      element.value = draft.text;
      element.setSelectionRange(text.length, text.length);
    }
  };
  const first = useRef<() => boolean>(() => false);
  first.current = () => {
    if (shown[0] !== undefined) {
      take(shown[0]);
    }
    return shown[0] !== undefined;
  };
  useLayoutEffect(() => {
    const element = area.current;
    const onKeyDown = (event: KeyboardEvent): void => {
      const isPlain = event.key === 'Tab' && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isPlain && !event.defaultPrevented && first.current()) {
        event.preventDefault();
      }
    };
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, []);
  return shown.length === 0 ? null : (
    <div class="locations" role="group" aria-label={t('Suggested messages')}>
      {shown.map((text, index) => (
        <button
          key={text}
          type="button"
          class="chip"
          title={index === 0 ? t('{text} (Tab)', { text: oneLine(text, 1000) }) : oneLine(text, 1000)}
          aria-keyshortcuts={index === 0 ? 'Tab' : undefined}
          onClick={() => take(text)}
        >
          <bdi>{oneLine(text, MAX_CHIP)}</bdi>
        </button>
      ))}
    </div>
  );
}
