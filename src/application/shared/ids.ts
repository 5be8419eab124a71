/** Every id shared with package.json, in one place. test/unit/manifest.test.ts checks that both sides are equal. */

/** Commands, by the name used in code. */
export const commands = {
  newSession: 'acpHost.newSession',
  newAgentSession: 'acpHost.newAgentSession',
  newSessionInWorktree: 'acpHost.newSessionInWorktree',
  manageWorktrees: 'acpHost.manageWorktrees',
  compareAgents: 'acpHost.compareAgents',
  toggleFollowAgent: 'acpHost.toggleFollowAgent',
  cycleMode: 'acpHost.cycleMode',
  setPermissionMode: 'acpHost.setPermissionMode',
  showPermissionAudit: 'acpHost.showPermissionAudit',
  openSession: 'acpHost.openSession',
  openAgentSession: 'acpHost.openAgentSession',
  deleteSession: 'acpHost.deleteSession',
  changeFolders: 'acpHost.changeFolders',
  importPermissionRules: 'acpHost.importPermissionRules',
  manageTrustedFolders: 'acpHost.manageTrustedFolders',
  manageWorkspaceTrust: 'acpHost.manageWorkspaceTrust',
  forkSession: 'acpHost.forkSession',
  continueWithAnotherAgent: 'acpHost.continueWithAnotherAgent',
  shareSession: 'acpHost.shareSession',
  stopSharing: 'acpHost.stopSharing',
  restartAgent: 'acpHost.restartAgent',
  endSession: 'acpHost.endSession',
  answerPermission: 'acpHost.answerPermission',
  previousAnswer: 'acpHost.previousAnswer',
  nextAnswer: 'acpHost.nextAnswer',
  stopTurn: 'acpHost.stopTurn',
  showLog: 'acpHost.showLog',
  showProtocolLog: 'acpHost.showProtocolLog',
  exportProtocolLog: 'acpHost.exportProtocolLog',
  openInspector: 'acpHost.openInspector',
  replayLog: 'acpHost.replayLog',
  openSettings: 'acpHost.openSettings',
  selectDefaultAgent: 'acpHost.selectDefaultAgent',
  addAgent: 'acpHost.addAgent',
  runAgentOnHost: 'acpHost.runAgentOnHost',
  browseAgents: 'acpHost.browseAgents',
  showRunningAgents: 'acpHost.showRunningAgents',
  testAgent: 'acpHost.testAgent',
  addAccount: 'acpHost.addAccount',
  importAgents: 'acpHost.importAgents',
  reviewWorkspaceAgents: 'acpHost.reviewWorkspaceAgents',
  savePreset: 'acpHost.savePreset',
  usePreset: 'acpHost.usePreset',
  configureEndpoints: 'acpHost.configureEndpoints',
  attachProblems: 'acpHost.attachProblems',
  attachFiles: 'acpHost.attachFiles',
  addToChat: 'acpHost.addToChat',
  addEditor: 'acpHost.addEditor',
  addChanges: 'acpHost.addChanges',
  addTerminalOutput: 'acpHost.addTerminalOutput',
  addProblem: 'acpHost.addProblem',
  toggleActiveFileContext: 'acpHost.toggleActiveFileContext',
  toggleSelectionContext: 'acpHost.toggleSelectionContext',
  applyCode: 'acpHost.applyCode',
  discardCode: 'acpHost.discardCode',
  findInConversation: 'acpHost.findInConversation',
  copyConversation: 'acpHost.copyConversation',
  exportConversation: 'acpHost.exportConversation',
  openAsDocument: 'acpHost.openAsDocument',
  showAccessibilityHelp: 'acpHost.showAccessibilityHelp',
  signIn: 'acpHost.signIn',
  signOut: 'acpHost.signOut',
  finishSignIn: 'acpHost.finishSignIn',
  forgetSignInValues: 'acpHost.forgetSignInValues',
  chooseMcpServers: 'acpHost.chooseMcpServers',
  forgetMcpInputs: 'acpHost.forgetMcpInputs',
  signOutOfMcpServers: 'acpHost.signOutOfMcpServers',
  moveToSideBar: 'acpHost.moveToSideBar',
  moveToEditor: 'acpHost.moveToEditor',
  openInNewWindow: 'acpHost.openInNewWindow',
  keepOpen: 'acpHost.keepOpen',
  selectChatLocation: 'acpHost.selectChatLocation',
  chooseExtensionTools: 'acpHost.chooseExtensionTools',
} as const;

