/** The agent's slash commands, suggested while the text is a `/` and a word: a list box driven from the text. */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AvailableCommand } from '../../src/core/model/content';
import { useSelect } from '../context';
import type { Draft } from '../draft';
import { t } from '../l10n';
import { typedCommand } from './commands';
import { oneLine } from '../../src/text/characters/textSafety';

const LIST_ID = 'commands';
/** More than this nobody reads; typing narrows it down. */
const MOST = 50;

export interface Suggestions {
  readonly commands: readonly AvailableCommand[];
  readonly active: number;
  accept(command: AvailableCommand): void;
  /** True when the key was for the list. */
  onKeyDown(event: KeyboardEvent): boolean;
  readonly textAttributes: Readonly<Record<string, string | undefined>>;
}

export function useSuggestions(draft: Draft, caret: number, area: RefObject<HTMLTextAreaElement>): Suggestions {
  const all = useSelect((state) => state.commands);
  const [active, setActive] = useState(0);
  const [closedFor, setClosedFor] = useState<string>();
  const query = /^\/(\S*)$/.exec(draft.text)?.[1];
  const open = query !== undefined && caret > 0 && closedFor !== draft.text && !draft.isRecalled;
  const commands = open ? matching(all, query) : [];
  useEffect(() => setActive(0), [query]);

  const accept = (command: AvailableCommand) => {
    draft.setText(`${typedCommand(command)} `);
    const element = area.current;
    if (!element) {
      return;
    }
    element.focus();
    element.value = draft.text;
    element.setSelectionRange(draft.text.length, draft.text.length);
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (commands.length === 0 || event.ctrlKey || event.metaKey || event.altKey) {
      return false;
    }
    const command = commands[Math.min(active, commands.length - 1)]!;
    switch (event.key) {
      case 'ArrowDown':
        setActive((active + 1) % commands.length);
        return true;
      case 'ArrowUp':
        setActive((active + commands.length - 1) % commands.length);
        return true;
      case 'Escape':
        setClosedFor(draft.text);
        event.stopPropagation();
        return true;
      case 'Tab':
        if (event.shiftKey) {
          return false;
        }
        accept(command);
        return true;
      case 'Enter':
        // What is already written out is meant to be sent.
        if (event.shiftKey || typedCommand(command) === `/${query}`) {
          return false;
        }
        accept(command);
        return true;
      default:
        return false;
    }
  };
  const shown = commands.length > 0;
  return {
    commands,
    active: Math.min(active, commands.length - 1),
    accept,
    onKeyDown,
    textAttributes: {
      'aria-autocomplete': 'list',
      'aria-controls': shown ? LIST_ID : undefined,
      'aria-activedescendant': shown ? `${LIST_ID}-${Math.min(active, commands.length - 1)}` : undefined,
    },
  };
}

/** Those whose name starts with `query`, then those that hold it. */
export function matching(commands: readonly AvailableCommand[], query: string): AvailableCommand[] {
  const wanted = query.toLowerCase();
  // Not looked up in a list: there may be thousands.
  const begins = (command: AvailableCommand): boolean => typedCommand(command).slice(1).toLowerCase().startsWith(wanted);
  const starts = commands.filter(begins);
  const holds = commands.filter((command) => !begins(command) && command.name.toLowerCase().includes(wanted));
  return [...starts, ...holds].slice(0, MOST);
}

export function SuggestionList({ suggestions }: { suggestions: Suggestions }) {
  const { commands, active, accept } = suggestions;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active]);
  if (commands.length === 0) {
    return null;
  }
  return (
    <div class="suggestions" id={LIST_ID} role="listbox" aria-label={t('Commands')} ref={list}>
      {commands.map((command, index) => (
        <div
          key={index}
          id={`${LIST_ID}-${index}`}
          class="suggestion"
          role="option"
          aria-selected={index === active}
          onMouseDown={(event) => {
            event.preventDefault(); // The text keeps the focus.
            accept(command);
          }}
        >
          <span class="suggestion-name">{oneLine(typedCommand(command), 60)}</span>
          {command.inputHint !== undefined && <span class="suggestion-hint">{oneLine(command.inputHint, 60)}</span>}
          <span class="suggestion-description">{oneLine(command.description, 160)}</span>
        </div>
      ))}
    </div>
  );
}
