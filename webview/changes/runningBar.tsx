/** The files that a running turn has changed so far, above the composer. They are kept and undone when the turn has ended. */
import { useRef } from 'preact/hooks';
import { useSelect, useView } from '../state/context';
import { escapeMisleading } from '../../src/text/characters/textSafety';
import { Disclosure } from '../components/disclosure';
import { operationLabel } from '../transcript/diff/operationLabel';
import { shortPath } from '../base/strings';
import { t } from '../base/l10n';
import { useReturnedFocus } from './returnFocus';

/** Files that wait for review already are in the list of those. @param leave puts the focus into the composer */
export function RunningBar({ leave }: { leave: () => void }) {
  const running = useSelect((state) => state.runningChanges);
  const pending = useSelect((state) => state.pendingChanges);
  const cwd = useSelect((state) => state.cwd);
  const { post } = useView();
  const root = useRef<HTMLDivElement>(null);
  useReturnedFocus(root, leave);
  if (!running) {
    return null;
  }
  const waiting = new Set(pending?.files.map(({ path }) => path));
  const files = running.files.filter(({ path }) => !waiting.has(path));
  const { more = 0 } = running;
  const count = files.length + more;
  if (count === 0) {
    return null;
  }
  const text = count === 1 ? t('1 file changed so far') : t('{count} files changed so far', { count });
  return (
    <div class="changes-bar changes-running" role="group" aria-label={t('Changes of the running turn')} ref={root}>
      <Disclosure name="running-changes" label={<span class="changes-count">{text}</span>} spoken={text}>
        {() => (
          <>
            <ul class="changes-list" aria-label={t('Files changed so far')}>
              {files.map(({ path, operation }) => {
                const shown = escapeMisleading(shortPath(path, cwd));
                const label = operationLabel(operation);
                return (
                  <li key={path} class="turn-file">
                    {operation === 'delete' ? (
                      <span class="diff-path" title={escapeMisleading(path)}>
                        <bdi>{shown}</bdi>
                      </span>
                    ) : (
                      <button
                        type="button"
                        class="diff-path"
                        title={escapeMisleading(path)}
                        aria-description={t('Open File')}
                        onClick={() => post({ type: 'open_location', path })}
                      >
                        <bdi>{shown}</bdi>
                      </button>
                    )}
                    {label && <span class="diff-operation">{label}</span>}
                  </li>
                );
              })}
              {more > 0 && <li class="dim">{t('and {count} more', { count: more })}</li>}
            </ul>
            <p class="changes-hint">{t('Keep and Undo are available when the turn ends.')}</p>
          </>
        )}
      </Disclosure>
    </div>
  );
}
