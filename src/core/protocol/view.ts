/**
 * The messages between the extension host and a session's view: two closed unions, each of the messages that the channels declare. Only the host
 * decides; the view mirrors its state. Messages of the view, {@link FromView}, are `unknown` on arrival and are checked by `parseIntent`.
 */
export type { MenuAction, ViewAction } from './channels/actions';
export type { ChatLocation } from './channels/chatLocation';
export type { UnsentPrompt } from './channels/drafts';
export type { BulkField, StateSnapshot } from './channels/feed';
export type { FileReference } from './channels/links';
export type { LiveMention, MentionKind, MentionRow, SendWith } from './channels/mentions';
export type { StartPage } from './channels/start';
export type { FromView, ToView } from './intent';

/** A value too large to send without a request. The view shows `head` and requests the rest with the message `bulk`. */
export interface Bulk {
  readonly bulk: true;
  /** UTF-16 units of the JSON (or the text) that stayed in the host. */
  readonly length: number;
  readonly head: string;
  /** The field `description` of a raw input, which the agent may send as a content, too. */
  readonly description?: string;
}

export function isBulk(value: unknown): value is Bulk {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as Partial<Bulk>).bulk === true &&
    typeof (value as Partial<Bulk>).head === 'string'
  );
}
