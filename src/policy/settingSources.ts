/** The rules that follow from the settings `acpHost.askBeforeCommands` and the review of changes before they are written, and from the editor's tools. */
import type { AskBeforeCommands } from './askBeforeCommands';
import type { Rule, RuleSource } from './rule';

const ALWAYS: Rule = {
  id: 'askBeforeCommands:always',
  effect: 'ask',
  match: { kinds: ['command'] },
  reason: { code: 'ask_before_commands' },
  origin: 'setting',
};
const UNLESS_PERMITTED: Rule = { ...ALWAYS, id: 'askBeforeCommands:unlessPermitted', reason: { code: 'unasked_command' } };

const REVIEW: Rule = {
  id: 'reviewChanges',
  effect: 'ask',
  match: { kinds: ['change'] },
  reason: { code: 'review_changes' },
  origin: 'setting',
};

const EDITOR_TOOL: Rule = {
  id: 'editorTools',
  effect: 'ask',
  match: { kinds: ['mcp'] },
  reason: { code: 'editor_tool', params: { text: 'acpHost.editorTools' } },
  origin: 'setting',
};

/** Every tool of the editor that changes or runs something asks. */
export const editorToolSource: RuleSource = {
  rulesFor: ({ parts }) => (parts.some((part) => part.kind === 'mcp' && part.isReadOnly === false) ? [EDITOR_TOOL] : []),
};

/** @param isPermitted true in a turn in which the user has allowed a request of the agent */
export function askBeforeCommandsSource(asking: () => AskBeforeCommands, isPermitted: () => boolean): RuleSource {
  return {
    rulesFor: ({ parts }) => {
      const setting = parts.some(({ kind }) => kind === 'command') ? asking() : 'never';
      return setting === 'always' ? [ALWAYS] : setting === 'unlessPermitted' && !isPermitted() ? [UNLESS_PERMITTED] : [];
    },
  };
}

/** @param isReviewed true while changes wait for the user before they are written */
export function reviewSource(isReviewed: () => Promise<boolean>): RuleSource {
  return {
    rulesFor: async ({ parts }) => (parts.some(({ kind }) => kind === 'change') && (await isReviewed()) ? [REVIEW] : []),
  };
}
