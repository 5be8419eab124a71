/** The scenarios and the lines of golden texts that differ over a remote transport, with the reason. */

/** Not over a remote transport. Each entry has its reason. */
const NEEDS_A_PROCESS: ReadonlyMap<string, string> = new Map([
  ['connection/agent-not-found', 'an address has no command that could be missing'],
  ['odd/child-keeps-stdout-open', 'the server sees the end of the agent, and the client does not'],
  ['signIn/values', 'typed values reach the agent as environment variables'],
  ['signIn/values-that-the-agent-quotes', 'typed values reach the agent as environment variables'],
]);

const UNKNOWN_SESSION = 'the messages are of a session that the client was never told, so no stream has them';

/** Not over HTTP. The server keeps the messages for a stream that no client can ask for, so the agent gets no answer. */
const WITHOUT_A_STREAM: ReadonlyMap<string, string> = new Map(
  [
    'connection/unknown-session',
    'hostile/permission-of-odd-tool-calls',
    'odd/asked-before-there-is-a-session',
    'odd/session-nobody-asked-for',
    'subagents/hostile',
    'subagents/unannounced',
  ].map((scenario) => [scenario, UNKNOWN_SESSION]),
);

/**
 * Over HTTP, each session has a stream, and so has the connection. The protocol defines no order between them, but these texts depend on it. The bridge
 * sends each of their messages after the client has the one before.
 */
const IN_ORDER: ReadonlySet<string> = new Set([
  // Answers to no request are on the connection's stream, as is the end of a page, and a withdrawal.
  'cancel/answered-as-if-nothing-was',
  'connection/malformed-updates',
  'elicitation/page',
  'elicitation/withdrawn',
  'odd/prompt-answered-twice',
  // The answer to `session/load` is on the connection's stream.
  'earlier/load-updates-on-both-sides-of-the-answer',
  'subagents/over-load',
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

/** The reason why the scenario cannot run over this transport; undefined when it runs. */
export function reasonToSkip(scenario: string, transport: string): string | undefined {
  const reason = transport === 'http' ? WITHOUT_A_STREAM.get(scenario) : undefined;
  return transport === 'stdio' ? undefined : (NEEDS_A_PROCESS.get(scenario) ?? reason);
}

/** True when the bridge must keep the order of the agent's messages over several streams. */
export function needsOrder(scenario: string, transport: string): boolean {
  return transport === 'http' && IN_ORDER.has(scenario);
}

/** The failure of an agent that is gone, as a process reports it and as a connection does. */
const GONE = /failure=\{"code":"(?:agent\.exited|remote\.closed)","params":\{[^}]*\}(?:,"detail":"(?:[^"\\]|\\.)*")?\}/;
const LOG_GONE = /^(log .*): (?:agent\.exited|remote\.closed)$/;
/** A line of the text itself. The others continue a text of several lines. */
const OWN_LINE = /^(?:(?:\d+\| )?[a-z_]+(?: \w+(?:\.\w+)*=|$)|(?:\d+\| )?[>=(]|(?:log|file|given back|laid over) )/;
/** Only a process reports its start, and has lines that are no message. */
const PROCESS_ONLY = /^(?:(?:\d+\| )?start_progress\b|log (?:Not a message|A message that is no JSON): )/;

/** The text without the transport's own lines and words. Both texts of a comparison are changed in the same way. */
export function withoutTransport(transport: string, lines: readonly string[]): readonly string[] {
  if (transport === 'stdio') {
    return lines;
  }
  const common: string[] = [];
  let isReason = false;
  for (const line of lines) {
    // The reason is the end of stderr, or the server's text.
    isReason = LOG_GONE.test(line) || (isReason && !OWN_LINE.test(line));
    if (!PROCESS_ONLY.test(line) && (!isReason || LOG_GONE.test(line))) {
      common.push(
        line
          // A connection has no command line.
          .replace(/,"commandLine":"(?:[^"\\]|\\.)*"/, '')
          // A server of several windows learns which one connects.
          .replace(/("clientInfo":\{"name":"acp-host","title":"ACP Host) \([^)"]*\)"/, '$1"')
          .replace(GONE, 'failure=<gone>')
          .replace(LOG_GONE, '$1: <gone>'),
      );
    }
  }
  return common;
}
