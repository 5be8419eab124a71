/** The tools that an agent gets by the settings `acpHost.editorTools` and `acpHost.editorToolCategories`. */
import { CATEGORIES, type EditorTool, type ToolCategory } from '../../mcp/editor/tool';
import type { EditorToolsMode } from './editorToolsSetting';

/** Returns the tools that an agent gets. @param categories the user's own value, not validated: false switches a category off */
export function toolsFor(tools: readonly EditorTool[], mode: EditorToolsMode, categories: unknown): readonly EditorTool[] {
  const switches = typeof categories === 'object' && categories !== null ? (categories as Readonly<Record<string, unknown>>) : {};
  const off = new Set<ToolCategory>(CATEGORIES.filter((category) => Object.hasOwn(switches, category) && switches[category] === false));
  return mode === 'off' ? [] : tools.filter(({ category, isReadOnly }) => !off.has(category) && (mode === 'all' || isReadOnly));
}
