/** The strings of a conversation document. Pure. */
import { proseLine } from '../../text/markdown/fence';
import { ownAttachmentName } from '../../text/messages/sentAttachments';
import { durationWords, thoughtWords } from '../../text/messages/durations';
import {
  changedWords,
  decisionWords,
  needsApprovalWord,
  compactionWords,
  exitWords,
  statusWord,
  unansweredWords,
  unknownWords,
} from '../../text/messages/statuses';
import { turnEndSentence, turnReason } from '../../text/messages/turnEnds';
import type { TranscriptWords } from '../../text/transcript/wording';
import { failureSentence } from '../shared/failureText';
import type { TranslateVerbatim } from '../shared/translate';

/** @param agent the agent's name */
export function transcriptWords(agent: string, t: TranslateVerbatim): TranscriptWords {
  return {
    you: t('You'),
    agent: agentsWord(agent) || t('Agent'),
    thought: (ms) => thoughtWords(ms, t),
    status: (status, ms) =>
      status === 'completed' && ms >= 1000 ? t('Done in {time}', { time: durationWords(ms, t) }) : statusWord(status, t, agentsWord),
    tool: (title) => t('Tool: {title}', { title }),
    input: t('Input:'),
    output: t('Output:'),
    changed: (operation, path) => changedWords(operation, path, t),
    asked: (title) => t('Question: {title}', { title }),
    decided: (decision) => decisionWords(decision, t),
    needsApproval: needsApprovalWord(t),
    unanswered: (outcome) => unansweredWords(outcome, t),
    accepted: t('Accepted'),
    terminal: (exitStatus) => (exitStatus ? exitWords(exitStatus, t, agentsWord) : t('Still running.')),
    turnEnded: (turn, ms) =>
      turn.unanswered
        ? turnReason(turn, t, agentsWord)
        : turnEndSentence(turn.stopReason, ms >= 1000 ? durationWords(ms, t) : undefined, t, agentsWord),
    failure: (failure) => failureSentence(failure, t),
    compaction: (status) => compactionWords(status, t, agentsWord),
    unknown: (label) => unknownWords(label, t),
    ownAttachment: (block) => ownAttachmentName(block, t),
    plan: t('Plan'),
    leftOut: (count, unit) => (unit === 'lines' ? t('({count} lines omitted)', { count }) : t('({count} characters omitted)', { count })),
  };
}

/** Returns a word of the protocol as it is. Any other text from the agent is kept on one line. */
function agentsWord(text: string): string {
  return /^[A-Za-z][\w -]*$/.test(text) ? text : proseLine(text);
}
