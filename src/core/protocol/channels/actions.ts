/**
 * The buttons of failures and footers, and menu items. The host checks whether the action is possible now. An action that names no rule is refused for
 * a replayed log and in Restricted Mode.
 */
import { literal } from '../../model/schema';
import { message } from '../channel';

interface ActionRules {
  /** True for a menu item of the page that runs a VS Code command on the session in front. */
  readonly isMenu?: true;
  /**
   * Accepts the action for a replayed log, possibly as another action. Only actions that do not need the session's own agent are accepted. Those that
   * start an agent ask for the folder.
   */
  readonly recorded?: true | 'continue_in_new';
  /** Accepts the action in Restricted Mode. `new_session` and `trust_folder` offer to trust the workspace. */
  readonly restricted?: true;
}

const ACTIONS = {
  new_session_with: { isMenu: true, recorded: true },
  rename_session: { isMenu: true },
  pin_session: { isMenu: true },
  unpin_session: { isMenu: true },
  archive_session: { isMenu: true },
  unarchive_session: { isMenu: true },
  move_to_side_bar: { isMenu: true },
  move_to_editor: { isMenu: true },
  new_in_worktree: { isMenu: true },
  restore_checkpoint: { isMenu: true },
  retry: {},
  restart: {},
  cancel_start: {},
  show_log: { recorded: true, restricted: true },
  open_settings: { recorded: true, restricted: true },
  add_agent: { recorded: true, restricted: true },
  new_session: { recorded: true, restricted: true },
  session_history: { recorded: true, restricted: true },
  change_folders: {},
  copy_conversation: { recorded: true, restricted: true },
  export_conversation: { recorded: true, restricted: true },
  show_protocol_log: { recorded: true },
  end_session: {},
  continue_in_new: { recorded: true },
  continue_with: { recorded: true },
  fork: { recorded: true },
  restart_agent: {},
  trust_folder: { restricted: true },
  continue_here: {},
  follow_agent: { recorded: true },
  review_session: {},
  // A log cannot be resumed: its conversation continues in a new session.
  resume: { recorded: 'continue_in_new' },
  sign_in: {},
  sign_out: {},
  forget_sign_in: {},
  install_node: { recorded: true },
  try_demo: { recorded: true },
} as const satisfies Readonly<Record<string, ActionRules>>;

type Actions = typeof ACTIONS;
export type ViewAction = keyof Actions;
export type MenuAction = { [Name in ViewAction]: Actions[Name] extends { readonly isMenu: true } ? Name : never }[ViewAction];
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
