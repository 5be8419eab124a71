/** Suggests the agent's slash commands while the text is a `/` and a word: a list box controlled from the text. */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { isNew } from '../../../src/core/model/select';
import type { AvailableCommand } from '../../../src/core/model/content';
import { useSelect, useView } from '../../state/context';
import type { Draft } from '../../state/draft';
import { t } from '../../base/l10n';
import { typedCommand } from './commands';
import { useSuggestionPosition } from './suggestionPosition';
import { type Command, isOwn, type BuiltinCommand, ownCommands } from './builtinCommands';
import { oneLine } from '../../../src/text/characters/textSafety';

const LIST_ID = 'commands';
/** The most rows; no user reads more, and typing filters them. */
const MAX_ROWS = 50;
/** The longest hint for a command's argument, in UTF-16 units. */
const MAX_HINT = 60;

export interface Suggestions {
  readonly commands: readonly Command[];
  readonly active: number;
  readonly isOpen: boolean;
  accept(command: Command): void;
  /** Runs a built-in command whose name is the whole text. Returns true when there was one. */
  runTyped(): boolean;
  /** The hint for the argument of the typed command while the argument is empty; '' otherwise. */
  readonly argumentHint: string;
  /** True when the list used the key. */
  onKeyDown(event: KeyboardEvent): boolean;
  readonly textAttributes: Readonly<Record<string, string | undefined>>;
}

export function useSuggestions(draft: Draft, caret: number, area: RefObject<HTMLTextAreaElement>): Suggestions {
  const { post, say } = useView();
  const offered = useSelect((state) => state.commands);
  const isEmpty = useSelect(isNew);
  const recent = useSelect((_, mirror) => mirror.facts.preferences.recentCommands);
  const all: readonly Command[] = useMemo(() => [...offered, ...ownCommands(offered, isEmpty)], [offered, isEmpty]);
  const [active, setActive] = useState(0);
  const [closedFor, setClosedFor] = useState<string>();
  const query = /^\/(\S*)$/.exec(draft.text)?.[1];
  const open = query !== undefined && caret > 0 && closedFor !== draft.text && !draft.isRecalled;
  const commands = open ? matching(all, query, recent) : [];
  useLayoutEffect(() => setActive(0), [query]);
  // A closed list stays closed as long as the same command is typed.
  useEffect(() => {
    if (query === undefined) {
      setClosedFor(undefined);
    }
  }, [query === undefined]);
  const count = commands.length;
  useEffect(() => {
    if (count > 0) {
      say(count === 1 ? t('1 suggestion') : t('{count} suggestions', { count }));
    }
  }, [count]);

  const run = ({ own }: BuiltinCommand) => {
    draft.setText('');
    area.current?.focus();
    if ('action' in own) {
      post({ type: 'action', action: own.action });
    } else {
      post({ type: 'prompt', content: [{ type: 'text', text: own.prompt }] });
    }
  };
  const accept = (command: Command, isDone = true) => {
    if (isDone && isOwn(command)) {
      return run(command);
    }
    if (command.inputHint) {
      say(oneLine(command.inputHint, MAX_HINT));
    }
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
        accept(command, false);
        return true;
      case 'Enter':
        // A command that is typed in full is meant to be sent.
        if (event.shiftKey || typedCommand(command) === `/${query}`) {
          return false;
        }
        accept(command);
        return true;
      default:
        return false;
    }
  };
  const given = /^(\/\S+) $/.exec(draft.text)?.[1];
  const hinted = given === undefined ? undefined : offered.find((command) => typedCommand(command) === given);
  const shown = commands.length > 0;
  return {
    commands,
    active: Math.min(active, commands.length - 1),
    isOpen: shown,
    accept,
    runTyped: () => {
      const typed = all.find((command) => isOwn(command) && typedCommand(command) === draft.text.trim());
      if (!typed || !isOwn(typed) || draft.attachments.length > 0) {
        return false;
      }
      run(typed);
      return true;
    },
    argumentHint: oneLine(hinted?.inputHint ?? '', MAX_HINT),
    onKeyDown,
    textAttributes: {
      'aria-autocomplete': 'list',
      'aria-controls': shown ? LIST_ID : undefined,
      'aria-activedescendant': shown ? `${LIST_ID}-${Math.min(active, commands.length - 1)}` : undefined,
    },
  };
}

/**
 * Returns the commands whose name starts with `query`, the recently used ones first, and then those whose name contains it. @param recent names, the
 * newest first
 */
export function matching<T extends Pick<AvailableCommand, 'name'>>(
  commands: readonly T[],
  query: string,
  recent: readonly string[] = [],
): T[] {
  const wanted = query.toLowerCase();
  // Not looked up in an array, because there may be thousands.
  const begins = (command: T): boolean => typedCommand(command).slice(1).toLowerCase().startsWith(wanted);
  const found = commands.filter(begins);
  const used = recent.flatMap((name) => found.find((command) => typedCommand(command) === `/${name}`) ?? []);
  const starts = [...used, ...found.filter((command) => !used.includes(command))];
  const holds = commands.filter((command) => !begins(command) && command.name.toLowerCase().includes(wanted));
  return [...starts, ...holds].slice(0, MAX_ROWS);
}

export function SuggestionList({ suggestions }: { suggestions: Suggestions }) {
  const { commands, active, accept } = suggestions;
  const list = useSuggestionPosition(active, commands.length > 0);
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
          {isOwn(command) && <span class="suggestion-own">{t('VS Code')}</span>}
          <span class="suggestion-description">{oneLine(command.description, 160)}</span>
        </div>
      ))}
    </div>
  );
}
