/** The environment and the program of a command: they decide what runs as much as the command line does. */
import { useRef, useState } from 'preact/hooks';
import type { EnvironmentVariable } from '../../../src/core/model/content';
import { t } from '../../base/l10n';
import { escapeInvisible, visibleInLine } from '../../../src/text/characters/textSafety';

/** UTF-16 units of a value, and variables, that are shown at first. */
const MAX_VALUE = 300;
const MAX_VARIABLES = 20;

interface CommandEnvironmentProps {
  readonly environment?: readonly EnvironmentVariable[];
  readonly program?: string | undefined;
}

export function CommandEnvironment({ environment = [], program }: CommandEnvironmentProps) {
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const isCut =
    !all && (environment.length > MAX_VARIABLES || environment.some(({ name, value }) => name.length + value.length > MAX_VALUE));
  if (environment.length === 0 && program === undefined) {
    return null;
  }
  return (
    <div class="subject-environment unsearched">
      {environment.length > 0 && (
        <>
          <div>{t('Environment variables')}</div>
          <ul ref={list} tabIndex={-1} aria-label={t('Environment variables')} dir="ltr">
            {(all ? environment : environment.slice(0, MAX_VARIABLES)).map(({ name, value }, index) => (
              <li key={index}>{variableText(name, value, all)}</li>
            ))}
          </ul>
        </>
      )}
      {isCut && (
        <button
          type="button"
          class="text-button"
          onClick={() => {
            setAll(true);
            // The button goes. Focus must stay in the question, whose keys answer it.
            list.current?.focus({ preventScroll: true });
          }}
        >
          {t('Show All Values')}
        </button>
      )}
      {program !== undefined && <div>{t('Program: {file}', { file: escapeInvisible(program) })}</div>}
    </div>
  );
}

/** `NAME=value` on one line, with its middle left out unless all is shown: the end of a search path matters, too. */
function variableText(name: string, value: string, all: boolean): string {
  const text = `${name}=${value}`;
  const half = MAX_VALUE / 2;
  return all || text.length <= MAX_VALUE
    ? visibleInLine(text)
    : `${visibleInLine(text.slice(0, half).toWellFormed())} … ${visibleInLine(text.slice(-half).toWellFormed())}`;
}
