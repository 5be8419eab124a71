/** The attachments of the next prompt, as removable chips. */
import type { Mention } from '../../src/core/mentions/mention';
import type { ContentBlock } from '../../src/core/model/content';
import type { Draft } from '../state/draft';
import { CrossIcon, FileIcon } from '../base/icons';
import { useView } from '../state/context';
import { t } from '../base/l10n';
import { useLazy } from '../base/lazy';
import { oneLine } from '../../src/text/characters/textSafety';
import { attachmentName, attachmentNote } from './incoming/attachmentLabel';
import { ChangeReportChips, useChangeReport } from './changeReport';
import { mentionChunk } from './mentions/lazyMentions';

interface Props {
  readonly draft: Draft;
  /** Removes a mention from the text. */
  remove(mention: Mention): void;
  /** Focuses the text. */
  focus(): void;
}

export function Attachments({ draft, remove, focus }: Props) {
  const chunk = useLazy(mentionChunk);
  const report = useChangeReport();
  const { say } = useView();
  const { mentions } = draft;
  if (!report && draft.attachments.length === 0 && mentions.length === 0 && draft.live.length === 0) {
    return null;
  }
  return (
    <ul class="attachments" aria-label={t('Attachments')}>
      {report && <ChangeReportChips files={report} />}
      {chunk && <chunk.LiveChips live={draft.live} focus={focus} />}
      {chunk && <chunk.MentionChips mentions={mentions} remove={remove} />}
      {draft.attachments.map((block, index) => (
        <AttachmentChip
          key={index}
          block={block}
          detach={() => {
            draft.detach(index);
            focus();
            say(removedText(block));
          }}
        />
      ))}
    </ul>
  );
}

/** The chip of one attachment, which `detach` removes. The chip of a text opens it. */
export function AttachmentChip({ block, detach }: { block: ContentBlock; detach: () => void }) {
  const name = oneLine(attachmentName(block), 60);
  const note = attachmentNote(block);
  const isText = block.type === 'resource' && block.text !== undefined;
  const chunk = useLazy(mentionChunk, block.type === 'image' || isText);
  const remove = t('Remove {name}', { name });
  if (chunk && isText) {
    // Opens the text that will be sent.
    return (
      <chunk.MentionChip
        mention={{ type: 'mention', token: name, name, ref: { kind: 'content', block } }}
        remove={remove}
        detach={detach}
      />
    );
  }
  return (
    <li class="chip chip-still">
      {chunk && block.type === 'image' ? <chunk.ChipPicture block={block} /> : <FileIcon />}
      <span>{note ? `${name} (${note})` : name}</span>
      <button type="button" class="icon-button" aria-label={remove} onClick={detach}>
        <CrossIcon />
      </button>
    </li>
  );
}

/** The announcement for screen readers. */
export function removedText(block: ContentBlock): string {
  return t('Removed {name}', { name: oneLine(attachmentName(block), 60) });
}
