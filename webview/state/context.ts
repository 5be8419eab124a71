/** The context of every component: the mirror, the connection to the host, and the state of the view. */
import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SessionState } from '../../src/core/model/state';
import type { FromView, ToView } from '../../src/core/protocol/view';
import type { Draft } from './draft';
import type { MentionAnswers } from './mentionAnswers';
import type { Search } from './search';
import type { FileReferences } from './fileReferences';
import type { QueueEdits } from './queueEdits';
import type { DisclosureState } from './disclosureState';
import type { Mirror } from './mirror';
import type { Forms } from './forms';
import { useForceUpdate } from '../base/memo';
import type { SavedScrollPosition } from './scrollPosition';

/** The message box, for the other components. The composer sets the functions while it is on the page. */
export interface ComposerControls {
  /** Puts the focus into the text. */
  focus: () => void;
  /** Sends the draft, like Enter. */
  submit: () => void;
}

export interface View {
  readonly mirror: Mirror;
  post(message: FromView): void;
  /** Announces the words to screen readers, politely. */
  say(text: string): void;
  readonly files: FileReferences;
  /** The suggestions of mentions. */
  readonly mentions: MentionAnswers;
  readonly disclosures: DisclosureState;
  readonly search: Search;
  /** The user's input in waiting forms. */
  readonly forms: Forms;
  /** The user's edits of queued messages. */
  readonly queueEdits: QueueEdits;
  /** The user's draft. */
  readonly draft: Draft;
  readonly composer: ComposerControls;
  /** The user's scroll position in the conversation. */
  readonly scrollPosition: SavedScrollPosition;
  /** The subagent whose conversation this is; absent in the conversation of the session. */
  readonly subagentId?: string;
}

export const ViewContext = createContext<View | undefined>(undefined);

export function useView(): View {
  const view = useContext(ViewContext);
  if (!view) {
    throw new Error('no ViewContext');
  }
  return view;
}

/** Selects a piece of the state. The component renders again when the piece has another identity. */
export function useSelect<T>(select: (state: SessionState, mirror: Mirror) => T): T {
  const { mirror } = useView();
  const forceUpdate = useForceUpdate();
  const value = select(mirror.state, mirror);
  const latest = useRef({ select, value });
  latest.current = { select, value };
  useLayoutEffect(
    () => mirror.subscribe(() => latest.current.select(mirror.state, mirror) !== latest.current.value && forceUpdate()),
    [mirror],
  );
  return value;
}

/** Returns the newest message of this type from the host, since the session was shown. For messages that only a component uses. */
export function useNewest<T extends ToView['type']>(type: T): Extract<ToView, { readonly type: T }> | undefined {
  return useSelect((_, mirror) => mirror.newest(type));
}

/** The open state of a part: `initially`, until the user opens or closes it. */
export function useDisclosure(key: string, initially: boolean): [boolean, (open: boolean) => void] {
  const { disclosures } = useView();
  const forceUpdate = useForceUpdate();
  useLayoutEffect(() => disclosures.subscribe(key, forceUpdate), [disclosures, key]);
  return [disclosures.get(key) ?? initially, (open) => disclosures.set(key, open)];
}

/** The host's time in ms, updated every second while `running`. */
export function useNow(running: boolean): number {
  const { mirror } = useView();
  const [now, setNow] = useState(() => mirror.now());
  useLayoutEffect(() => {
    if (!running) {
      return undefined;
    }
    setNow(mirror.now());
    const timer = setInterval(() => setNow(mirror.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
