/**
 * The files of a continued turn that had changed before this window recorded it. The user may have written them meanwhile, and nothing has noticed it.
 * Such a file is the agent's alone only where the changes that the agent reports lead from the text before the turn to the present one.
 */
import type { FileState } from '../../core/fileChanges/records';
import { type ReportedChange, textBefore } from './textBefore';

interface ChangedTexts {
  readonly path: string;
  /** The state before the turn. */
  readonly before: FileState;
  /** Reads the texts before and after the turn. */
  texts(): Promise<{ readonly before: string | undefined; readonly after: string | undefined }>;
}

export class UnwatchedFiles {
  /** @param paths real; undefined where they could not be found out @param reported the agent's changes by real path, which grow with the turn */
  constructor(
    private readonly paths: Promise<ReadonlySet<string> | undefined>,
    private readonly reported: ReadonlyMap<string, readonly ReportedChange[]>,
  ) {}

  /** True for a file that another author may have written before this window recorded the turn. */
  async isUnclear({ path, before, texts }: ChangedTexts): Promise<boolean> {
    const paths = await this.paths;
    if (paths && !paths.has(path)) {
      return false;
    }
    const reported = this.reported.get(path);
    const { before: earlier, after } = await texts();
    const start = reported?.length && after !== undefined ? textBefore(after, reported) : undefined;
    return start === undefined || (before.kind === 'none' ? start !== null && start !== '' : start !== earlier);
  }
}
