/** A terminal's output as text with colours; live while it runs, with Stop when it is ours. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TerminalState } from '../../src/core/state';
import { useFold, useSelect, useView } from '../context';
import { Spinner, StopIcon } from '../icons';
import { t } from '../l10n';
import { memo } from '../memo';
import { oneLine, visible } from '../markdown/bidi';
import { CopyButton } from '../markdown/codeActions';
import { type Run, lastLines, sgrLines } from './sgr';

/** Lines shown before one asks for more; also what a running command costs per update. */
const SHORT = 200;

export function TerminalView({ terminalId }: { terminalId: string }) {
  const { post } = useView();
  const terminal = useSelect((state) => (Object.hasOwn(state.terminals, terminalId) ? state.terminals[terminalId] : undefined));
  if (!terminal) return <div class="dim">{t('Terminal {terminalId}', { terminalId: oneLine(terminalId, 80) })}</div>;
  const running = terminal.exitStatus === undefined && !terminal.released;
  return (
    <div class="terminal" role="group" aria-label={t('Terminal')}>
      <div class="terminal-bar">
        <span class="terminal-prompt" aria-hidden="true">
          {terminal.shell ? '$' : '›'}
        </span>
        <code class="terminal-command" title={terminal.cwd && visible(terminal.cwd)} dir="ltr">
          {oneLine(terminal.command ?? terminalId)}
        </code>
        {running ? <Spinner /> : <Exit terminal={terminal} />}
        {running && terminal.ours && (
          <button
            type="button"
            class="text-button terminal-stop"
            // The composer has the Stop of the turn: two buttons of one name could not be told apart.
            aria-label={t('Stop command')}
            onClick={() => post({ type: 'stop_terminal', terminalId })}
          >
            <StopIcon />
            {t('Stop')}
          </button>
        )}
        <CopyButton text={() => plainText(terminal.output)} />
      </div>
      {(terminal.shell === true || terminal.pipe === true) && (
        <div class="terminal-note">
          {terminal.shell && <span>{t('Runs as a line of your shell.')}</span>}
          {terminal.pipe && <span>{t('No terminal could be had: a pipe is used.')}</span>}
        </div>
      )}
      <Output terminal={terminal} />
    </div>
  );
}

function Exit({ terminal: { exitStatus } }: { terminal: TerminalState }) {
  if (!exitStatus) return null;
  const { exitCode, signal } = exitStatus;
  if (signal) return <span class="exit exit-bad">{t('Ended by {signal}', { signal: oneLine(signal, 40) })}</span>;
  return <span class={exitCode === 0 ? 'exit' : 'exit exit-bad'}>{t('Exit code {exitCode}', { exitCode: exitCode ?? '?' })}</span>;
}

function Output({ terminal }: { terminal: TerminalState }) {
  const element = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  const [all, setAll] = useFold(`terminal/${terminal.terminalId}/all`, false);
  const { text, cut } = all ? { text: terminal.output, cut: false } : lastLines(terminal.output, SHORT);
  useLayoutEffect(() => {
    const pre = element.current;
    if (pre && atEnd.current) pre.scrollTop = pre.scrollHeight;
  });
  if (terminal.output === '' && terminal.dropped === 0) return null;
  const lines = sgrLines(text);
  if (lines.at(-1)?.length === 0) lines.pop();
  return (
    <>
      {cut && (
        <button type="button" class="text-button" onClick={() => setAll(true)}>
          {t('Show earlier output')}
        </button>
      )}
      {!cut && terminal.dropped > 0 && <div class="terminal-note">{t('{count} earlier characters are no longer kept.', { count: terminal.dropped })}</div>}
      <pre
        class="terminal-output"
        ref={element}
        tabIndex={0}
        role="group"
        aria-label={t('Output')}
        dir="ltr"
        onScroll={({ currentTarget: pre }) => {
          atEnd.current = pre.scrollHeight - pre.scrollTop - pre.clientHeight < 8;
        }}
      >
        <OutputLines lines={lines} />
      </pre>
    </>
  );
}

export function OutputLines({ lines }: { lines: readonly (readonly Run[])[] }) {
  return (
    <>
      {lines.map((runs, index) => (
        <div key={index} class="terminal-line">
          {runs.length === 0 ? '\n' : runs.map((run, at) => <RunView key={at} run={run} />)}
        </div>
      ))}
    </>
  );
}

function RunView({ run }: { run: Run }) {
  const text = visible(run.text);
  if (run.foreground !== undefined || run.background !== undefined) return <Coloured classes={run.classes} foreground={run.foreground} background={run.background} text={text} />;
  return run.classes ? <span class={run.classes}>{text}</span> : <>{text}</>;
}

/** The page's policy forbids style attributes; a property set by script is no attribute. */
const Coloured = memo(function Coloured(props: { classes: string; foreground?: string | undefined; background?: string | undefined; text: string }) {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    element.current!.style.setProperty('--sgr', props.foreground ?? null);
    element.current!.style.setProperty('background-color', props.background ?? '');
  }, [props.foreground, props.background]);
  return (
    <span ref={element} class={`${props.classes}${props.foreground === undefined ? '' : ' sgr-fg-own'}${props.background === undefined ? '' : ' sgr-bg-own'}`}>
      {props.text}
    </span>
  );
});

function plainText(output: string): string {
  return sgrLines(output)
    .map((runs) => runs.map((run) => run.text).join(''))
    .join('\n');
}
