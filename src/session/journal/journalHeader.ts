/** A journal's first line. */
export interface JournalHeader {
  /** The format's version. */
  readonly acpHostJournal: 1;
  readonly key: string;
  readonly agentName: string;
  readonly cwd: string;
  /** ms since the epoch */
  readonly createdAt: number;
}
