/** The tests that do not run under Wine, by reason. A title is the beginning of full titles; `*` is the whole file. */
export const skips = [];

/** The files and folders for the gate. */
export const quick = [
  'test/unit/agent',
  'test/unit/context',
  'test/unit/fs',
  'test/unit/terminal',
  'test/unit/util',
  'test/unit/changes/store',
  'test/unit/session/journal/journalFiles.test.ts',
  'test/agent/scenarios/defaults.test.ts',
];
