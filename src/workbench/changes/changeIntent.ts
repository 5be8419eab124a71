import type { FromView } from '../../core/protocol/view';

/** What a page asks for that has to do with changes. */
export type ChangeIntent = Extract<FromView, { readonly type: 'change_report' | 'restore_checkpoint' | 'open_turn_file' }>;
