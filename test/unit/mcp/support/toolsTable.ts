/** The table of all tools of the editor's server in docs/mcp.md, from their code. */
import { AfterEdits } from '../../../../src/mcp/editor/afterEdits';
import { CATEGORIES, type EditorTool, type ToolCategory } from '../../../../src/mcp/editor/tool';
import { breakpointTools } from '../../../../src/mcp/editor/tools/breakpoints';
import { debuggingTools } from '../../../../src/mcp/editor/tools/debugging';
import { editorTools } from '../../../../src/mcp/editor/tools/editors';
import { editTools } from '../../../../src/mcp/editor/tools/edits';
import { informationTools } from '../../../../src/mcp/editor/tools/information';
import { inspectingTools } from '../../../../src/mcp/editor/tools/inspecting';
import { navigationTools } from '../../../../src/mcp/editor/tools/navigation';
import { notebookTools } from '../../../../src/mcp/editor/tools/notebooks';
import { problemTools } from '../../../../src/mcp/editor/tools/problems';
import { searchTools } from '../../../../src/mcp/editor/tools/search';
import { symbolTools } from '../../../../src/mcp/editor/tools/symbols';
import { taskTools } from '../../../../src/mcp/editor/tools/tasks';
import { terminalTools } from '../../../../src/mcp/editor/tools/terminals';
import { testTools } from '../../../../src/mcp/editor/tools/tests';
import { userTools } from '../../../../src/mcp/editor/tools/user';
import { systemClock } from '../../../../src/util/clock';

/** A port that no tool uses while it is made. */
const PORT = { onDidChange: () => ({ dispose: () => undefined }) } as never;

/** Returns every tool but those of other extensions, which the window adds. */
export function allTools(): readonly EditorTool[] {
  return [
    ...problemTools(PORT, new AfterEdits(PORT, systemClock)),
    ...symbolTools(PORT),
    ...navigationTools(PORT),
    ...informationTools(PORT),
    ...editTools(PORT),
    ...searchTools(PORT),
    ...editorTools(PORT),
    ...taskTools(PORT),
    ...terminalTools(PORT),
    ...breakpointTools(PORT),
    ...debuggingTools(PORT),
    ...inspectingTools(PORT),
    ...testTools(PORT),
    ...notebookTools(PORT),
    ...userTools(PORT),
  ];
}

export function toolsTable(): string {
  const tools = allTools();
  const row = (category: ToolCategory, index: number, { name, isReadOnly, description, timeout }: EditorTool): string => {
    // The first clause: the rest is for models.
    const first = `${(/^[\s\S]*?(?=[.:](?:\s|$))/.exec(description)?.[0] ?? description).trim()}.`;
    return `| ${index === 0 ? category : ''} | \`${name}\` | ${isReadOnly ? '' : 'yes'} | ${timeout / 1000} s | ${first.replaceAll('|', '\\|')} |`;
  };
  const rows = CATEGORIES.flatMap((category) =>
    tools.filter((tool) => tool.category === category).map((tool, index) => row(category, index, tool)),
  );
  const extensions =
    '| extensions | by their names | yes | as in the extension | The tools that other extensions register for language models, each after you have selected it. |';
  return ['| group | tool | asks | time limit | content |', '|---|---|---|---|---|', ...rows, extensions].join('\n');
}
