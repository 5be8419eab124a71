/** A button that opens a menu, following the ARIA practices: arrows, Home, End, a letter, Escape. The menu closes when the focus leaves it. */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ChevronIcon } from '../base/icons';
import { positionPopup } from './positionPopup';

export interface MenuItem {
  readonly label: string;
  /** A description below the label. */
  readonly hint?: string;
  /** True for the first item after a separator. */
  readonly first?: boolean;
  /** True for an action that ends or deletes something. A menu that opens never focuses such an item. */
  readonly destructive?: boolean;
  choose(): void;
}

interface Props {
  /** Unique on the page. */
  readonly id: string;
  /** The button's content; with a `label` it is an icon. */
  readonly children: ComponentChildren;
  readonly label?: string;
  readonly title?: string;
  /** A text above the items that is not an item. */
  readonly status?: string;
  readonly items: readonly MenuItem[];
  /** The id of the element that describes the button. */
  readonly describedBy?: string;
  /**
   * True for a menu that floats above all else, on the side of its button with more room. For buttons in a scroll container or at the page's bottom.
   */
  readonly floating?: boolean;
}

export function MenuButton({ id, children, label, title, status, items, describedBy, floating = false }: Props) {
  const [open, setOpen] = useState<'first' | 'last'>();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = (focus: boolean) => {
    setOpen(undefined);
    if (focus) {
      button.current?.focus();
    }
  };
  useEffect(() => {
    if (!open) {
      return undefined;
    }
    const elsewhere = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) {
        close(false);
      }
    };
    document.addEventListener('pointerdown', elsewhere);
    document.addEventListener('focusin', elsewhere);
    // A click into another part of VS Code takes the focus out of the page.
    window.addEventListener('blur', elsewhere);
    return () => {
      document.removeEventListener('pointerdown', elsewhere);
      document.removeEventListener('focusin', elsewhere);
      window.removeEventListener('blur', elsewhere);
    };
  }, [open]);
  return (
    <div class="menu-root" ref={root}>
      <button
        ref={button}
        type="button"
        class={label === undefined ? 'menu-button' : 'menu-button icon-only'}
        aria-label={label}
        id={`${id}-button`}
        title={title}
        aria-describedby={describedBy}
        aria-haspopup="menu"
        aria-expanded={open !== undefined}
        aria-controls={open && id}
        onClick={() => setOpen(open ? undefined : 'first')}
        onKeyDown={(event) => {
          if (open || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) {
            return;
          }
          event.preventDefault();
          setOpen(event.key === 'ArrowDown' ? 'first' : 'last');
        }}
      >
        {children}
        {label === undefined && <ChevronIcon />}
      </button>
      {open && (
        <Popup
          id={id}
          status={status}
          atEnd={label !== undefined}
          beside={floating ? button : undefined}
          items={items}
          start={open}
          close={close}
        />
      )}
    </div>
  );
}

interface PopupProps extends Pick<Props, 'id' | 'status' | 'items'> {
  /** True when the menu is aligned with the button's end. */
  readonly atEnd: boolean;
  /** The button beside which a floating menu is positioned. */
  readonly beside: RefObject<HTMLElement> | undefined;
  readonly start: 'first' | 'last';
  close(focus: boolean): void;
}

function Popup({ id, status, atEnd, beside, items, start, close }: PopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!beside) {
      return undefined;
    }
    const put = () => positionPopup(popup.current!, beside.current!, atEnd);
    put();
    window.addEventListener('resize', put);
    return () => window.removeEventListener('resize', put);
  }, []);
  const menu = useRef<HTMLDivElement>(null);
  const rows = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
  useLayoutEffect(
    () =>
      rows()
        .filter((_, index) => !items[index]?.destructive)
        .at(start === 'first' ? 0 : -1)
        ?.focus(),
    [],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const all = rows();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const go = (index: number) => all[(index + all.length) % all.length]?.focus();
    switch (event.key) {
      case 'ArrowDown':
        go(at + 1);
        break;
      case 'ArrowUp':
        go(at - 1);
        break;
      case 'Home':
        go(0);
        break;
      case 'End':
        go(-1);
        break;
      case 'Escape':
        close(true);
        break;
      case 'Tab':
        close(true); // With the focus back on the button, Tab continues as usual.
        return;
      default: {
        if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey || event.key === ' ') {
          return;
        }
        const letter = event.key.toLowerCase();
        const next = [...all.slice(at + 1), ...all.slice(0, at + 1)].find((row) => row.textContent.trim().toLowerCase().startsWith(letter));
        next?.focus();
      }
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class={beside ? 'menu-popup floating' : atEnd ? 'menu-popup at-end' : 'menu-popup'} ref={popup}>
      {status && (
        <div class="menu-status" id={`${id}-status`}>
          {status}
        </div>
      )}
      <div
        class="menu"
        role="menu"
        id={id}
        aria-labelledby={`${id}-button`}
        aria-describedby={status ? `${id}-status` : undefined}
        onKeyDown={onKeyDown}
        ref={menu}
      >
        {items.map((item, index) => (
          <Row
            key={index}
            item={item}
            about={`${id}-about-${index}`}
            choose={() => {
              close(true);
              item.choose();
            }}
          />
        ))}
      </div>
    </div>
  );
}

function Row({ item: { label, hint, first }, about, choose }: { item: MenuItem; about: string; choose(): void }) {
  return (
    <>
      {first && <div class="menu-line" role="separator" />}
      <button
        type="button"
        class="menu-item"
        role="menuitem"
        tabIndex={-1}
        aria-label={label}
        aria-describedby={hint ? about : undefined}
        onClick={choose}
      >
        <span>{label}</span>
        {hint && (
          <span class="dim" id={about}>
            {hint}
          </span>
        )}
      </button>
    </>
  );
}
