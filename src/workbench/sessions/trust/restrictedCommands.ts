/** The commands of Restricted Mode. Loaded with the first command there. */

/**
 * The commands that work in Restricted Mode, by name. They read what is stored outside of the workspace, change the user's settings, or arrange windows.
 * Every other command offers to trust the workspace instead, so that a new command is restricted until it is listed here.
 */
export const RESTRICTED_COMMANDS: ReadonlySet<string> = new Set([
  'openSession',
  'openSessionRow',
  'openSessionToSide',
  'openSessionToSideButton',
  'searchSessions',
  'filterSessions',
  'refreshSessions',
  'groupSessionsByState',
  'groupSessionsByFolder',
  'groupSessionsByAgent',
  'pinSession',
  'unpinSession',
  'archiveSession',
  'unarchiveSession',
  'markSessionRead',
  'markSessionUnread',
  'copySessionId',
  'findInConversation',
  'copyConversation',
  'exportConversation',
  'exportSession',
  'openAsDocument',
  'showAccessibilityHelp',
  'showLog',
  'showProtocolLog',
  'openSettings',
  'addAgent',
  'selectDefaultAgent',
  'selectChatLocation',
  'moveToSideBar',
  'moveToEditor',
  'openInNewWindow',
  'keepOpen',
  'manageTrustedFolders',
  'manageWorkspaceTrust',
  'forgetSignInValues',
]);
