/** The list of suggested mentions. The text keeps the focus. */
import type { MentionKind } from '../../../src/core/protocol/view';
import { oneLine } from '../../../src/text/characters/textSafety';
import {
  AgentIcon,
  ApplyIcon,
  draw,
  FileIcon,
  FolderIcon,
  GlobeIcon,
  HistoryIcon,
  InsertIcon,
  MoreIcon,
  WarningIcon,
} from '../../base/icons';
import { t } from '../../base/l10n';
import { useSuggestionPosition } from '../suggestions/suggestionPosition';
import { MENTION_LIST, type MentionSuggestions } from './useMentions';

const SymbolIcon = draw('symbol', 'M8 1.8l5.2 3v6.4L8 14.2l-5.2-3V4.8z', 'M2.8 4.8L8 7.8l5.2-3M8 7.8v6.4');
const TerminalIcon = draw('terminal', 'M1.8 2.8h12.4v10.4H1.8z', 'M4.4 5.8l2 2-2 2M8 10.2h3.4');

const ICONS: Readonly<Record<MentionKind, () => preact.JSX.Element>> = {
  file: FileIcon,
  folder: FolderIcon,
  symbol: SymbolIcon,
  problems: WarningIcon,
  changes: ApplyIcon,
  commit: HistoryIcon,
  session: AgentIcon,
  url: GlobeIcon,
  selection: InsertIcon,
  terminal: TerminalIcon,
  prompt: FileIcon,
  category: MoreIcon,
};

export function MentionIcon({ kind }: { kind: MentionKind }) {
  const Icon = ICONS[kind] ?? FileIcon;
  return <Icon />;
}

export function MentionList({ suggestions: { rows, active, accept, isListing } }: { suggestions: MentionSuggestions }) {
  const isShown = rows.length > 0 || isListing;
  const list = useSuggestionPosition(active, isShown);
  if (!isShown) {
    return null;
  }
  return (
    <div class="suggestions" ref={list}>
      {rows.length > 0 && (
        <div id={MENTION_LIST} role="listbox" aria-label={t('Add to the message')}>
          {rows.map((row, index) => (
            <div
              key={index}
              id={`${MENTION_LIST}-${index}`}
              class="suggestion"
              role="option"
              aria-selected={index === active}
              onMouseDown={(event) => {
                event.preventDefault();
                accept(row);
              }}
            >
              <MentionIcon kind={row.kind} />
              <span class="suggestion-label">{oneLine(row.label, 80)}</span>
              {row.detail !== '' && <span class="suggestion-description">{oneLine(row.detail, 160)}</span>}
            </div>
          ))}
        </div>
      )}
      {isListing && (
        <div class="suggestion-status" role="status">
          {t('Loading files…')}
        </div>
      )}
    </div>
  );
}
