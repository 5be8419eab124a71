/** A terminal's output as coloured text, interpreted like a terminal's screen. */
import { Fragment } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TerminalState } from '../../../src/core/model/state';
import { TERMINAL_SIZE } from '../../../src/core/model/terminalSize';
import { newOutput, type OutputCursor } from '../../../src/core/protocol/terminalTail';
import { useDisclosure } from '../../state/context';
import { t } from '../../base/l10n';
import { Link } from '../../markdown/inline';
import { memo } from '../../base/memo';
import { escapeMisleading } from '../../../src/text/characters/textSafety';
import { lineParts } from './outputLinks';
import type { StyledRun } from './sgr';
import { recentOutput } from './outputTail';
import { Screen, plainLines } from './screen';

/** Lines shown before the user expands the output. Also limits the cost of an update of a running command. */
const SHORT = 200;

export function TerminalText({ terminal, focused }: { terminal: TerminalState; focused: { readonly current: boolean } }) {
  const element = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  const [all, setAll] = useDisclosure(`terminal/${terminal.terminalId}/all`, false);
  const { lines, cut } = useLines(terminal, all);
  useLayoutEffect(() => {
    const pre = element.current;
    if (pre && atEnd.current) {
      pre.scrollTop = pre.scrollHeight;
    }
  });
  useLayoutEffect(() => {
    if (focused.current) {
      element.current?.focus({ preventScroll: true });
    }
  }, []);
  return (
    <>
      {cut && (
        <button type="button" class="text-button" onClick={() => setAll(true)}>
          {t('Show earlier output')}
        </button>
      )}
      {!cut && terminal.dropped > 0 && (
        <div class="terminal-note">{t('{count} earlier characters were discarded.', { count: terminal.dropped })}</div>
      )}
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

/** Continues to read at the end of the previous output. */
function useLines(terminal: TerminalState, all: boolean): { lines: StyledRun[][]; cut: boolean } {
  const read = useRef<{ screen: Screen; shown: OutputCursor; cut: boolean; size: TerminalState['size']; all: boolean }>();
  const { size } = terminal;
  const known = read.current;
  const before = known?.size === size && known?.all === all ? known : undefined;
  const added = newOutput(before?.shown, terminal);
  if (!before || added?.isReset) {
    const { text, cut } = all ? { text: terminal.output, cut: false } : recentOutput(terminal.output, SHORT);
    const screen = screenOf(terminal);
    screen.write(text);
    read.current = { screen, shown: added!.shown, cut, size, all };
  } else if (added) {
    before.screen.write(added.text);
    before.shown = added.shown;
  }
  const { screen, cut } = read.current!;
  const shown = screen.lines(all ? Infinity : SHORT);
  return { lines: shown.lines, cut: !all && (cut || shown.cut) };
}

function screenOf({ size, ours, pipe }: TerminalState): Screen {
  return new Screen({ ...(size ?? TERMINAL_SIZE), convertEol: convertsEol({ ours, ...(pipe && { pipe }) }) });
}

/** True when a line feed must also return to the first column. Only a real terminal of ACP Host is certain to have done that. */
export function convertsEol({ ours, pipe }: Pick<TerminalState, 'ours' | 'pipe'>): boolean {
  return !ours || pipe === true;
}

/** The output's text, for the clipboard. */
export function terminalText(terminal: TerminalState): string {
  const screen = screenOf(terminal);
  screen.write(terminal.output);
  return plainLines(screen.lines().lines);
}

export function OutputLines({ lines }: { lines: readonly (readonly StyledRun[])[] }) {
  return (
    <>
      {lines.map((runs, index) => (
        <div key={index} class="terminal-line">
          {runs.length === 0 ? '\n' : <Line runs={runs} />}
        </div>
      ))}
    </>
  );
}

/** A line with its web addresses as links. */
function Line({ runs }: { runs: readonly StyledRun[] }) {
  const parts = lineParts(runs.map((run) => ({ ...run, text: escapeMisleading(run.text) })));
  return (
    <>
      {parts.map((part, index) => {
        const text = part.runs.map((run, at) => <RunView key={at} run={run} />);
        return part.address === undefined ? (
          <Fragment key={index}>{text}</Fragment>
        ) : (
          <Link key={index} href={part.address}>
            {text}
          </Link>
        );
      })}
    </>
  );
}

function RunView({ run: { text, classes, foreground, background } }: { run: StyledRun }) {
  if (foreground !== undefined || background !== undefined) {
    return <Coloured classes={classes} foreground={foreground} background={background} text={text} />;
  }
  return classes ? <span class={classes}>{text}</span> : <>{text}</>;
}

/** The page's content security policy forbids style attributes, but a script may set properties. */
const Coloured = memo(function Coloured(props: {
  classes: string;
  foreground?: string | undefined;
  background?: string | undefined;
  text: string;
}) {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    element.current!.style.setProperty('--sgr', props.foreground ?? null);
    element.current!.style.setProperty('background-color', props.background ?? '');
  }, [props.foreground, props.background]);
  return (
    <span
      ref={element}
      class={`${props.classes}${props.foreground === undefined ? '' : ' sgr-fg-own'}${props.background === undefined ? '' : ' sgr-bg-own'}`}
    >
      {props.text}
    </span>
  );
});
