/** All tools of the editor's MCP server, bound to VS Code. Loaded when an agent uses its server first. */
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import type { EditorTool } from '../../../mcp/editor/tool';
import type { Session } from '../../../session/session';
import { languageTools, type LanguageToolsDependencies } from './languageTools';
import { WindowTools, type WindowToolsDependencies } from './windowTools';

export interface EditorToolsDependencies extends LanguageToolsDependencies, WindowToolsDependencies {
  readonly clock: Clock;
  /** Called when the list of tools has changed. */
  toolsChanged(): void;
}

export interface WindowEditorTools extends Disposable {
  all(): readonly EditorTool[];
  /** Follows what the session's agent writes, until {@link ended}. */
  follow(session: Session): void;
  ended(key: string): void;
}

export function windowEditorTools(deps: EditorToolsDependencies): WindowEditorTools {
  const language = languageTools(deps);
  const window = new WindowTools(deps);
  window.onDidChange(() => deps.toolsChanged());
  const followed = new Map<string, Disposable>();
  const ended = (key: string): void => {
    followed.get(key)?.dispose();
    followed.delete(key);
  };
  return {
    all: () => language.reporting([...language.tools, ...window.all]),
    follow: (session) => {
      ended(session.key);
      followed.set(session.key, language.follow(session));
    },
    ended,
    dispose: () => {
      [...followed.keys()].forEach(ended);
      language.dispose();
      window.dispose();
    },
  };
}
