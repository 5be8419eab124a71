/** The words of a conversation that is read as a document. Pure. */
import { proseLine } from '../../text/markdown/fence';
import { isStatus } from '../../core/model/status';
import type { TranscriptWords } from '../../text/transcript/wording';
import type { TranslateVerbatim } from '../shared/translate';
import { failureText } from '../shared/failureText';

/** @param agent who is spoken with */
export function transcriptWords(agent: string, t: TranslateVerbatim): TranscriptWords {
  return {
    you: t('You'),
    agent: agentsWord(agent) || t('Agent'),
    thought: (ms) => (ms >= 1000 ? t('Thought for {time}', { time: duration(ms, t) }) : t('Thought')),
    status: (status, ms) => (status === 'completed' && ms >= 1000 ? t('Done in {time}', { time: duration(ms, t) }) : statusWord(status, t)),
    tool: (title) => t('Tool: {title}', { title }),
    input: t('Input:'),
    output: t('Output:'),
    changed: (operation, path) => changedWords(operation, path, t),
    asked: (title) => t('Question: {title}', { title }),
    answered: (option) => t('You chose: {option}', { option }),
    unanswered: (outcome) => unansweredWords(outcome, t),
    accepted: t('You agreed.'),
    terminal: (exitStatus) => {
      if (!exitStatus) {
        return t('Still running.');
      }
      return exitStatus.signal
        ? t('Ended by {signal}', { signal: agentsWord(exitStatus.signal) })
        : t('Exit code {exitCode}', { exitCode: exitStatus.exitCode ?? '?' });
    },
    turnEnded: (stopReason, ms) => turnWords(stopReason, duration(ms, t), t),
    failure: (failure) => failureText({ ...failure, detail: undefined } as typeof failure, t),
    compaction: (status) => t('The agent made its memory of the conversation shorter: {status}', { status: statusWord(status, t) }),
    unknown: (label) => t('The agent sent something this version does not know: {label}', { label }),
    plan: t('Plan'),
    leftOut: (count, unit) =>
      unit === 'lines' ? t('({count} lines are left out here.)', { count }) : t('({count} characters are left out here.)', { count }),
  };
}

/** A word of the protocol reads as it is; what else an agent sends in its place stays on its line. */
function agentsWord(text: string): string {
  return /^[A-Za-z][\w -]*$/.test(text) ? text : proseLine(text);
}

function statusWord(status: string, t: TranslateVerbatim): string {
  if (!isStatus(status)) {
    return agentsWord(status);
  }
  switch (status) {
    case 'pending':
      return t('Pending');
    case 'in_progress':
      return t('Running');
    case 'completed':
      return t('Done');
    case 'failed':
      return t('Failed');
    case 'cancelled':
      return t('Cancelled');
  }
}

function changedWords(operation: string, path: string, t: TranslateVerbatim): string {
  switch (operation) {
    case 'add':
      return t('New file: {path}', { path });
    case 'delete':
      return t('Deleted: {path}', { path });
    case 'move':
      return t('Moved: {path}', { path });
    default:
      return t('Changed: {path}', { path });
  }
}

function unansweredWords(outcome: string | undefined, t: TranslateVerbatim): string {
  switch (outcome) {
    case undefined:
      return t('Waits for your answer.');
    case 'declined':
      return t('You declined.');
    case 'withdrawn':
      return t('Withdrawn by the agent');
    case 'lost':
      return t('Cancelled: the connection was lost');
    default:
      return t('Not answered.');
  }
}

function turnWords(stopReason: string, time: string, t: TranslateVerbatim): string {
  switch (stopReason) {
    case 'end_turn':
      return t('The turn took {time}.', { time });
    case 'cancelled':
      return t('You stopped the turn after {time}.', { time });
    default:
      return t('The turn ended after {time}: {reason}', { time, reason: agentsWord(stopReason) });
  }
}

function duration(ms: number, t: TranslateVerbatim): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 60) {
    return t('{seconds} s', { seconds: seconds < 9.95 ? (Math.round(seconds * 10) / 10).toString() : Math.round(seconds) });
  }
  return t('{minutes} min {seconds} s', { minutes: Math.floor(seconds / 60), seconds: Math.floor(seconds % 60) });
}
