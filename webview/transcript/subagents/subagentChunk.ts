/** Subagents, and the messages between sessions; see `chunks.ts`. */
export { SessionMessageView } from './sessionMessage';
export { SubagentView } from './subagentCard';
