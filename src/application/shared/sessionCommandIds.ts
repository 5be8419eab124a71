/**
 * Commands of the sessions view and of features that open sessions. Activation registers them from package.json, without this file. Their code is
 * loaded with the first of them.
 */

const sessionCommandNames = [
  'openSessionRow',
  'openSessionToSide',
  'renameSession',
  'stopSession',
  'pinSession',
  'unpinSession',
  'archiveSession',
  'unarchiveSession',
  'markSessionRead',
  'markSessionUnread',
  'copySessionId',
  'revealSessionFolder',
  'exportSession',
  'refreshSessions',
  'filterSessions',
  'searchSessions',
  'groupSessionsByState',
  'groupSessionsByFolder',
  'groupSessionsByAgent',
  'newLastSession',
  'newSessionWith',
  'newDemoSession',
  'newSessionInFolder',
  'goToWaitingSession',
  'showWaitingQuestions',
  // The buttons of a row. VS Code passes the same arguments for a menu item, so the id distinguishes them.
  'stopSessionButton',
  'pinSessionButton',
  'unpinSessionButton',
  'archiveSessionButton',
  'unarchiveSessionButton',
] as const;
export type SessionCommandName = (typeof sessionCommandNames)[number];
/** The ids by the name used in code. */
export const sessionCommands = Object.fromEntries(sessionCommandNames.map((name) => [name, `acpHost.${name}`])) as {
  readonly [Name in SessionCommandName]: `acpHost.${Name}`;
};
