/** Removes secrets from the texts that leave this machine. The workbench implements it. */
export interface Redaction {
  redact(text: string): string;
  /** Returns the number of UTF-16 units at the end of a growing text that may be the beginning of a secret. They wait for the rest. */
  secretStart(text: string): number;
}
