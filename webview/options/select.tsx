/**
 * An option of the agent with choices: a button that says what is set, and opens a list (ARIA's select-only combobox). The focus stays on the button, or
 * goes to the filter where there are many choices.
 */
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ConfigOption } from '../../src/core/model/content';
import { ChevronIcon } from '../icons';
import { useLate } from '../late';
import { oneLine, visible } from '../../src/text/characters/textSafety';
import { optionParts } from '../parts';
import { choiceLabel, namedValue } from './label';
import type { Start } from './list';

interface Props {
  readonly option: ConfigOption & { type: 'select' };
  readonly disabled: boolean;
  /** What is set, as far as the user knows. */
  readonly value: string;
  choose(value: string): void;
}

export function OptionSelect({ option, disabled, value, choose }: Props) {
  const id = useId();
  const parts = useLate(optionParts);
  const root = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const keys = useRef<(event: KeyboardEvent) => boolean>(() => false);
  const [start, setStart] = useState<Start>();
  const [activeRow, setActiveRow] = useState<string>();
  const isOpen = start !== undefined && parts !== undefined;

  const open = (at: Start) => {
    void optionParts.load();
    setStart(at);
  };
  const close = (focus: boolean) => {
    setStart(undefined);
    setActiveRow(undefined);
    if (focus) {
      button.current?.focus();
    }
  };
  useLayoutEffect(() => {
    if (!disabled || start === undefined) {
      return;
    }
    // Nobody would take a choice; a button that cannot be pressed takes no focus.
    if (root.current?.contains(document.activeElement)) {
      root.current.closest('form')?.querySelector<HTMLElement>('.composer-text')?.focus();
    }
    close(false);
  }, [disabled, start]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229 || event.ctrlKey || event.metaKey) {
      return;
    }
    const at = isOpen ? undefined : startOf(event);
    if (at !== undefined) {
      open(at);
    }
    if (at !== undefined || (isOpen && keys.current(event))) {
      event.preventDefault();
      event.stopPropagation();
    }
  };

  const current = option.groups.flatMap(({ choices }) => choices).find((choice) => choice.value === value);
  const named = namedValue(
    { name: oneLine(option.name, 80), category: option.category },
    current ? choiceLabel(option, current) : oneLine(value, 80),
  );
  const title = [option.name, option.description].filter(Boolean).join(': ');
  return (
    <span class="option-root" ref={root} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        class="option option-select"
        role="combobox"
        aria-label={oneLine(option.name)}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen ? activeRow : undefined}
        disabled={disabled}
        title={isOpen ? undefined : visible(title)}
        onClick={() => (isOpen ? close(true) : open('current'))}
      >
        <span class="option-value">
          {named.name !== undefined && (
            <span class="option-name" aria-hidden="true">
              {oneLine(named.name, 24)}:{' '}
            </span>
          )}
          {oneLine(named.value, 40)}
        </span>
        <ChevronIcon />
      </button>
      {isOpen && (
        <parts.OptionList
          id={id}
          option={option}
          value={value}
          start={start}
          root={root}
          button={button}
          keys={keys}
          lead={setActiveRow}
          choose={choose}
          close={close}
        />
      )}
    </span>
  );
}

/** Where a key opens the list; undefined when it does not. */
function startOf({ key, altKey }: KeyboardEvent): Start | undefined {
  switch (key) {
    case 'Enter':
    case ' ':
    case 'ArrowDown':
    case 'ArrowUp':
      return 'current';
    case 'Home':
      return 'first';
    case 'End':
      return 'last';
    default:
      return [...key].length === 1 && !altKey ? { typed: key } : undefined;
  }
}
