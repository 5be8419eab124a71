/** What happens within a turn, besides what is said and done in the conversation. */
import type { TurnUsage } from '../model/content';
import type { EventBase } from '../model/eventBase';
import type { WrittenFile } from './turnFiles';

/** A file was written for the agent (`fs/write_text_file`). */
export interface FileWritten extends EventBase {
  readonly type: 'file_written';
  readonly file: WrittenFile;
}

/** The answer to a prompt said what it took. */
export interface TurnUsageReported extends EventBase {
  readonly type: 'turn_usage';
  readonly usage: TurnUsage;
}
