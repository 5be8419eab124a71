/** The new problems of files that agents wrote, in the answers of all tools. */
import type { AfterEdits } from './afterEdits';
import { MAX_ANSWER } from './answer';
import { SessionFiles } from './files';
import type { TextPort } from './language';
import { newProblemsText } from './problemText';
import type { EditorTool, ToolSession } from './tool';

/** The tools whose answers are about problems themselves. */
const WITHOUT_REPORT: ReadonlySet<string> = new Set(['problems', 'edit_result']);

/** Bytes of an answer for the remarks of the server behind the report. */
const ROOM = 512;

/** Adds new problems to the end of the next answer that has room for them: the server cuts a longer one at its end. @param isOn whether the user wants that */
export function reportingProblems(
  tools: readonly EditorTool[],
  afterEdits: Pick<AfterEdits, 'take' | 'untake'>,
  isOn: () => boolean,
): readonly EditorTool[] {
  return tools.map((tool) =>
    WITHOUT_REPORT.has(tool.name)
      ? tool
      : {
          ...tool,
          run: async (input, context) => {
            const answer = await tool.run(input, context);
            const { key, roots } = context.session;
            const found = isOn() && !context.signal.aborted ? afterEdits.take(key) : [];
            const report = newProblemsText(roots.cwd, found);
            if (report === undefined) {
              return answer;
            }
            const text = `${answer.text}\n\n${report}`;
            if (Buffer.byteLength(text) > MAX_ANSWER - ROOM) {
              afterEdits.untake(key, found);
              return answer;
            }
            return { ...answer, text };
          },
        },
  );
}

/**
 * Returns whether the problems of a file may be named to a session's agent. The agent itself reports most of its edits, so it may name any file.
 * Messages quote the text of a file.
 *
 * @param sessionOf undefined: the session has ended
 */
export function mayNameProblems(
  port: Pick<TextPort, 'isHidden'>,
  sessionOf: (key: string) => ToolSession | undefined,
): (key: string, path: string) => Promise<boolean> {
  return async (key, path) => {
    const session = sessionOf(key);
    const files = session && (await SessionFiles.of(session.roots));
    return (await files?.realInside(path)) !== undefined && !(await port.isHidden(session!, path));
  };
}
