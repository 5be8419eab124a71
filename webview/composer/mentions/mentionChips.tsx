/** Chips for the text's mentions and for the window's context that the prompt includes. A chip opens its content and can be removed. */
import { useMemo } from 'preact/hooks';
import type { Mention } from '../../../src/core/mentions/mention';
import type { ImageBlock } from '../../../src/core/model/content';
import type { LiveMention, MentionKind } from '../../../src/core/protocol/view';
import { oneLine, escapeMisleading } from '../../../src/text/characters/textSafety';
import { useView } from '../../state/context';
import { CrossIcon, FileIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { MentionIcon } from './mentionList';

interface ChipProps {
  readonly mention: Mention;
  /** The chip's label, if it differs from the mention's name. */
  readonly label?: string;
  readonly remove: string;
  readonly class?: string;
  detach(): void;
}

/** A chip that opens the content of its mention. */
export function MentionChip({ mention, label, remove, detach, class: own = '' }: ChipProps) {
  const { post } = useView();
  const name = label ?? oneLine(mention.name, 60);
  const about = oneLine(mention.about ?? '', 300);
  const kind: MentionKind = mention.ref.kind === 'content' ? 'file' : mention.ref.kind;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Backspace' || event.key === 'Delete') {
      event.preventDefault();
      detach();
    }
  };
  return (
    <li class={`chip chip-still chip-mention ${own}`} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="chip-open"
        aria-label={[name, about].filter((part) => part !== '').join(', ')}
        title={escapeMisleading([name, about].filter((part) => part !== '').join('\n'))}
        onClick={() => post({ type: 'open_mention', mention })}
      >
        <MentionIcon kind={kind} />
        <span>{name}</span>
      </button>
      <button type="button" class="icon-button" aria-label={remove} title={remove} onClick={detach}>
        <CrossIcon />
      </button>
    </li>
  );
}

export function MentionChips({ mentions, remove }: { mentions: readonly Mention[]; remove: (mention: Mention) => void }) {
  return (
    <>
      {mentions.map((mention) => (
        <MentionChip
          key={mention.token}
          mention={mention}
          remove={t('Remove {name}', { name: oneLine(mention.name, 60) })}
          detach={() => remove(mention)}
        />
      ))}
    </>
  );
}

export function LiveChips({ live, focus }: { live: readonly LiveMention[]; focus: () => void }) {
  const { post, say } = useView();
  return (
    <>
      {live.map(({ context, mention }) => {
        const name = oneLine(mention.name, 60);
        return (
          <MentionChip
            key={context}
            mention={mention}
            class="chip-live"
            label={context === 'selection' ? t('Selection: {name}', { name }) : t('Active file: {name}', { name })}
            remove={context === 'selection' ? t('Stop sending the selection') : t('Stop sending the active file')}
            detach={() => {
              post({ type: 'stop_context', context });
              say(context === 'selection' ? t('The selection is not sent') : t('The active file is not sent'));
              focus();
            }}
          />
        );
      })}
    </>
  );
}

/** The picture of an attachment, or an icon where the page does not have its data. */
export function ChipPicture({ block: { data, mimeType } }: { block: ImageBlock }) {
  // Each key renders the chips again, and the data may be megabytes.
  const src = useMemo(() => `data:${mimeType};base64,${data}`, [data, mimeType]);
  return data !== '' && /^image\/(?:png|jpeg|gif|webp)$/.test(mimeType) ? (
    <img src={src} height="32" alt="" decoding="async" />
  ) : (
    <FileIcon />
  );
}
