/** The scenarios whose golden texts hold over stdio only, with the reason. */

/** Scenarios about a process: its exit, its stderr, its command line, or output that is no message. */
const PROCESS_ONLY: ReadonlySet<string> = new Set([
  'cancel/agent-dead',
  'connection/agent-dies',
  'connection/agent-not-found',
  'connection/noise',
  'connection/wrong-version',
  'earlier/crash-and-a-prompt',
  'earlier/crash-and-load',
  'earlier/crash-and-load-of-nothing',
  'earlier/crash-and-load-refused',
  'earlier/crash-and-resume',
  'earlier/load-dies-in-the-middle',
  'elicitation/lost-with-the-agent',
  'odd/agent-exits-when-asked-for-a-session',
  'odd/child-keeps-stdout-open',
  'odd/exits-as-if-all-were-well',
  'odd/half-a-line-and-gone',
  'odd/initialize-answered-with-null',
  'odd/initialize-answered-with-text',
  'odd/initialize-of-another-version',
  'odd/last-line-without-an-end',
  'protected/agent-dies-while-the-user-is-asked',
  'queue/after-the-agent-has-gone',
  'signIn/exits-when-not-signed-in',
  'signIn/refused-at-initialize',
  'signIn/values',
  'signIn/values-that-the-agent-quotes',
  'subagents/a-lost-agent',
  'version2/agent-of-version-1',
]);

/**
 * Not over HTTP: the agent sends messages of a session that the client cannot know. The server keeps them for a stream that no client opens, so the agent
 * gets no answer.
 */
const WITHOUT_A_STREAM: ReadonlySet<string> = new Set([
  'connection/unknown-session',
  'hostile/permission-of-odd-tool-calls',
  'odd/asked-before-there-is-a-session',
  'odd/session-nobody-asked-for',
  'subagents/hostile',
  'subagents/unannounced',
]);

/**
 * Not over HTTP: each session has a stream, and so has the connection. The protocol defines no order between them. A part of the text, or of the final
 * conversation, depends on that order.
 */
const DEPENDS_ON_ORDER: ReadonlySet<string> = new Set([
  // The withdrawal is on the connection's stream, and the end of the turn on the session's.
  'elicitation/withdrawn',
  // Updates after the answer to `session/load`. They may belong to the replay.
  'earlier/load-updates-on-both-sides-of-the-answer',
  'subagents/over-load',
]);

/** The same, but the final conversation, the log and the files do not depend on the order. They are compared. */
const INTERLEAVED: ReadonlySet<string> = new Set([
  // Answers to no request are on the connection's stream, as is the end of a page.
  'cancel/answered-as-if-nothing-was',
  'connection/malformed-updates',
  'elicitation/page',
  'odd/prompt-answered-twice',
  // Two sessions, and subagents, have a stream each.
  'odd/two-sessions',
  'odd/two-turns-at-once',
  'subagents/before-their-tool-call-and-after-the-turn',
  'subagents/messages-between-sessions',
  'subagents/nested-three-deep',
  'subagents/over-a-reload',
  'subagents/parallel-and-interleaved',
  'subagents/stop-of-the-turn-leaves-earlier-ones',
  'subagents/stop-one',
  'subagents/updates-before-the-announcement',
  'version2/background-of-a-subagent',
  'version2/ids-used-twice',
  'version2/subagents',
]);

/** True when the scenario cannot run over this transport. */
export function isSkipped(scenario: string, transport: string): boolean {
  return (
    transport !== 'stdio' &&
    (PROCESS_ONLY.has(scenario) || (transport === 'http' && (WITHOUT_A_STREAM.has(scenario) || DEPENDS_ON_ORDER.has(scenario))))
  );
}

/** The lines of a golden text that are compared over this transport. */
export function comparedLines(scenario: string, transport: string, lines: readonly string[]): readonly string[] {
  return transport === 'http' && INTERLEAVED.has(scenario)
    ? lines.filter((line) => /^(?:\d+\| )?(?:=|log|file) /.test(line)).sort()
    : lines;
}
