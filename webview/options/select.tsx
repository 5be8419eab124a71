/**
 * A button that shows the current value and opens a list (ARIA's select-only combobox), for an agent's option or a form's field. The focus stays on
 * the button, or moves to the filter of a long list.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ConfigOption } from '../../src/core/model/content';
import { ChevronIcon } from '../base/icons';
import { useLazy } from '../base/lazy';
import { oneLine, escapeMisleading } from '../../src/text/characters/textSafety';
import { optionChunk } from './lazyOptionList';
import { choiceLabel, namedValue } from './label';
import type { ListFrame, Start } from './list';

type OptionChunk = NonNullable<typeof optionChunk.value>;

interface OptionProps {
  readonly option: ConfigOption & { type: 'select' };
  readonly disabled: boolean;
  /** The current value, including a choice that the agent has not confirmed. */
  readonly value: string;
  choose(value: string): void;
}

export function OptionSelect({ option, disabled, value, choose }: OptionProps) {
  const current = option.groups.flatMap(({ choices }) => choices).find((choice) => choice.value === value);
  const named = namedValue(
    { name: oneLine(option.name, 80), category: option.category },
    current ? choiceLabel(option, current) : oneLine(value, 80),
  );
  return (
    <SelectButton
      class="option"
      attributes={attributesOf(option)}
      disabled={disabled}
      leave={(root) => root.closest('form')?.querySelector<HTMLElement>('.composer-text')?.focus()}
      list={({ OptionList }, frame) => <OptionList {...frame} option={option} value={value} choose={choose} />}
    >
      {named.name !== undefined && (
        <span class="option-name" aria-hidden="true">
          {oneLine(named.name, 24)}:{' '}
        </span>
      )}
      {oneLine(named.value, 40)}
    </SelectButton>
  );
}

/** The key of the command Switch to Next Mode, unless the user has given it another. */
const MODE_KEYS = { shown: navigator.platform.startsWith('Mac') ? '⌥⌘.' : 'Ctrl+Alt+.', aria: 'Control+Alt+.' };

function attributesOf({ name, description, category }: ConfigOption & { type: 'select' }): SelectProps['attributes'] {
  const about = escapeMisleading([name, description].filter(Boolean).join(': '));
  const isMode = category === 'mode';
  return {
    'aria-label': oneLine(name),
    title: isMode ? `${about} (${MODE_KEYS.shown})` : about,
    ...(isMode && { 'aria-keyshortcuts': MODE_KEYS.aria }),
  };
}

interface SelectProps {
  readonly class: string;
  /** Attributes that name and describe the button. */
  readonly attributes: Pick<
    JSX.HTMLAttributes<HTMLButtonElement>,
    'id' | 'title' | 'aria-label' | 'aria-keyshortcuts' | 'aria-required' | 'aria-invalid' | 'aria-describedby'
  >;
  readonly disabled?: boolean;
  /** Moves the focus away when the focused button becomes disabled. */
  readonly leave?: (root: HTMLElement) => void;
  /** Renders the open list. */
  readonly list: (chunk: OptionChunk, frame: ListFrame) => ComponentChildren;
  /** The label of the current value. */
  readonly children: ComponentChildren;
}

export function SelectButton({ class: className, attributes, disabled = false, leave, list, children }: SelectProps) {
  const id = useId();
  const chunk = useLazy(optionChunk);
  const root = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const keys = useRef<(event: KeyboardEvent) => boolean>(() => false);
  const [start, setStart] = useState<Start>();
  const [activeRow, setActiveRow] = useState<string>();
  const isOpen = start !== undefined && chunk !== undefined;

  const open = (at: Start) => {
    void optionChunk.load();
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
    // A disabled option accepts no choice, and a disabled button cannot keep the focus.
    if (root.current?.contains(document.activeElement)) {
      leave?.(root.current);
    }
    close(false);
  }, [disabled, start]);

  const onKeyDown = (event: KeyboardEvent) => {
    const isModified = event.ctrlKey || event.metaKey;
    if (isModified && !isOpen) {
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

  return (
    <span class="option-root" ref={root} onKeyDown={onKeyDown}>
      <button
        {...attributes}
        ref={button}
        type="button"
        class={`${className} option-select`}
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen ? activeRow : undefined}
        disabled={disabled}
        title={isOpen ? undefined : attributes.title}
        onClick={() => (isOpen ? close(true) : open('current'))}
      >
        <span class="option-value">{children}</span>
        <ChevronIcon />
      </button>
      {isOpen && list(chunk, { id, start, root, button, keys, lead: setActiveRow, close })}
    </span>
  );
}

/** Returns where a key opens the list; undefined for other keys. */
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
