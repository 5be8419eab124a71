/** The editor's tools that read and run things of this window, bound to VS Code. Loaded with the first session that gets them. */
import type { Disposable } from '../../../core/platform/disposable';
import type { EditorTool } from '../../../mcp/editor/tool';
import { breakpointTools } from '../../../mcp/editor/tools/breakpoints';
import { debuggingTools } from '../../../mcp/editor/tools/debugging';
import { editorTools } from '../../../mcp/editor/tools/editors';
import { extensionTools } from '../../../mcp/editor/tools/extensions';
import { inspectingTools } from '../../../mcp/editor/tools/inspecting';
import { notebookTools } from '../../../mcp/editor/tools/notebooks';
import { searchTools } from '../../../mcp/editor/tools/search';
import { taskTools } from '../../../mcp/editor/tools/tasks';
import { terminalTools } from '../../../mcp/editor/tools/terminals';
import { testTools } from '../../../mcp/editor/tools/tests';
import { userTools } from '../../../mcp/editor/tools/user';
import { DisposableStore } from '../../../util/disposable';
import { CommandOutputs } from '../../mentions/commandOutputs';
import type { FrontEditors } from '../../window/activeEditor';
import { DebuggerOfWindow } from './debugPort';
import { editorsPort } from './editorsPort';
import { ToolsOfExtensions } from './extensionToolsPort';
import { FileAccess, type ToolSessions } from './fileAccess';
import { notebooksPort } from './notebooksPort';
import { searchPort } from './searchPort';
import { TasksOfWindow } from './tasksPort';
import { terminalsPort } from './terminalsPort';
import { testsPort } from './testsPort';
import { userPort } from './userPort';

export interface WindowToolsDependencies extends ToolSessions {
  readonly front: FrontEditors;
}

export class WindowTools implements Disposable {
  private readonly store = new DisposableStore();
  private readonly extensions = this.store.add(new ToolsOfExtensions());
  /** The tools that are the same in every session and every window. */
  private readonly own: readonly EditorTool[];

  constructor(deps: WindowToolsDependencies) {
    const { store } = this;
    const files = new FileAccess(deps);
    const outputs = store.add(new CommandOutputs());
    const debug = store.add(new DebuggerOfWindow(files));
    this.own = [
      ...searchTools(searchPort(files)),
      ...editorTools(editorsPort(deps.front, files)),
      ...taskTools(store.add(new TasksOfWindow(outputs, files.mayRead))),
      ...terminalTools(terminalsPort(outputs)),
      ...breakpointTools(debug),
      ...debuggingTools(debug),
      ...inspectingTools(debug),
      ...testTools(testsPort),
      ...notebookTools(notebooksPort(files, deps)),
      ...userTools(userPort(deps, files, store)),
    ];
  }

  /** The tools as they are now, with those of other extensions that the user has chosen. */
  get all(): readonly EditorTool[] {
    return [...this.own, ...extensionTools(this.extensions)];
  }

  /** Calls `listener` when the list has changed. */
  onDidChange(listener: () => void): Disposable {
    return this.extensions.onDidChange(listener);
  }

  dispose(): void {
    this.store.dispose();
  }
}
