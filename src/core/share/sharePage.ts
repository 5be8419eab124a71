/** The messages between the extension host and the page of a sharing. The host makes the words and sends the whole state after each change. */
import { type Infer, literal, object, optional, string } from '../schema/schema';

const ACTIONS = [
  'copy_link',
  'copy_token',
  'copy_settings',
  'hide_token',
  'new_answer',
  'new_read',
  'revoke',
  'disconnect',
  'show_session',
  'stop_session',
  'stop_sharing',
] as const;
export type ShareAction = (typeof ACTIONS)[number];

/** A row with its button. All texts are on one line and safe to display. */
export interface ShareRow {
  readonly key: string;
  readonly name: string;
  readonly about: string;
}

/** A token, shown once. */
export interface ShownInvitation {
  readonly about: string;
  readonly token: string;
  readonly link: string;
  /** The rows of the QR code: `1` for a dark module. Absent for an address of this computer, which no phone can reach. */
  readonly code?: readonly string[];
}

export interface ShareState {
  readonly type: 'share';
  /** Absent while nothing is shared. */
  readonly url?: string;
  /** The fingerprint of the certificate, in groups. */
  readonly fingerprint?: string;
  readonly about: string;
  readonly invitation?: ShownInvitation;
  readonly sessions: readonly ShareRow[];
  readonly clients: readonly ShareRow[];
  readonly accesses: readonly ShareRow[];
}

/** The message of the page. `key`: the row's. */
export const fromSharePage = object({ action: literal(...ACTIONS), key: optional(string({ min: 1, max: 200 })) });
export type FromSharePage = Infer<typeof fromSharePage>;
