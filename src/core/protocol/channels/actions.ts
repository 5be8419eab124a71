/**
 * The buttons of failures and footers, and menu items. The host checks whether the action is possible now. An action that names no rule is refused for
 * a replayed log and in Restricted Mode.
 */
import { literal } from '../../schema/schema';
import { message } from '../messages/channel';

interface ActionRules {
  /**
   * Accepts the action for a replayed log, possibly as another action. Only actions that do not need the session's own agent are accepted. Those that
   * start an agent ask for the folder.
   */
  readonly recorded?: true | 'continue_in_new';
  /** Accepts the action in Restricted Mode. `new_session` and `trust_folder` offer to trust the workspace. */
  readonly restricted?: true;
}

/** Menu items of the page that run a VS Code command on the session in front. */
const MENU_ACTIONS = {
  open_instructions: { recorded: true, restricted: true },
  new_session_with: { recorded: true },
  rename_session: {},
  pin_session: {},
  unpin_session: {},
  archive_session: {},
  unarchive_session: {},
  move_to_side_bar: {},
  move_to_editor: {},
  new_in_worktree: {},
  finish_sign_in: {},
  save_preset: {},
  use_preset: {},
  restore_checkpoint: {},
} as const;

const ACTIONS = {
  ...MENU_ACTIONS,
  retry: {},
  restart: {},
  cancel_start: {},
  show_log: { recorded: true, restricted: true },
  open_settings: { recorded: true, restricted: true },
  add_agent: { recorded: true, restricted: true },
  new_session: { recorded: true, restricted: true },
  session_history: { recorded: true, restricted: true },
  browse_agent_history: {},
  change_folders: {},
  copy_conversation: { recorded: true, restricted: true },
  export_conversation: { recorded: true, restricted: true },
  show_protocol_log: { recorded: true },
  share_session: {},
  end_session: {},
  continue_in_new: { recorded: true },
  continue_with: { recorded: true },
  fork: { recorded: true },
  restart_agent: {},
  show_agent: { restricted: true },
  trust_folder: { restricted: true },
  continue_here: {},
  follow_agent: { recorded: true },
  review_session: {},
  reconnect: {},
  // A log cannot be resumed: its conversation continues in a new session.
  resume: { recorded: 'continue_in_new' },
  sign_in: {},
  sign_out: {},
  switch_account: {},
  configure_endpoints: {},
  forget_sign_in: {},
  install_node: { recorded: true },
  roll_back: {},
  try_demo: { recorded: true },
} as const satisfies Readonly<Record<string, ActionRules>>;

export type ViewAction = keyof typeof ACTIONS;
export type MenuAction = keyof typeof MENU_ACTIONS;
export const VIEW_ACTIONS = Object.keys(ACTIONS) as ViewAction[];

const rulesOf = (action: ViewAction): ActionRules => ACTIONS[action];

export const actions = {
  takes: {
    action: message(
      { action: literal(...VIEW_ACTIONS) },
      {
        recorded: (requested: { readonly action: ViewAction }): { readonly action: ViewAction } | undefined => {
          const { recorded } = rulesOf(requested.action);
          return recorded === true ? requested : recorded && { action: recorded };
        },
        restricted: ({ action }: { readonly action: ViewAction }) => rulesOf(action).restricted === true,
        withoutSession: true,
      },
    ),
  },
};
