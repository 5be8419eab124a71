/** The language tools of the editor's MCP server, bound to VS Code, and the problems after an agent's edits. Loaded with the server. */
import { converter } from '../../../application/editor/lspConverter';
import { watchEdits } from '../../../application/mcp/editWatch';
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import { AfterEdits } from '../../../mcp/editor/afterEdits';
import { newProblemsText } from '../../../mcp/editor/problemText';
import { mayNameProblems, reportingProblems } from '../../../mcp/editor/problemReport';
import type { EditorTool, ToolSession } from '../../../mcp/editor/tool';
import { editTools } from '../../../mcp/editor/tools/edits';
import { informationTools } from '../../../mcp/editor/tools/information';
import { navigationTools } from '../../../mcp/editor/tools/navigation';
import { problemTools } from '../../../mcp/editor/tools/problems';
import { symbolTools } from '../../../mcp/editor/tools/symbols';
import type { Session } from '../../../session/session';
import type { CleanTexts } from '../../editor/cleanTexts';
import { EditorBuffers } from '../../editor/editorBuffers';
import { readProblemsAfterEdits } from '../../settings/problemsAfterEdits';
import { LanguageEdits } from './languageEdits';

export interface LanguageToolsDependencies {
  readonly clock: Clock;
  readonly cleanTexts: CleanTexts;
  /** Undefined for a session that has ended. */
  session(key: string): Session | undefined;
  /** Marks the changes of a document as those of the agent that writes it, until the returned function is called. */
  writes(realPath: string): (() => void) | undefined;
}

export interface LanguageTools extends Disposable {
  readonly tools: readonly EditorTool[];
  /** Adds the new problems of files that the agent wrote to the answers of these tools. */
  reporting(tools: readonly EditorTool[]): readonly EditorTool[];
  /** Follows the files that the session's agent writes. Called before its first turn. Dispose of it with the session. */
  follow(session: Session): Disposable;
}

export function languageTools(deps: LanguageToolsDependencies): LanguageTools {
  const buffers = new EditorBuffers(deps.cleanTexts, (path) => deps.writes(path));
  const port: LanguageEdits = new LanguageEdits({
    buffers,
    converter,
    session: (key) => deps.session(key),
    writes: (path) => deps.writes(path),
    afterEdits: () => afterEdits,
  });
  const toolSession = (key: string): ToolSession | undefined => {
    const session = deps.session(key);
    return session && { key, agentId: session.agentId, agentName: session.agentName, roots: session.roots };
  };
  const afterEdits = new AfterEdits(port, deps.clock, mayNameProblems(port, toolSession));
  const tools = [
    ...problemTools(port, afterEdits),
    ...symbolTools(port),
    ...navigationTools(port),
    ...informationTools(port),
    ...editTools(port),
  ];
  return {
    tools,
    reporting: (all) => reportingProblems(all, afterEdits, () => readProblemsAfterEdits() !== 'off'),
    follow: (session) => {
      const watch = watchEdits(session, afterEdits);
      session.problems = {
        take: () => {
          const found = readProblemsAfterEdits() === 'toolsAndPrompt' ? afterEdits.take(session.key) : [];
          const text = newProblemsText(session.roots.cwd, found);
          return text === undefined
            ? undefined
            : { content: [{ type: 'text', text }], markUnsent: () => afterEdits.untake(session.key, found) };
        },
      };
      return {
        dispose: () => {
          watch.dispose();
          session.problems = undefined;
        },
      };
    },
    dispose: () => {
      afterEdits.dispose();
      port.dispose();
    },
  };
}
