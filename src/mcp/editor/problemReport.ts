/** The new problems of files that agents wrote, in the answers of all tools. */
import type { AfterEdits } from './afterEdits';
import { newProblemsText } from './problemText';
import type { EditorTool } from './tool';

/** The tools whose answers are about problems themselves. */
const WITHOUT_REPORT: ReadonlySet<string> = new Set(['problems', 'edit_result']);

/** Adds new problems to the end of the next answer. @param isOn whether the user wants that */
export function reportingProblems(
  tools: readonly EditorTool[],
  afterEdits: Pick<AfterEdits, 'take'>,
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
            const report = isOn() && !context.signal.aborted ? newProblemsText(roots.cwd, afterEdits.take(key)) : undefined;
            return report === undefined ? answer : { ...answer, text: `${answer.text}\n\n${report}` };
          },
        },
  );
}
