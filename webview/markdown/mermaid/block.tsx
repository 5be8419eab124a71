/** A Mermaid block: its diagram once it is drawn; its source before that, and when it cannot be drawn. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useView } from '../../state/context';
import { ZoomIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { memo } from '../../base/memo';
import { escapeMisleading } from '../../../src/text/characters/textSafety';
import { setReadableText } from '../../base/readableText';
import { CodeActions } from '../code/actions';
import { CodeLines } from '../code/lines';
import { watchNear } from '../code/highlight/nearViewport';
import type { DiagramImage } from './messages';
import type { Drawn } from './mermaidPage';
import { diagramName, refusalText } from './strings';

type Page = typeof import('./mermaidPage');
let page: Page | undefined;

/** @param language the whole text after the fence */
export const DiagramBlock = memo(function DiagramBlock({ text, language }: { text: string; language: string }) {
  const block = useRef<HTMLDivElement>(null);
  const drawn = useDrawing(block, text);
  const [showsSource, setShowsSource] = useState(false);
  const [actualSize, setActualSize] = useState(false);
  const [shrunk, setShrunk] = useState(false);
  const [wrapped, setWrapped] = useState(false);
  const picture = drawn?.picture;
  const sought = useSought(text);
  const shown = picture && !showsSource && !sought;
  return (
    <div class={wrapped && !shown ? 'code code-wrapped' : 'code'} role="group" aria-label={t('Diagram')} dir="ltr" ref={block}>
      <div class="code-bar">
        <span class="code-language">mermaid</span>
        <span class="diagram-actions">
          {picture && !sought && (
            <button type="button" class="text-button" onClick={() => setShowsSource(!showsSource)}>
              {showsSource ? t('Diagram') : t('Source')}
            </button>
          )}
          {shown && (shrunk || actualSize) && (
            <button
              type="button"
              class="icon-button"
              aria-pressed={actualSize}
              aria-label={t('Actual size')}
              title={t('Actual size')}
              onClick={() => setActualSize(!actualSize)}
            >
              <ZoomIcon />
            </button>
          )}
          <CodeActions text={text} info={language} language="mermaid" wrapped={wrapped} onWrap={shown ? undefined : setWrapped} />
        </span>
      </div>
      {shown ? (
        <DiagramView
          text={text}
          picture={picture}
          actualSize={actualSize}
          shrunk={shrunk}
          onShrunk={setShrunk}
          onClick={() => (shrunk || actualSize) && setActualSize(!actualSize)}
        />
      ) : (
        <pre class="code-text" tabIndex={0}>
          <code>
            <CodeLines text={text} label="" />
          </code>
        </pre>
      )}
      {drawn && !picture && <div class="diagram-note unsearched">{refusalText(drawn.refusal)}</div>}
    </div>
  );
});

/** px; about the visible height. */
const FIT_HEIGHT = 560;

interface ViewProps {
  /** The diagram's source. */
  readonly text: string;
  readonly picture: DiagramImage;
  readonly actualSize: boolean;
  readonly shrunk: boolean;
  /** Reports whether the diagram is scaled down. */
  onShrunk(shrunk: boolean): void;
  onClick(): void;
}

function DiagramView({ text, picture, actualSize, shrunk, onShrunk, onClick }: ViewProps) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => setReadableText(element.current!, () => escapeMisleading(text)), [text]);
  const image = useRef<HTMLImageElement>(null);
  const address = useMemo(() => URL.createObjectURL(new Blob([picture.svg], { type: 'image/svg+xml' })), [picture]);
  useLayoutEffect(() => () => URL.revokeObjectURL(address), [address]);
  const [scrolls, setScrolls] = useState(false);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      onShrunk(image.current!.width < picture.width);
      setScrolls(element.current!.scrollWidth > element.current!.clientWidth);
    });
    observer.observe(element.current!);
    observer.observe(image.current!);
    return () => observer.disconnect();
  }, [picture]);
  // The size is set before the picture is decoded, so that nothing moves then.
  const scale = actualSize ? 1 : Math.min(1, FIT_HEIGHT / picture.height);
  const [width, height] = [Math.max(1, Math.round(picture.width * scale)), Math.max(1, Math.round(picture.height * scale))];
  // A scroll container must be focusable with the keyboard.
  return (
    <div
      ref={element}
      class={actualSize ? 'diagram diagram-actual' : shrunk ? 'diagram diagram-shrunk' : 'diagram'}
      tabIndex={actualSize || scrolls ? 0 : undefined}
    >
      <img
        class="diagram-image"
        ref={image}
        src={address}
        alt={diagramName(picture)}
        width={width}
        height={height}
        draggable={false}
        onClick={onClick}
      />
    </div>
  );
}

/** True while the search text occurs in `text`. Matches can be highlighted only in the source. */
function useSought(text: string): boolean {
  const { search } = useView();
  const isSought = () => search.isOpen && search.pattern?.test(text) === true;
  const [sought, setSought] = useState(isSought);
  useLayoutEffect(() => {
    setSought(isSought());
    return search.subscribe(() => setSought(isSought()));
  }, [search, text]);
  return sought;
}

/** The drawing of `text`, requested when the block is near the screen. Undefined until it is known. */
function useDrawing(block: { readonly current: HTMLElement | null }, text: string): Drawn | undefined {
  const [drawn, setDrawn] = useState(() => page?.recall(text));
  const known = useRef(drawn);
  useLayoutEffect(() => {
    let leave = () => {};
    let left = false;
    const watch = (loaded: Page) => {
      page = loaded;
      if (left) {
        return;
      }
      leave = loaded.watchDrawing(text, (next) => {
        if (next !== known.current) {
          setDrawn((known.current = next));
        }
      });
    };
    const load = () => void (page ? watch(page) : import('./mermaidPage').then(watch, () => {})); // Without the drawing code the source stays.
    const stop = watchNear(block.current!, load);
    return () => {
      left = true;
      stop();
      leave();
    };
  }, [text]);
  return drawn;
}
