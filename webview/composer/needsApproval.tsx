/** A button that moves to a waiting question whose card is not on the screen. A visible card needs no button. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { cardOf } from '../../src/core/approval/requests';
import { needsApprovalLabel } from '../../src/text/messages/statusText';
import { useSelect, useView } from '../state/context';
import { focusWaiting } from '../transcript/list/focusPendingRequest';
import { QuestionIcon } from '../base/icons';
import { t } from '../base/l10n';

export function NeedsApproval({ permissionId }: { permissionId: string }) {
  const entryId = useSelect((state) => cardOf(state, permissionId));
  return <NeedsAnswer entryId={entryId} text={needsApprovalLabel(t)} />;
}

/** The same button for any question, labelled `words`. */
export function NeedsAnswer({ entryId, text }: { entryId: string; text: string }) {
  const { mirror, disclosures } = useView();
  const isSeen = useOnScreen(entryId);
  return (
    // The line is always rendered, so that nothing moves under the pointer when the button appears.
    <div class={isSeen ? 'activity activity-waiting activity-still' : 'activity activity-waiting'}>
      <QuestionIcon />
      <button type="button" class="text-button" onClick={() => focusWaiting(mirror, disclosures, () => true)}>
        {text}
      </button>
    </div>
  );
}

/** True while part of the entry's card is on the screen. */
function useOnScreen(entryId: string): boolean {
  const [isSeen, setSeen] = useState(true);
  useLayoutEffect(() => {
    const log = document.querySelector('.log');
    let watched: Element | undefined;
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)!.isIntersecting));
    const find = (): void => {
      const card = log?.querySelector(`[data-slot="${CSS.escape(entryId)}"]`) ?? undefined;
      if (card !== watched) {
        observer.disconnect();
        watched = card;
        if (card) {
          observer.observe(card);
        } else {
          setSeen(false);
        }
      }
    };
    find();
    // The list can mount and unmount the card's page.
    const changes = new MutationObserver(find);
    if (log) {
      changes.observe(log, { childList: true, subtree: true });
    }
    return () => {
      observer.disconnect();
      changes.disconnect();
    };
  }, [entryId]);
  return isSeen;
}
