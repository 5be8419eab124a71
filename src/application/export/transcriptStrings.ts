/** The strings of a conversation document. Pure. */
import { proseLine } from '../../text/markdown/fence';
import { ownAttachmentName } from '../../text/messages/sentAttachments';
import { durationText, thoughtText } from '../../text/messages/durations';
import {
  changedText,
  decisionText,
  needsApprovalLabel,
  compactionText,
  exitText,
  statusLabel,
  unansweredText,
  unknownText,
} from '../../text/messages/statusText';
import { sessionMessageLabel, subagentLabel, subagentStatusLabel } from '../../text/messages/subagents';
import { turnEndSentence, turnReason } from '../../text/messages/turnEnds';
import type { TranscriptStrings } from '../../text/transcript/transcriptStrings';
import { failureSentence } from '../shared/failureText';
import type { TranslateVerbatim } from '../shared/translate';

/** @param agent the agent's name */
export function transcriptStrings(agent: string, t: TranslateVerbatim): TranscriptStrings {
  return {
    you: t('You'),
    agent: agentsLabel(agent) || t('Agent'),
    thought: (ms) => thoughtText(ms, t),
    status: (status, ms) =>
      status === 'completed' && ms >= 1000 ? t('Done in {time}', { time: durationText(ms, t) }) : statusLabel(status, t, agentsLabel),
    tool: (title) => t('Tool: {title}', { title }),
    input: t('Input:'),
    output: t('Output:'),
    changed: (operation, path) => changedText(operation, path, t),
    asked: (title) => t('Question: {title}', { title }),
    decided: (decision) => decisionText(decision, t),
    sentFrom: (client) => t('Sent from {client}', { client }),
    answeredFrom: (client) => t('Answered from {client}', { client }),
    needsApproval: needsApprovalLabel(t),
    unanswered: (outcome) => unansweredText(outcome, t),
    accepted: t('Accepted'),
    terminal: (exitStatus) => (exitStatus ? exitText(exitStatus, t, agentsLabel) : t('Still running.')),
    turnEnded: (turn, ms) =>
      turn.unanswered
        ? turnReason(turn, t, agentsLabel)
        : turnEndSentence(turn.stopReason, ms >= 1000 ? durationText(ms, t) : undefined, t, agentsLabel),
    failure: (failure) => failureSentence(failure, t),
    compaction: (status) => compactionText(status, t, agentsLabel),
    subagent: (name) => subagentLabel(name, t),
    subagentStatus: (status) => subagentStatusLabel(status, t),
    sessionMessage: (sender, recipient) => sessionMessageLabel(sender, recipient, t),
    unknown: (label) => unknownText(label, t),
    ownAttachment: (block) => ownAttachmentName(block, t),
    plan: t('Plan'),
    leftOut: (count, unit) => (unit === 'lines' ? t('({count} lines omitted)', { count }) : t('({count} characters omitted)', { count })),
  };
}

/** Returns a word of the protocol as it is. Any other text from the agent is kept on one line. */
function agentsLabel(text: string): string {
  return /^[A-Za-z][\w -]*$/.test(text) ? text : proseLine(text);
}
