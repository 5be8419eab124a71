/** A running command's output as a real terminal while it is on the screen. Off the screen, for screen readers and during a search it is text. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TerminalState } from '../../../src/core/model/state';
import { TERMINAL_SIZE } from '../../../src/core/model/terminalSize';
import { newOutput, type OutputCursor } from '../../../src/core/protocol/terminalTail';
import { useView } from '../../state/context';
import { t } from '../../base/l10n';
import { visibleOutput } from '../../../src/text/characters/textSafety';
import { Slots } from './slots';
import { convertsEol, TerminalText } from './text';
import type { LiveTerminal } from './xterm';

const slots = new Slots(4);
/** ms on the screen before the terminal is created, because most commands end sooner. */
const TIMEOUT_MS = 300;
/** ms between two updates of the text for screen readers. */
const READING_MS = 1000;
/** The most visible rows. */
const MAX_ROWS = TERMINAL_SIZE.rows;

type Made = new (...all: ConstructorParameters<typeof LiveTerminal>) => LiveTerminal;

export function TerminalOutput({ terminal, running }: { terminal: TerminalState; running: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  const focused = useRef(false);
  const Terminal = useLive(element, running && terminal.output !== '');
  if (terminal.absent || (terminal.output === '' && terminal.dropped === 0)) {
    return null;
  }
  return (
    <div class="terminal-body" ref={element}>
      {Terminal ? (
        <Live Terminal={Terminal} terminal={terminal} focused={focused} />
      ) : (
        <TerminalText terminal={terminal} focused={focused} />
      )}
    </div>
  );
}

/** Returns the class of a live terminal while the element is near the screen and has a slot. */
function useLive(element: RefObject<HTMLElement>, wanted: boolean): Made | undefined {
  const { search } = useView();
  const [made, setMade] = useState<{ Terminal: Made }>();
  const [searching, setSearching] = useState(search.isOpen);
  useLayoutEffect(() => search.subscribe(() => setSearching(search.isOpen)), [search]);
  const able = wanted && !searching && !document.body.classList.contains('vscode-using-screen-reader');
  useLayoutEffect(() => {
    if (!able) {
      return undefined;
    }
    let leave: (() => void) | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    const load = async (): Promise<void> => {
      const { LiveTerminal } = await import('./xterm');
      if (!gone && leave) {
        setMade({ Terminal: LiveTerminal });
      }
    };
    const goAway = (): void => {
      clearTimeout(timer);
      leave?.();
      leave = undefined;
      setMade(undefined);
    };
    const observer = new IntersectionObserver(
      ([seen]) => {
        if (!seen!.isIntersecting) {
          goAway();
        } else if (!leave) {
          clearTimeout(timer);
          timer = setTimeout(() => (leave = slots.take(() => queueMicrotask(() => void load()))), TIMEOUT_MS);
        }
      },
      { root: element.current!.closest('.scroller'), rootMargin: '50% 0px' },
    );
    observer.observe(element.current!);
    return () => {
      gone = true;
      observer.disconnect();
      goAway();
    };
  }, [able]);
  return able ? made?.Terminal : undefined;
}

function Live({ Terminal, terminal, focused }: { Terminal: Made; terminal: TerminalState; focused: { current: boolean } }) {
  const region = useRef<HTMLDivElement>(null);
  const spoken = useRef<HTMLPreElement>(null);
  const live = useRef<{ screen: LiveTerminal; shown?: OutputCursor }>();
  const { post } = useView();
  const { columns, rows } = terminal.size ?? TERMINAL_SIZE;
  useLayoutEffect(() => {
    const { current: scroller } = region;
    const options = {
      size: { columns, rows },
      convertEol: convertsEol(terminal),
      openLink: (href: string) => post({ type: 'open_link', href }),
      onRows: (used: number, rowHeight: number) => {
        const atEnd = scroller!.scrollHeight - scroller!.scrollTop - scroller!.clientHeight < rowHeight;
        const bar = scroller!.offsetHeight - scroller!.clientHeight - scroller!.clientTop;
        scroller!.style.setProperty('height', `${Math.min(used, MAX_ROWS) * rowHeight + bar}px`);
        if (atEnd && used > MAX_ROWS) {
          scroller!.scrollTop = used * rowHeight;
        }
      },
    };
    const screen = new Terminal(scroller!.querySelector<HTMLElement>('.terminal-screen')!, options);
    live.current = { screen };
    const timer = setInterval(() => {
      if (spoken.current!.textContent !== screen.text()) {
        spoken.current!.textContent = screen.text();
      }
    }, READING_MS);
    if (focused.current) {
      scroller!.focus({ preventScroll: true });
    }
    return () => {
      clearInterval(timer);
      focused.current = scroller!.contains(document.activeElement);
      live.current = undefined;
      screen.dispose();
    };
  }, []);
  useLayoutEffect(() => live.current?.screen.resize({ columns, rows }), [columns, rows]);
  useLayoutEffect(() => {
    const { current } = live;
    const added = current && newOutput(current.shown, terminal);
    if (!added) {
      return;
    }
    current.screen.write(visibleOutput(added.text), added.isReset && current.shown !== undefined);
    current.shown = added.shown;
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const pages = { ArrowUp: -0.001, ArrowDown: 0.001, PageUp: -1, PageDown: 1, Home: -Infinity, End: Infinity }[event.key];
    if (pages === undefined || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) {
      return;
    }
    live.current?.screen.scroll(pages);
    event.preventDefault();
  };
  return (
    <div class="terminal-live" ref={region} tabIndex={0} role="group" aria-label={t('Output')} dir="ltr" onKeyDown={onKeyDown}>
      <pre class="sr-only" ref={spoken} />
      <div class="terminal-screen" />
    </div>
  );
}
