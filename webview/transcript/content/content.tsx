/** A content block other than a message's text: image, audio, resource, or an unknown type. */
import type { ContentBlock, ResourceBlock } from '../../../src/core/model/content';
import { resourceLabel } from '../../../src/core/model/contentNames';
import { MAX_LABEL } from '../../../src/text/find/entryTexts';
import { useView } from '../../state/context';
import { FileIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { oneLine, escapeMisleading } from '../../../src/text/characters/textSafety';
import { ownAttachmentName } from '../../../src/text/messages/sentAttachments';
import { linkKind } from '../../../src/text/links/linkKind';
import { Markdown } from '../../markdown/markdown';
import { compactNumber } from '../../base/strings';
import { isForAgent } from '../../../src/core/model/audience';
import { Disclosure } from '../../components/disclosure';
import { isMedia, Media, Picture, Sound } from './media';
import { jsonText } from '../../base/jsonText';

interface Props {
  readonly block: ContentBlock;
  /** Unique in the session; the key of the block's folds. */
  readonly name: string;
}

export function BlockContent({ block, name }: Props) {
  if (isForAgent(block)) {
    return (
      <Disclosure name={`${name}/for-agent`} label={t('For the agent')}>
        {() => <BlockBody block={block} name={name} />}
      </Disclosure>
    );
  }
  return <BlockBody block={block} name={name} />;
}

function BlockBody({ block, name }: Props) {
  switch (block.type) {
    case 'text':
      return <Markdown text={block.text} />;
    case 'image':
      return (
        <Picture
          {...block}
          name={name}
          named={(label) =>
            block.uri && block.data === '' ? (
              <ResourceChip uri={block.uri} label={block.uri} about={[label]} />
            ) : (
              <DataChip label="" note={label} title={block.uri} isEmpty={block.data === ''} name={name} />
            )
          }
        />
      );
    case 'audio':
      return <Sound {...block} name={name} named={(label) => <DataChip label="" note={label} isEmpty={block.data === ''} name={name} />} />;
    case 'resource_link':
      return (
        <ResourceChip
          uri={block.uri}
          label={block.title || block.name || resourceLabel(block.uri)}
          about={[block.title ? block.name : '', block.description ?? '']}
        />
      );
    case 'resource': {
      const own = isUsers(name) ? ownAttachmentName(block, t) : undefined;
      if (own !== undefined) {
        return <OpeningChip label="" note={own} title={t('Open what was sent')} name={name} />;
      }
      return (
        <>
          <EmbeddedChip block={block} name={name} />
          {block.blob !== undefined && isMedia(block.mimeType) && (
            <Media
              data={block.blob}
              mimeType={block.mimeType}
              uri={block.uri}
              name={name}
              named={(label) => <DataChip label="" note={label} isEmpty={false} name={name} />}
            />
          )}
          {block.text !== undefined && (
            <Disclosure name={`${name}/text`} label={t('Content')}>
              {() => <pre class="content-text">{escapeMisleading(block.text ?? '')}</pre>}
            </Disclosure>
          )}
        </>
      );
    }
    default:
      return (
        <Disclosure name={`${name}/unknown`} label={t('Unknown content')}>
          {() => <pre class="content-text unsearched">{escapeMisleading(jsonText(block.raw))}</pre>}
        </Disclosure>
      );
  }
}

/**
 * The chip of an embedded resource. Text from the agent opens as it was sent. Text that the user attached opens the user's file itself. Other data
 * can be saved to a file.
 */
function EmbeddedChip({ block, name }: { block: ResourceBlock; name: string }) {
  const { uri, text, blob, mimeType } = block;
  if (text !== undefined) {
    if (isUsers(name) && linkKind(uri) === 'path') {
      return <ResourceChip uri={uri} label={resourceLabel(uri)} />;
    }
    return <OpeningChip label={resourceLabel(uri)} title={`${uri}\n${t('Open what was sent')}`} name={name} />;
  }
  const note = blob === undefined ? '' : ` (${blobText(blob, mimeType)})`;
  return <DataChip label={resourceLabel(uri)} note={note} title={uri} isEmpty={blob === undefined || blob === ''} name={name} />;
}

/** True for the name of a block of the user, because an agent's block may have any address. */
function isUsers(name: string): boolean {
  return name.startsWith('user:');
}

/** Data that the page does not show; the user can save it as a file. */
function DataChip({
  label,
  note = '',
  title = '',
  isEmpty,
  name,
}: {
  label: string;
  note?: string;
  title?: string | undefined;
  isEmpty: boolean;
  name: string;
}) {
  if (isEmpty) {
    return <Chip label={label} note={note} {...(title !== '' && { title })} />;
  }
  return <OpeningChip label={label} note={note} title={[title, t('Save As…')].filter((text) => text !== '').join('\n')} name={name} />;
}

function OpeningChip({ label, note = '', title, name }: { label: string; note?: string; title: string; name: string }) {
  const { post } = useView();
  const place = placeOf(name);
  if (!place) {
    return <Chip label={label} note={note} title={title} />;
  }
  return (
    <button type="button" class="chip" title={escapeMisleading(title)} onClick={() => post({ type: 'open_content', ...place })}>
      <FileIcon />
      <Label label={label} note={note} />
    </button>
  );
}

/** Returns the entry and the block's index, parsed from a block's name. */
function placeOf(name: string): { entryId: string; content: number } | undefined {
  const match = /^([\s\S]+)\/(?:content\.)?(\d{1,9})$/.exec(name);
  return match ? { entryId: match[1]!, content: Number(match[2]) } : undefined;
}

/** A description of data that is not shown: its type and size. */
function blobText(blob: string, mimeType: string | undefined): string {
  return [...(mimeType === undefined ? [] : [oneLine(mimeType, 60)]), `${compactNumber(Math.floor((blob.length * 3) / 4))}B`].join(', ');
}

/** @param about the agent's other texts about the resource, for the tooltip */
function ResourceChip({ uri, label, about = [] }: { uri: string; label: string; about?: readonly string[] }) {
  const { post } = useView();
  const title = [...about.map((text) => oneLine(text, 400)), uri].filter((text) => text !== '').join('\n');
  if (linkKind(uri) === 'none') {
    return <Chip label={label} title={title} />;
  }
  return (
    <button type="button" class="chip" title={escapeMisleading(title)} onClick={() => post({ type: 'open_link', href: uri })}>
      <FileIcon />
      <Label label={label} />
    </button>
  );
}

function Chip({ label, note = '', title }: { label: string; note?: string; title?: string }) {
  return (
    <span class="chip chip-still" title={title === undefined ? undefined : escapeMisleading(title)}>
      <FileIcon />
      <Label label={label} note={note} />
    </span>
  );
}

/** @param note our own remark */
function Label({ label, note = '' }: { label: string; note?: string }) {
  return (
    <span>
      {oneLine(label, MAX_LABEL)}
      {note !== '' && <span class="unsearched">{note}</span>}
    </span>
  );
}
