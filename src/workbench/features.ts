/** The list of features that take messages of the page. A new feature adds a line. */
export { actionsFeature } from './features/actions';
export { changesFeature } from './features/changes';
export { chatLocationFeature } from './features/chatLocation';
export { codeFeature } from './features/code';
export { draftsFeature } from './features/drafts';
export { elicitationFeature } from './features/elicitation';
export { findFeature } from './features/find';
export { linksFeature } from './features/links';
export { mentionsFeature } from './features/mentions';
export { permissionFeature } from './features/permission';
export { preferencesFeature } from './features/preferences';
export { promptFeature } from './features/prompt';
export { queueFeature } from './features/queue';
export { signInFeature } from './features/signIn';
export { startFeature } from './features/start';
export { subagentsFeature } from './features/subagents';
export { terminalFeature } from './features/terminal';
