/** All that an agent reported about a tool call. What failed says why first. */
import { shownLocations } from '../../../src/core/model/shownLocations';
import type { ToolCallEntry } from '../../../src/core/model/state';
import { isBulk } from '../../../src/core/protocol/view';
import { isSaid } from '../../../src/text/find/entryTexts';
import { t } from '../../l10n';
import { oneLine, visible } from '../../../src/text/characters/textSafety';
import { lineOf } from '../diff/place';
import { reasonIn } from './failureReason';
import { isEmpty, jsonText } from './jsonText';
import { Locations } from './locations';
import { Raw } from './raw';
import { hiddenRaw } from './rawData';
import { useRawShown } from './toolMenu';
import { ToolContentView } from './toolContent';

/** `title`: what stands in the card's header. */
export function ToolBody({ entry, title }: { entry: ToolCallEntry; title: string }) {
  const { entryId } = entry;
  const hidden = hiddenRaw(entry, title);
  const [rawShown] = useRawShown(entryId);
  const empty = entry.content.length === 0 && entry.locations.length === 0 && isEmpty(entry.rawInput) && isEmpty(entry.rawOutput);
  const failed = entry.status === 'failed';
  const reasons = failed ? entry.content.flatMap((content, index) => (isSaid(content) ? [index] : [])) : [];
  const show = (index: number) => (
    <ToolContentView
      key={index}
      content={entry.content[index]!}
      index={index}
      entryId={entryId}
      toolKind={entry.toolKind}
      title={title}
      line={lineOf(entry.content, index, entry.locations)}
    />
  );
  return (
    <div class="tool-body">
      {failed && <FailureReason entry={entry} />}
      {failed && reasons.map(show)}
      <Locations locations={rawShown ? entry.locations : shownLocations(entry)} />
      {entry.content
        .map((_, index) => index)
        .filter((index) => !reasons.includes(index))
        .map(show)}
      {(['rawInput', 'rawOutput'] as const).map(
        (field) =>
          (rawShown || !hidden[field]) && (
            <Raw
              // Asked for by the menu, it is open.
              key={`${field} ${rawShown && hidden[field]}`}
              entryId={entryId}
              field={field}
              label={field === 'rawInput' ? t('Input') : t('Output')}
              value={entry[field]}
              open={rawShown && hidden[field]}
            />
          ),
      )}
      {entry.name !== undefined && entry.name !== entry.title && <div class="tool-name">{oneLine(entry.name)}</div>}
      {empty && <div class="dim">{failed ? t("The agent didn't give a reason.") : t('No further details.')}</div>}
    </div>
  );
}

/** A failed call without content keeps its reason in the raw output. */
function FailureReason({ entry }: { entry: ToolCallEntry }) {
  if (entry.content.some(isSaid) || isEmpty(entry.rawOutput)) {
    return null;
  }
  return (
    <pre class="tool-failure">
      {visible(isBulk(entry.rawOutput) ? entry.rawOutput.head : (reasonIn(entry.rawOutput) ?? jsonText(entry.rawOutput)))}
    </pre>
  );
}
