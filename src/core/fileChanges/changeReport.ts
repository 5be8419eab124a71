/** The report to the agent, in the next prompt, about its own changes that the user undid or wrote over, and about restored files. */
import { array, type Infer, integer, literal, object, optional, string } from '../schema/schema';

const reportedFile = object({
  /** Absolute; as the session names it. */
  path: string(),
  /** The number of changes that the user has undone, written over, and applied again. */
  undone: optional(integer()),
  changed: optional(integer()),
  applied: optional(integer()),
  /** Set for a whole file: all its changes were undone, or it was restored to a checkpoint, at which it may not have existed. */
  whole: optional(literal('undone', 'restored', 'deleted')),
});
export type ReportedFile = Infer<typeof reportedFile>;

/** The reported files in the order of their paths; empty when there is nothing to report. */
export const changeReport = array(reportedFile);
export type ChangeReportSummary = Infer<typeof changeReport>;
