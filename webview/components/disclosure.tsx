/** A part that opens and closes: its button and its content. */
import type { ComponentChildren } from 'preact';
import { useDisclosure } from '../state/context';
import { ChevronIcon } from '../base/icons';

interface Props {
  /** Unique in the session. */
  readonly name: string;
  readonly label: ComponentChildren;
  /** The button's name when it is not the text of `label`. */
  readonly spoken?: string | undefined;
  readonly open?: boolean;
  readonly class?: string;
  /** Rendered only while open. */
  readonly children: () => ComponentChildren;
}

export function Disclosure({ name, label, spoken, open: initially = false, class: className = '', children }: Props) {
  const [open, setOpen] = useDisclosure(name, initially);
  return (
    <div class={`fold ${className}`}>
      <button type="button" class="fold-button" aria-expanded={open} aria-label={spoken} onClick={() => setOpen(!open)}>
        <ChevronIcon />
        {label}
      </button>
      {open && <div class="fold-body">{children()}</div>}
    </div>
  );
}
