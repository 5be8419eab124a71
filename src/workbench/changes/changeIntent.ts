import type { FromView } from '../../core/protocol/view';

/** The page's requests about changes. */
export type ChangeIntent = Extract<
  FromView,
  { readonly type: 'change_report' | 'review_changes' | 'restore_checkpoint' | 'open_turn_file' }
>;
