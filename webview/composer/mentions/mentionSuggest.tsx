/** The list of mentions for a message box that draws before it is loaded: what the box needs of it, it is told. */
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Draft } from '../../draft';
import { MentionList } from './mentionList';
import { useMentions } from './useMentions';

/** What the message box asks of the list. */
export interface MentionControls {
  /** True when the key was for the list. */
  onKeyDown(event: KeyboardEvent): boolean;
}

export type TextAttributes = Readonly<Record<string, string | undefined>>;

interface Props {
  readonly draft: Draft;
  readonly caret: number;
  readonly area: RefObject<HTMLTextAreaElement>;
  readonly controls: { current: MentionControls | undefined };
  /** Hears the attributes of the text while the list is there. */
  onAttributes(attributes: TextAttributes): void;
}

export function MentionSuggest({ draft, caret, area, controls, onAttributes }: Props) {
  const suggestions = useMentions(draft, caret, area);
  const { textAttributes } = suggestions;
  controls.current = suggestions;
  const active = textAttributes['aria-activedescendant'];
  useLayoutEffect(() => onAttributes(textAttributes), [active]);
  return <MentionList suggestions={suggestions} />;
}
