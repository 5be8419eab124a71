/** Passes pastes and drops on: files to the code that reads them, addresses to the host. The text area inserts text itself, unless it is long. */
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import type { PromptCapabilities } from '../../../src/core/model/content';
import { useView } from '../../state/context';
import type { Draft } from '../../state/draft';
import { lazy } from '../../base/lazy';
import { mentionChunk } from '../mentions/lazyMentions';

const takeChunk = lazy(() => import('./take'));

interface IncomingProps {
  readonly draft: Draft;
  readonly area: RefObject<HTMLTextAreaElement>;
  readonly capabilities: PromptCapabilities;
  setHint(hint: string): void;
}

interface IncomingControls {
  /** Handles a paste or a drop. */
  takeIn(event: Event, transfer: DataTransfer | null): void;
  /** Resolves when all files that were pasted are attached; undefined when none is read. */
  reading(): Promise<void> | undefined;
}

export function useIncoming({ draft, area, capabilities, setHint }: IncomingProps): IncomingControls {
  const { post, say } = useView();
  /** Reads run one after the other, so that attachments keep the order of the pastes. */
  const reading = useRef<Promise<void>>();
  return {
    reading: () => reading.current,
    takeIn: (event, transfer) => {
      const data = (type: string): string => transfer?.getData(type) ?? '';
      const files = [...(transfer?.files ?? [])];
      const uris = files.length === 0 ? urisIn(data('application/vnd.code.uri-list') || data('text/uri-list')) : [];
      const text = data('text/plain');
      if (files.length > 0) {
        event.preventDefault();
        const transferred = { files, text, html: data('text/html') };
        const own = Promise.all([takeChunk.load(), reading.current])
          .then(([{ take }]) => take(transferred, { draft, area: area.current, capabilities, say, setHint }))
          .finally(() => {
            if (reading.current === own) {
              reading.current = undefined;
            }
          });
        reading.current = own;
      } else if (uris.length > 0) {
        event.preventDefault();
        post({ type: 'attach_uris', uris });
      } else if (event.type === 'paste' && area.current) {
        const name = mentionChunk.value?.takeLongText(area.current, draft, text);
        if (name !== undefined) {
          event.preventDefault();
          say(name);
        }
      }
    },
  };
}

/** Addresses of files dragged from VS Code's own views, which the host reads. Web addresses are text. */
function urisIn(list: string): string[] {
  return list.split(/\r?\n/).filter((line) => line !== '' && !/^(?:#|https?:|mailto:|data:|blob:)/i.test(line));
}
