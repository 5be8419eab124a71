/** The list of what could be mentioned. The text keeps the focus. */
import type { MentionKind } from '../../../src/core/protocol/view';
import { oneLine } from '../../../src/text/characters/textSafety';
import {
  AgentIcon,
  ApplyIcon,
  FileIcon,
  FolderIcon,
  GlobeIcon,
  HistoryIcon,
  InsertIcon,
  ListIcon,
  MoreIcon,
  ShowTerminalIcon,
  WarningIcon,
} from '../../icons';
import { t } from '../../l10n';
import { useSuggestionPlace } from '../suggestionPlace';
import { MENTION_LIST, type MentionSuggestions } from './useMentions';

const ICONS: Readonly<Record<MentionKind, () => preact.JSX.Element>> = {
  file: FileIcon,
  folder: FolderIcon,
  symbol: ListIcon,
  problems: WarningIcon,
  changes: ApplyIcon,
  commit: HistoryIcon,
  session: AgentIcon,
  url: GlobeIcon,
  selection: InsertIcon,
  terminal: ShowTerminalIcon,
  prompt: FileIcon,
  category: MoreIcon,
};

export function MentionIcon({ kind }: { kind: MentionKind }) {
  const Icon = ICONS[kind] ?? FileIcon;
  return <Icon />;
}

export function MentionList({ suggestions: { rows, active, accept } }: { suggestions: MentionSuggestions }) {
  const list = useSuggestionPlace(active, rows.length > 0);
  if (rows.length === 0) {
    return null;
  }
  return (
    <div class="suggestions" id={MENTION_LIST} role="listbox" aria-label={t('Add to the message')} ref={list}>
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
          <span class="suggestion-description">{oneLine(row.detail, 160)}</span>
        </div>
      ))}
    </div>
  );
}
