/**
 * A hint while files are dragged over the page. VS Code takes dropped files itself unless Shift is held, and sends the page only the first drag
 * events.
 */
import { useEffect } from 'preact/hooks';
import { t } from '../../base/l10n';

/** ms without a drag event after which the drag is over. */
const OVER_AFTER = 6000;
const KINDS = ['Files', 'text/uri-list', 'application/vnd.code.uri-list', 'CodeFiles'];

/** Calls `tell` with the hint to show; '' when the drag is over. */
export function DragHint({ showHint }: { showHint: (hint: string) => void }): null {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shown = '';
    const show = (hint: string): void => {
      clearTimeout(timer);
      if (hint !== '') {
        timer = setTimeout(over, OVER_AFTER);
      }
      if (hint !== shown) {
        shown = hint;
        showHint(hint);
      }
    };
    const over = (): void => show('');
    const onDrag = (event: DragEvent): void => {
      if (KINDS.some((kind) => event.dataTransfer?.types.includes(kind))) {
        show(event.shiftKey ? t('Drop to attach') : t('Hold Shift to drop files here'));
      }
    };
    const ends = ['drop', 'dragend', 'pointermove', 'keydown'] as const;
    document.addEventListener('dragenter', onDrag, true);
    document.addEventListener('dragover', onDrag, true);
    ends.forEach((end) => document.addEventListener(end, over, true));
    return () => {
      clearTimeout(timer);
      document.removeEventListener('dragenter', onDrag, true);
      document.removeEventListener('dragover', onDrag, true);
      ends.forEach((end) => document.removeEventListener(end, over, true));
    };
  }, []);
  return null;
}
