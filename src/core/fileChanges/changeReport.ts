/** What the next prompt tells the agent of its own changes: those that the user undid or wrote over, and files that were restored. */
import { array, type Infer, integer, literal, object, optional, string } from '../model/schema';

const reportedFile = object({
  /** Absolute; as the session names it. */
  path: string(),
  /** How many changes the user has undone, written over, and applied again. */
  undone: optional(integer()),
  changed: optional(integer()),
  applied: optional(integer()),
  /** The file as a whole: all changes of it taken back, or put back to a checkpoint. */
  whole: optional(literal('undone', 'restored')),
});
export type ReportedFile = Infer<typeof reportedFile>;

/** In the order of the paths; empty when there is nothing to tell. */
export const changeReport = array(reportedFile);
export type ChangeReportSummary = Infer<typeof changeReport>;
