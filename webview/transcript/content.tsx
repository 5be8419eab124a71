/** A content block that is not a message's text: image, audio, resource, or one that we do not know. */
import type { ContentBlock } from '../../src/core/content';
import { useView } from '../context';
import { FileIcon } from '../icons';
import { t } from '../l10n';
import { oneLine, visible } from '../markdown/bidi';
import { linkKind } from '../markdown/links';
import { Markdown } from '../markdown/markdown';
import { baseName } from '../words';
import { Fold } from './fold';
import { jsonText } from './raw';

const BITMAPS = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** What an embedded resource may hold besides text and still be shown. */
const MEDIA = /^(image\/(png|jpeg|gif|webp)|audio\/[\w.+-]+)$/;

interface Props {
  readonly block: ContentBlock;
  /** Unique in the session: what is folded is remembered under it. */
  readonly name: string;
}

export function BlockContent({ block, name }: Props) {
  switch (block.type) {
    case 'text':
      return <Markdown text={block.text} />;
    case 'image':
      if (BITMAPS.has(block.mimeType) && block.data) {
        return <img class="content-image" src={`data:${block.mimeType};base64,${block.data}`} alt={block.uri ? oneLine(baseName(block.uri)) : t('Image')} />;
      }
      return block.uri ? <ResourceChip uri={block.uri} label={block.uri} /> : <Chip label={t('Image ({type})', { type: oneLine(block.mimeType) })} />;
    case 'audio':
      if (/^audio\/[\w.+-]+$/.test(block.mimeType)) return <audio controls aria-label={t('Audio')} src={`data:${block.mimeType};base64,${block.data}`} />;
      return <Chip label={t('Audio ({type})', { type: oneLine(block.mimeType) })} />;
    case 'resource_link':
      return <ResourceChip uri={block.uri} label={block.title ?? block.name} about={[block.title === undefined ? '' : block.name, block.description ?? '']} />;
    case 'resource':
      return (
        <>
          <ResourceChip uri={block.uri} label={baseName(block.uri)} />
          {block.blob !== undefined && MEDIA.test(block.mimeType ?? '') && (
            <BlockContent block={{ type: block.mimeType!.startsWith('audio/') ? 'audio' : 'image', mimeType: block.mimeType!, data: block.blob, uri: block.uri }} name={name} />
          )}
          {block.text !== undefined && (
            <Fold name={`${name}/text`} label={t('Content')}>
              {() => <pre class="content-text">{visible(block.text ?? '')}</pre>}
            </Fold>
          )}
        </>
      );
    default:
      return (
        <Fold name={`${name}/unknown`} label={t('Content of an unknown kind')}>
          {() => <pre class="content-text">{visible(jsonText(block.raw))}</pre>}
        </Fold>
      );
  }
}

/** `about`: what else the agent said of it, for whoever stays on the chip. */
function ResourceChip({ uri, label, about = [] }: { uri: string; label: string; about?: readonly string[] }) {
  const { post } = useView();
  const title = [...about.map((text) => oneLine(text, 400)), uri].filter((text) => text !== '').join('\n');
  if (linkKind(uri) === 'none') return <Chip label={label} title={title} />;
  return (
    <button type="button" class="chip" title={visible(title)} onClick={() => post({ type: 'open_link', href: uri })}>
      <FileIcon />
      <span>{oneLine(label, 80)}</span>
    </button>
  );
}

function Chip({ label, title }: { label: string; title?: string }) {
  return (
    <span class="chip chip-still" title={title === undefined ? undefined : visible(title)}>
      <FileIcon />
      <span>{oneLine(label, 80)}</span>
    </span>
  );
}
