/**
 * A terminal's card: its command, its exit status and its output. A terminal of ACP Host also has Stop while it runs, and a button that shows it
 * among the window's terminals.
 */
import { useLayoutEffect } from 'preact/hooks';
import type { ExitStatus } from '../../../src/core/model/content';
import type { TerminalState } from '../../../src/core/model/state';
import { collapsed } from '../../../src/core/approval/heading';
import { saysCommand } from '../../../src/core/toolCalls/toolTitle';
import { exitText } from '../../../src/text/messages/statusText';
import { useSelect, useView } from '../../state/context';
import { ShowTerminalIcon, Spinner, StopIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { escapeInvisible, oneLine, escapeMisleading } from '../../../src/text/characters/textSafety';
import { CommandEnvironment } from './environment';
import { CopyButton } from '../../markdown/code/actions';
import { TerminalOutput } from './live';
import { terminalText } from './text';

interface Props {
  readonly terminalId: string;
  /** The title above the card. A command that it contains is not shown again. */
  readonly title?: string | undefined;
  /** The command above the card that waits for the user's approval; '' for a request without one. Undefined when no request waits. */
  readonly askedCommand?: string | undefined;
}

export function TerminalView({ terminalId, title = '', askedCommand }: Props) {
  const { post, mirror } = useView();
  const terminal = useSelect((state) => (Object.hasOwn(state.terminals, terminalId) ? state.terminals[terminalId] : undefined));
  const absent = terminal?.absent === true;
  useLayoutEffect(() => {
    if (absent) {
      mirror.wantTerminal(terminalId);
    }
  }, [absent, terminalId]);
  if (!terminal) {
    return <div class="dim">{t('Terminal {terminalId}', { terminalId: oneLine(terminalId, 80) })}</div>;
  }
  const running = terminal.exitStatus === undefined && !terminal.released;
  const command = terminal.command ?? terminalId;
  const isSaid = askedCommand === undefined ? saysCommand(title, command) : collapsed(askedCommand) === collapsed(command);
  // Some agents announce their own terminal with the call, before the user has approved the command.
  const isUnapproved = askedCommand !== undefined && running && terminal.ours !== true;
  const isEmpty = terminal.output === '' && terminal.dropped === 0 && !terminal.environment?.length && terminal.program === undefined;
  if (isUnapproved && isSaid && isEmpty) {
    return null;
  }
  // Success alone needs no line, because the row above shows it, too.
  const isOver = isSaid && !running && isGood(terminal) && (terminal.output !== '' || terminal.dropped > 0);
  return (
    <div class="terminal" role="group" aria-label={t('Terminal')}>
      <div class={isOver ? 'terminal-bar terminal-bar-over' : 'terminal-bar'}>
        {isOver ? null : isSaid ? (
          <span class="terminal-rest" />
        ) : (
          <>
            <span class="terminal-prompt" aria-hidden="true">
              {terminal.shell ? '$' : '›'}
            </span>
            <code class="terminal-command" title={terminal.cwd && escapeMisleading(terminal.cwd)} dir="ltr">
              {escapeInvisible(command)}
            </code>
          </>
        )}
        {running ? !terminal.waiting && !isUnapproved && <Spinner /> : <Exit terminal={terminal} isQuiet={isOver} />}
        {running && (terminal.ours || terminal.canCancel) && (
          <button
            type="button"
            class="text-button terminal-stop"
            // The composer has the Stop of the turn, and two buttons need different names.
            aria-label={t('Stop Command')}
            onClick={() => post({ type: 'stop_terminal', terminalId })}
          >
            <StopIcon />
            {t('Stop')}
          </button>
        )}
        {terminal.ours && (
          <button
            type="button"
            class="icon-button"
            aria-label={t('Show in Terminal')}
            title={t('Show in Terminal')}
            onClick={() => post({ type: 'show_terminal', terminalId })}
          >
            <ShowTerminalIcon />
          </button>
        )}
        <CopyButton text={() => terminalText(terminal)} />
      </div>
      <div role="status">
        {running && terminal.waiting && (
          <div class="terminal-note">
            <span>{t('The command is waiting for input.')}</span>
            <button type="button" class="text-button" onClick={() => post({ type: 'show_terminal', terminalId })}>
              {t('Show Terminal')}
            </button>
          </div>
        )}
      </div>
      {(terminal.shell === true || terminal.pipe === true) && (
        <div class="terminal-note">
          {terminal.shell && <span>{t('Runs in your shell.')}</span>}
          {terminal.pipe && <span>{t("Couldn't open a terminal. Using a pipe instead.")}</span>}
        </div>
      )}
      <CommandEnvironment environment={terminal.environment ?? []} program={terminal.program} />
      <TerminalOutput terminal={terminal} running={running} />
    </div>
  );
}

/** @param isQuiet only for screen readers */
function Exit({ terminal, isQuiet }: { terminal: TerminalState; isQuiet: boolean }) {
  const { exitStatus } = terminal;
  if (!exitStatus) {
    return null;
  }
  return (
    <span class={isQuiet ? 'sr-only' : isGood(terminal) || isUnknown(exitStatus) ? 'exit' : 'exit exit-bad'}>
      {exitText(exitStatus, t, (word) => oneLine(word, 40))}
    </span>
  );
}

/** True when the agent does not know how the command ended. */
function isUnknown({ exitCode, signal }: ExitStatus): boolean {
  return exitCode === undefined && !signal;
}

function isGood({ exitStatus }: TerminalState): boolean {
  return exitStatus !== undefined && !exitStatus.signal && exitStatus.exitCode === 0;
}
