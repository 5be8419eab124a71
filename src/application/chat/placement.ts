/** Chooses the surface that shows a session to be opened. Pure. */
import type { ChatLocation } from '../../core/protocol/view';

/** The approximate maximum of UTF-16 units in a tab's title. */
export const MAX_TITLE = 30;

export interface OpenOptions {
  /** The requested location, even when the session is shown elsewhere. Without it: the session's current location, or else the setting's. */
  readonly where?: ChatLocation | 'window';
  /** Opens the session as a preview: in an editor group, the next preview takes its panel. */
  readonly preview?: boolean;
  /** Leaves the keyboard focus where it is. */
  readonly preserveFocus?: boolean;
  /** Opens in the editor group beside the active one. */
  readonly beside?: boolean;
}

export interface PlacementFacts extends Pick<OpenOptions, 'where' | 'preview'> {
  /** The location that shows the session now. */
  readonly shownIn: ChatLocation | undefined;
  /** `acpHost.chat.location` */
  readonly location: ChatLocation;
  /** True when a panel shows a previewed session. */
  readonly hasPreview: boolean;
}

export interface Placement {
  /**
   * `reveal`: its surface comes to the front. `reuse`: the preview panel shows it in place of its session. `panel`: a new panel. `sideBar`: the
   * chat view.
   */
  readonly act: 'reveal' | 'reuse' | 'panel' | 'sideBar';
  /** True for a panel that the next previewed session may take. */
  readonly preview: boolean;
  /** True when the current surface must release the session. */
  readonly leaves: boolean;
}

/** Returns the placement. A session is shown by one surface only. */
export function placementOf({ shownIn, where, location, preview = false, hasPreview }: PlacementFacts): Placement {
  const place: ChatLocation = where === undefined ? (shownIn ?? location) : where === 'window' ? 'editor' : where;
  if (place === shownIn) {
    return { act: 'reveal', preview: preview && where !== 'window', leaves: false };
  }
  const leaves = shownIn !== undefined;
  if (place === 'sideBar') {
    return { act: 'sideBar', preview: false, leaves };
  }
  // A session that the user moves on purpose is not a preview.
  const isPreview = preview && !leaves && where !== 'window';
  return { act: isPreview && hasPreview ? 'reuse' : 'panel', preview: isPreview, leaves };
}
