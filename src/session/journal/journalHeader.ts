import { custom, type Infer, number, object, optional, string } from '../../core/schema/schema';

/** A journal's first line. */
export const journalHeader = object({
  /** The format's version. */
  acpHostJournal: custom<1>((value) => value === 1),
  key: string(),
  /** Absent in journals of earlier versions, whose `agentName` is the id. */
  agentId: optional(string()),
  agentName: string(),
  cwd: string(),
  /** ms since the epoch */
  createdAt: number(),
});
export type JournalHeader = Infer<typeof journalHeader>;

/** The header of a later version, as far as lists and readers need it. */
export function isNewerHeader(value: unknown): boolean {
  const { acpHostJournal } = (value ?? {}) as { acpHostJournal?: unknown };
  return typeof acpHostJournal === 'number' && acpHostJournal > 1 && journalHeader.validate({ ...(value as object), acpHostJournal: 1 });
}