/** The key in `workspaceState` of the sessions whose agents outlive the window. */
export const keptSessionsKey = 'kept';

/** The key in `workspaceState` of the id of the window's sharing; see `SharingRecord`. */
export const sharingKey = 'sharing';

/** The section of all our settings, for `workspace.getConfiguration`. */
export const settingsSection = 'acpHost';

/** Settings, by their full key. */
export const settings = {
  agents: 'acpHost.agents',
  defaultAgent: 'acpHost.defaultAgent',
  presets: 'acpHost.presets',
  defaultPreset: 'acpHost.defaultPreset',
  maxMessageSize: 'acpHost.maxMessageSize',
  adapterExtensions: 'acpHost.adapterExtensions',
  closeIdleAgents: 'acpHost.closeIdleAgents',
  keepAgentsRunning: 'acpHost.keepAgentsRunning',
  keepAgentsHours: 'acpHost.keepAgentsHours',
  protectedPaths: 'acpHost.protectedPaths',
  askBeforeCommands: 'acpHost.askBeforeCommands',
  sandbox: 'acpHost.sandbox',
  shareCertificate: 'acpHost.share.certificate',
  shareCertificateKey: 'acpHost.share.certificateKey',
  sandboxNetwork: 'acpHost.sandboxNetwork',
  sandboxHosts: 'acpHost.sandboxHosts',
  sandboxWritable: 'acpHost.sandboxWritable',
  sandboxUnreadable: 'acpHost.sandboxUnreadable',
  maxJournalSize: 'acpHost.journal.maxSize',
  permissionsPresent: 'acpHost.permissions.present',
  permissionsAuditDays: 'acpHost.permissions.auditDays',
  permissionsRules: 'acpHost.permissions.rules',
  permissionsDeny: 'acpHost.permissions.deny',
  chatLocation: 'acpHost.chat.location',
  composerSendWith: 'acpHost.composer.sendWith',
  contextActiveFile: 'acpHost.context.activeFile',
  contextSelection: 'acpHost.context.selection',
  fontSize: 'acpHost.chat.fontSize',
  fontFamily: 'acpHost.chat.fontFamily',
  notifications: 'acpHost.notifications',
  notificationSound: 'acpHost.notificationSound',
  groupSessionsBy: 'acpHost.sessions.groupBy',
  followAgent: 'acpHost.followAgent',
  instructions: 'acpHost.instructions',
  mcpServers: 'acpHost.mcpServers',
  editorTools: 'acpHost.editorTools',
  editorToolCategories: 'acpHost.editorToolCategories',
  passMcpServers: 'acpHost.passMcpServers',
  traceContext: 'acpHost.traceContext',
  worktreesFolder: 'acpHost.worktrees.folder',
  problemsAfterEdits: 'acpHost.problemsAfterEdits',
  changesReview: 'acpHost.changes.review',
  changesMaxFileSize: 'acpHost.changes.maxFileSize',
  changesMaxSessionSize: 'acpHost.changes.maxSessionSize',
  changesHighlight: 'acpHost.changes.highlight',
  changesAutoKeep: 'acpHost.changes.autoKeep',
  changesAutoKeepDelay: 'acpHost.changes.autoKeepDelay',
  changesMaxTotalSize: 'acpHost.changes.maxTotalSize',
  checkpointsEnabled: 'acpHost.checkpoints.enabled',
  extensionTools: 'acpHost.extensionTools',
  registryUrls: 'acpHost.registry.urls',
} as const;

