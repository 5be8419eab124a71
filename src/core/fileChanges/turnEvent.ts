/** What happens within a turn, besides what is said and done in the conversation. */
import type { TurnUsage } from '../model/content';
import type { EventBase } from '../model/eventBase';
import type { TurnChanges, WrittenFile } from './turnFiles';

/** A file was written for the agent (`fs/write_text_file`). */
export interface FileWritten extends EventBase {
  readonly type: 'file_written';
  readonly file: WrittenFile;
}

/** What a turn that has ended did to files: worked out afterwards, so other events may come in between. Once for each turn at most. */
export interface TurnChangesCounted extends EventBase {
  readonly type: 'turn_changes';
  readonly turnId: string;
  readonly changes: TurnChanges;
}

/** The answer to a prompt said what it took. */
export interface TurnUsageReported extends EventBase {
  readonly type: 'turn_usage';
  readonly usage: TurnUsage;
}
