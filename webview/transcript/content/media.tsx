/** Pictures and sounds whose data is part of the message. Content that the page cannot show or play is named, and its text is shown if it has one. */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { resourceName } from '../../../src/core/toolCalls/titles';
import { useDisclosure } from '../../state/context';
import { t } from '../../base/l10n';
import { isBase64 } from '../../../src/text/links/base64';
import { oneLine, escapeMisleading } from '../../../src/text/characters/textSafety';
import { Disclosure } from '../../components/disclosure';
import { fitting, imageSize } from '../../base/imageSize';

/** px of width that is always available. */
const SMALL = 240;

const BITMAPS = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']);

/** True for types of embedded resources that the page can show besides text. */
export function isMedia(mimeType: string | undefined): mimeType is string {
  return mimeType !== undefined && /^(image|audio)\/[\w.+-]+$/.test(plainType(mimeType));
}

interface Props {
  /** base64 */
  readonly data: string;
  readonly mimeType: string;
  /** Unique in the session. */
  readonly name: string;
  readonly uri?: string | undefined;
  /** Renders a name instead of content that cannot be shown. */
  readonly named: (label: string) => ComponentChildren;
}

/** Renders a picture or a sound, depending on the type. */
export function Media(props: Props) {
  return plainType(props.mimeType).startsWith('audio/') ? <Sound {...props} /> : <Picture {...props} />;
}

export function Picture({ data, mimeType, name, uri, named }: Props) {
  const [broken, setBroken] = useState(false);
  const type = plainType(mimeType);
  const base64 = bare(data);
  if (BITMAPS.has(type) && isBase64(base64) && !broken) {
    return (
      <Sized
        src={`data:${type};base64,${base64}`}
        base64={base64}
        alt={uri === undefined ? t('Image') : oneLine(resourceName(uri))}
        name={name}
        onBroken={() => setBroken(true)}
      />
    );
  }
  return (
    <>
      {named(
        broken
          ? t("Image that can't be shown ({type})", { type: oneLine(mimeType, 80) })
          : t('Image ({type})', { type: oneLine(mimeType, 80) }),
      )}
      {type === 'image/svg+xml' && (
        // Rendering an SVG from the agent could take any amount of time.
        <Disclosure name={`${name}/source`} label={t('Source')}>
          {() => <pre class="content-text unsearched">{escapeMisleading(textOf(data))}</pre>}
        </Disclosure>
      )}
    </>
  );
}

/** A picture with its decoded size. A large one is scaled to fit and shown at full size on request. */
function Sized({ src, base64, alt, name, onBroken }: { src: string; base64: string; alt: string; name: string; onBroken?: () => void }) {
  const [whole, setWhole] = useDisclosure(`${name}/whole`, false);
  const size = useMemo(() => imageSize(base64), [base64]);
  const shown = size && fitting(size);
  const picture = <img class="content-image" src={src} alt={alt} decoding="async" {...(whole ? size : shown)} onError={onBroken} />;
  if (size && shown?.height === size.height && size.width <= SMALL) {
    return picture;
  }
  const text = whole ? t('Show to fit') : t('Show at full size');
  return (
    <button
      type="button"
      class={whole ? 'image-button image-whole' : 'image-button'}
      aria-expanded={whole}
      aria-label={`${alt}: ${text}`}
      title={text}
      onClick={() => setWhole(!whole)}
    >
      {picture}
    </button>
  );
}

export function Sound({ data, mimeType, named }: Props) {
  const [broken, setBroken] = useState(false);
  const type = plainType(mimeType);
  const base64 = bare(data);
  if (/^audio\/[\w.+-]+$/.test(type) && isBase64(base64) && !broken) {
    return <audio controls aria-label={t('Audio')} src={`data:${type};base64,${base64}`} onError={() => setBroken(true)} />;
  }
  return (
    <>
      {named(
        broken
          ? t("Audio that can't be played ({type})", { type: oneLine(mimeType, 80) })
          : t('Audio ({type})', { type: oneLine(mimeType, 80) }),
      )}
    </>
  );
}

/** The registered type without its parameters. */
function plainType(mimeType: string): string {
  const type = mimeType.split(';', 1)[0]!.trim().toLowerCase();
  return type === 'image/jpg' ? 'image/jpeg' : type;
}

/** Some agents send the whole data address instead of the data. */
function bare(data: string): string {
  return data.replace(/^data:[^,]*,/, '');
}

function textOf(data: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(bare(data)), (character) => character.charCodeAt(0)));
  } catch {
    return data; // Not base64: perhaps the text itself.
  }
}