/** Context keys that `when` clauses in package.json read; all boolean. */
export const contextKeys = {
  /** At least one session is live. */
  hasSessions: 'acpHost.hasSessions',
  /** An agent has been ready in this window. */
  sessionStarted: 'acpHost.sessionStarted',
  /** An agent has started a session, in this window or before. */
  hasLastAgent: 'acpHost.hasLastAgent',
  /** A permission request waits for the user. */
  needsAnswer: 'acpHost.needsAnswer',
  /** The quick pick of a session's permission request is open. */
  permissionPick: 'acpHost.sessionPermissionPick',
  /** A session's page has the focus, in a panel or in a view. */
  sessionFocused: 'acpHost.sessionFocused',
  /** The chat view is on the screen and shows a session. */
  chatShowsSession: 'acpHost.chatShowsSession',
  /** An editor shows a session, in any window, visible or not. */
  chatInEditor: 'acpHost.chatInEditor',
  /** The active editor is the preview panel, which the next previewed session would take. */
  previewInFront: 'acpHost.previewInFront',
  /** This window shares sessions. */
  sharing: 'acpHost.sharing',
  /** Changes of some session wait for review. */
  hasChanges: 'acpHost.hasChanges',
  /** The active editor has changes that wait for review. */
  editorHasChanges: 'acpHost.editorHasChanges',
  /** The editor in front shows the changes of several files to review. */
  reviewInFront: 'acpHost.reviewInFront',
  /** A change waits to be accepted before it is written. */
  hasProposedChange: 'acpHost.hasProposedChange',
  /**
   * VS Code lets extensions put views into the secondary side bar. Before activation, the `when` clauses check a setting of the same version
   * instead.
   */
  secondarySideBar: 'acpHost.secondarySideBar',
} as const;

/** The key in `ExtensionContext.globalState` of the name of the agent that started a session last. */
export const lastAgentKey = 'lastAgent';

/** Webview panel types, also used by `activeWebviewPanelId` and `onWebviewPanel:`. */
export const viewTypes = {
  session: 'acpHost.session',
  /** The pages of agents. */
  agents: 'acpHost.agentPages',
} as const;

/** The inspector of an agent's messages. It is not restored with the window. */
export const inspectorViewType = 'acpHost.inspector';

/** Tree views. */
export const treeViews = {
  sessions: 'acpHost.sessions',
  permissionRules: 'acpHost.permissionRules',
} as const;

/** The chat view. A view has one location, so there are two views, of which one is offered (`when` in package.json). */
export const chatViews = {
  /** In the activity bar, for VS Code before 1.106. */
  primary: 'acpHost.chat',
  /** In the secondary side bar. */
  secondary: 'acpHost.chatSecondary',
} as const;

/** The schemes of all documents that the extension provides; `when` clauses read some of them. test/host/ownDocuments.test.ts checks each one. */
export const documentSchemes = {
  /** Earlier texts of files that wait for review. */
  baseline: 'acp-host-baseline',
  /** Versions of files that a session has stored. */
  version: 'acp-host-version',
  /** Texts that wait to be accepted before they are written. */
  proposal: 'acp-host-proposal',
  /** Plans, as sanitized Markdown. */
  plan: 'acp-host-plan',
  /** Texts of files with a code block applied. */
  code: 'acp-host-code',
  /** Texts embedded in a conversation. */
  content: 'acp-host-content',
  /** The two texts of an agent's change. */
  diff: 'acp-host-diff',
  /** Conversations, as sanitized Markdown, and the accessibility help. */
  transcript: 'acp-host-transcript',
  /** The permission audit, as plain text. */
  audit: 'acp-host-audit',
  /** Files of commits. */
  commit: 'acp-host-commit',
} as const;
export type DocumentScheme = (typeof documentSchemes)[keyof typeof documentSchemes];

export const codeScheme = documentSchemes.code;
