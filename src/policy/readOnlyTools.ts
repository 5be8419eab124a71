/** The rule that answers an agent's own questions about tools of the editor that only read. The user has agreed to them by the setting. */
import { EDITOR_SERVER } from '../core/mcp/mcpServer';
import type { RequestPart, Rule, RuleSource } from './rule';

const AGREED: Rule = {
  id: 'editorTools',
  effect: 'allow',
  match: {},
  reason: { code: 'editor_tool', params: { text: 'acpHost.editorTools' } },
  origin: 'setting',
  // A rule of the user that asks, and a protected file, still need an answer.
  answers: ['agent'],
};

/** @param tools the names of the tools in this session */
export function readOnlyToolSource(tools: () => ReadonlySet<string>): RuleSource {
  return { rulesFor: ({ parts }) => (isOfTool(parts, tools) ? [AGREED] : []) };
}

/** True when the request is about one of the tools, and describes nothing else that would be done. Its input may name a file to read. */
function isOfTool([first, ...others]: readonly RequestPart[], tools: () => ReadonlySet<string>): boolean {
  const isTool = first?.kind === 'mcp' && first.isCertain && first.server === EDITOR_SERVER && tools().has(first.mcpTool);
  return isTool && others.every((part) => part.kind === 'read' || ('isTitle' in part && part.isTitle === true));
}
