/** The editor of a queued message: its text and its attachments. The message is not sent meanwhile. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { attachmentsOf } from '../../src/core/queue/queuedContent';
import type { QueuedMessage } from '../../src/core/model/queuedMessage';
import { AttachmentChip, removedText } from '../composer/attachments';
import { useView } from '../state/context';
import { useForceUpdate } from '../base/memo';
import { t } from '../base/l10n';

export function QueueEditor({ message, number }: { message: QueuedMessage; number: number }) {
  const { queueEdits, draft, say } = useView();
  const forceUpdate = useForceUpdate();
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => queueEdits.subscribe(() => forceUpdate()), [queueEdits]);
  useLayoutEffect(() => {
    if (queueEdits.takeFocus(message)) {
      area.current?.focus();
      area.current?.setSelectionRange(area.current.value.length, area.current.value.length);
    }
  }, []);
  const { text, kept } = queueEdits.of(message);
  const attachments = attachmentsOf(message.content).filter(({ index }) => kept.includes(index));
  const isEmpty = text.trim() === '' && attachments.length === 0;
  const save = (): void => {
    if (!isEmpty) {
      queueEdits.save(message);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      queueEdits.giveUp(message);
    } else if (
      event.key === 'Enter' &&
      !event.shiftKey &&
      !event.altKey &&
      (draft.sendWith === 'enter' || event.ctrlKey || event.metaKey)
    ) {
      event.preventDefault();
      if (!event.repeat) {
        save();
      }
    }
  };
  return (
    <div class="queue-editor">
      <textarea
        ref={area}
        class="queue-edit"
        aria-label={t('Queued text {number}', { number })}
        rows={1}
        dir="auto"
        value={text}
        onInput={(event) => queueEdits.set(message, { text: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      {attachments.length > 0 && (
        <ul class="attachments" aria-label={t('Attachments')}>
          {attachments.map(({ block, index }) => (
            <AttachmentChip
              key={index}
              block={block}
              detach={() => {
                queueEdits.set(message, { kept: kept.filter((each) => each !== index) });
                area.current?.focus();
                say(removedText(block));
              }}
            />
          ))}
        </ul>
      )}
      <div class="queue-editor-actions">
        <button type="button" class="button" disabled={isEmpty} onClick={save}>
          {t('Save')}
        </button>
        <button type="button" class="button button-secondary" onClick={() => queueEdits.giveUp(message)}>
          {t('Cancel')}
        </button>
      </div>
    </div>
  );
}
