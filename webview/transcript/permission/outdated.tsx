/** The warning that files of a waiting request have changed since. */
import { useEffect } from 'preact/hooks';
import { outdatedText } from '../../../src/text/messages/outdated';
import { escapeMisleading, oneLine } from '../../../src/text/characters/textSafety';
import { WarningIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { useSelect, useView } from '../../state/context';

export function Outdated({ entryId, paths }: { entryId: string; paths: readonly string[] }) {
  const { post, say } = useView();
  const agentName = useSelect((state) => state.agentName);
  const text = outdatedText(paths, oneLine(agentName, 80), t, escapeMisleading);
  useEffect(() => say(text), [text]);
  return (
    <div class="outdated">
      <WarningIcon />
      <div>
        {text}{' '}
        <button type="button" class="text-button notice-more" onClick={() => post({ type: 'saved_lines', act: 'compare', entryId })}>
          {t('Show Changes')}
        </button>
      </div>
    </div>
  );
}
