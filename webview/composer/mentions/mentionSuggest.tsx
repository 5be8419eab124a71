/** The suggestions of mentions for a message box that renders before this module is loaded. Registers its controls with the box. */
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Draft } from '../../state/draft';
import { MentionList } from './mentionList';
import { useMentions } from './useMentions';

/** The functions of the list that the message box calls. */
export interface MentionControls {
  /** True when the list used the key. */
  onKeyDown(event: KeyboardEvent): boolean;
}

export type TextAttributes = Readonly<Record<string, string | undefined>>;

interface Props {
  readonly draft: Draft;
  readonly caret: number;
  readonly area: RefObject<HTMLTextAreaElement>;
  readonly controls: { current: MentionControls | undefined };
  /** Called with the text area's attributes while the list is mounted. */
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
