/** The names of the subagents that changed a file. */
import { oneLine } from '../../../src/text/characters/textSafety';
import { subagentName, subagentOf } from '../../../src/core/subagents/subagentTree';
import { useSelect } from '../../state/context';
import { t } from '../../base/l10n';

/** UTF-16 units of a name. */
const MAX_NAME = 40;
/** Names that are shown. */
const MAX_SHOWN = 2;

export function FileAuthors({ subagents = [] }: { subagents?: readonly string[] | undefined }) {
  const names = useSelect((state) =>
    subagents
      .flatMap((subagentId) => {
        const child = subagentOf(state, subagentId);
        return child ? [oneLine(subagentName(child), MAX_NAME)] : [];
      })
      .join('\n'),
  );
  if (names === '') {
    return null;
  }
  const all = names.split('\n');
  const more = all.length - MAX_SHOWN;
  const shown = all.slice(0, MAX_SHOWN).join(', ');
  const name = more > 0 ? t('{names} and {count} more', { names: shown, count: more }) : shown;
  return (
    <span class="diff-operation file-authors" title={all.join(', ')}>
      <bdi>{t('by {name}', { name })}</bdi>
    </span>
  );
}
