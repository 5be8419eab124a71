/** Which surface shows a session that is to be opened. Pure. */
import type { ChatLocation } from '../../core/protocol/view';

/** UTF-16 units of a tab's title, about. */
export const MAX_TITLE = 60;

/** A panel is the content of an editor tab; the side bar has one view for all sessions. */
export type Place = ChatLocation;

export interface OpenOptions {
  /** Where the user wants it, also when it is shown elsewhere; without it: where it is, else where the setting says. */
  readonly where?: Place | 'window';
  /** It is only looked at: among editors the next one that is only looked at takes its panel. */
  readonly preview?: boolean;
  /** The keyboard stays where it is. */
  readonly preserveFocus?: boolean;
  /** In the editor group beside the one in front. */
  readonly beside?: boolean;
}

export interface PlacementFacts extends Pick<OpenOptions, 'where' | 'preview'> {
  /** Where the session is shown now. */
  readonly shownIn: Place | undefined;
  /** `acpHost.chat.location` */
  readonly location: Place;
  /** There is a panel whose session was only looked at. */
  readonly hasPreview: boolean;
}

export interface Placement {
  /** reveal: what shows it comes to the front; reuse: the preview panel shows it, in place of its session; panel: a new one; sideBar: the view shows it. */
  readonly act: 'reveal' | 'reuse' | 'panel' | 'sideBar';
  /** Only of a panel: the next session that is only looked at may take it. */
  readonly preview: boolean;
  /** The surface that shows it now lets go of it. */
  readonly leaves: boolean;
}

/** One session is shown in one place. */
export function placementOf({ shownIn, where, location, preview = false, hasPreview }: PlacementFacts): Placement {
  const place: Place = where === undefined ? (shownIn ?? location) : where === 'window' ? 'editor' : where;
  if (place === shownIn) {
    return { act: 'reveal', preview: preview && where !== 'window', leaves: false };
  }
  const leaves = shownIn !== undefined;
  if (place === 'sideBar') {
    return { act: 'sideBar', preview: false, leaves };
  }
  // What is moved on purpose is more than looked at.
  const isPreview = preview && !leaves && where !== 'window';
  return { act: isPreview && hasPreview ? 'reuse' : 'panel', preview: isPreview, leaves };
}
