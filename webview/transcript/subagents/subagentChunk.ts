/** Subagents, and the messages between sessions; see `app/chunks.ts`. */
export { SessionMessageView } from './sessionMessage';
export { SubagentView } from './subagentCard';
