/**
 * Every id shared with package.json, in one place. test/unit/manifest.test.ts checks both ways that they are the same.
 */

/** Commands, by the name used in code. */
export const commands = {
  newSession: 'acpHost.newSession',
  newAgentSession: 'acpHost.newAgentSession',
  openSession: 'acpHost.openSession',
  openAgentSession: 'acpHost.openAgentSession',
  deleteSession: 'acpHost.deleteSession',
  changeFolders: 'acpHost.changeFolders',
  manageTrustedFolders: 'acpHost.manageTrustedFolders',
  forkSession: 'acpHost.forkSession',
  continueWithAnotherAgent: 'acpHost.continueWithAnotherAgent',
  restartAgent: 'acpHost.restartAgent',
  endSession: 'acpHost.endSession',
  answerPermission: 'acpHost.answerPermission',
  previousAnswer: 'acpHost.previousAnswer',
  nextAnswer: 'acpHost.nextAnswer',
  stopTurn: 'acpHost.stopTurn',
  showLog: 'acpHost.showLog',
  showProtocolLog: 'acpHost.showProtocolLog',
  exportProtocolLog: 'acpHost.exportProtocolLog',
  replayLog: 'acpHost.replayLog',
  openSettings: 'acpHost.openSettings',
  selectDefaultAgent: 'acpHost.selectDefaultAgent',
  attachProblems: 'acpHost.attachProblems',
  attachFiles: 'acpHost.attachFiles',
  addToChat: 'acpHost.addToChat',
  applyCode: 'acpHost.applyCode',
  discardCode: 'acpHost.discardCode',
  findInConversation: 'acpHost.findInConversation',
  copyConversation: 'acpHost.copyConversation',
  exportConversation: 'acpHost.exportConversation',
  openAsDocument: 'acpHost.openAsDocument',
  showAccessibilityHelp: 'acpHost.showAccessibilityHelp',
  signIn: 'acpHost.signIn',
  signOut: 'acpHost.signOut',
  forgetSignInValues: 'acpHost.forgetSignInValues',
} as const;

/** The section all our settings are in, as `workspace.getConfiguration` takes it. */
export const settingsSection = 'acpHost';

/** Settings, by their full key. */
export const settings = {
  agents: 'acpHost.agents',
  defaultAgent: 'acpHost.defaultAgent',
  maxMessageSize: 'acpHost.maxMessageSize',
  protectedPaths: 'acpHost.protectedPaths',
  askBeforeCommands: 'acpHost.askBeforeCommands',
  maxJournalSize: 'acpHost.journal.maxSize',
  permissionsPresent: 'acpHost.permissions.present',
  fontSize: 'acpHost.chat.fontSize',
  fontFamily: 'acpHost.chat.fontFamily',
  notifyOnTurnEnd: 'acpHost.notifyOnTurnEnd',
} as const;

/** Context keys that `when` clauses in package.json read; all boolean. */
export const contextKeys = {
  /** At least one session is live. */
  hasSessions: 'acpHost.hasSessions',
  /** A permission request waits for the user. */
  needsAnswer: 'acpHost.needsAnswer',
  /** The quick pick of a session's permission request is open. */
  permissionPick: 'acpHost.sessionPermissionPick',
} as const;

/** Webview panel types; `activeWebviewPanelId` and `onWebviewPanel:` speak of the same. */
export const viewTypes = {
  session: 'acpHost.session',
} as const;

/** Texts that a block of code would make of a file; the resource scheme that `when` clauses read. */
export const codeScheme = 'acp-host-code';
