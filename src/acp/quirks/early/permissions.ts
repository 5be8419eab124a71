/**
 * Permission requests of the early dialect, which are updates with an id of their own. The answer is one of four outcomes. An update that is a
 * JSON-RPC request is answered by its response, any other by a notification.
 */
import { type Fields, isPresent, isRecord, labelOf, textOf } from '../../json/fields';
import { standardToolCall } from './updates';

const OUTCOMES = ['allow_once', 'allow_always', 'reject_once', 'reject_always'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The answer to a request that the user does not answer. The dialect has no word for a cancelled request. */
export const REFUSED: Answer = { outcome: 'reject_once' };

export interface Answer {
  readonly outcome: Outcome;
  /** The chosen option, where the agent has sent options with ids. */
  readonly optionId?: string;
}

export interface EarlyPermission {
  readonly requestId: string | number;
  /** The params of `session/request_permission`. */
  readonly params: Fields;
  /** Returns the answer for a chosen option; undefined for none. */
  answer(optionId: unknown): Answer;
}

/** Fields of the request that are not about its tool call. */
const OF_REQUEST: ReadonlySet<string> = new Set([
  'sessionUpdate',
  'requestId',
  'permissionId',
  'id',
  'title',
  'description',
  'options',
  'toolCall',
  '_meta',
]);

/** Decodes the request in the params of an update; undefined for another update, and for a request without an id. */
export function earlyPermission({ sessionId, update, ...rest }: Fields): EarlyPermission | undefined {
  if (!isRecord(update) || (update.sessionUpdate ?? update.type) !== 'permission_request') {
    return undefined;
  }
  const requestId = [update.requestId, update.permissionId, update.id].find(
    (id): id is string | number => labelOf(id) !== undefined || typeof id === 'number',
  );
  if (requestId === undefined) {
    return undefined;
  }
  const { title, description, options, toolCall, _meta } = update;
  const choices = choicesOf(options);
  const shown = new Set<string>();
  const unread = (Array.isArray(options) ? options : []).filter((each) => {
    const id = choiceOf(each)[0]?.optionId;
    // The answer names the first option with an id.
    const isShown = id !== undefined && !shown.has(id);
    void (id !== undefined && shown.add(id));
    return !isShown;
  });
  const fields = Object.fromEntries(Object.entries(update).filter(([key]) => !OF_REQUEST.has(key) && !(key === 'type' && isKind(update))));
  const call = standardToolCall({ ...fields, ...(isRecord(toolCall) && toolCall) });
  return {
    requestId,
    params: {
      ...rest,
      sessionId,
      ...(isPresent(title) && { title }),
      ...(isPresent(description) && { description }),
      ...(isPresent(_meta) && { _meta }),
      toolCall: call,
      options: choices.map(({ optionId, name, outcome }) => ({ optionId, name, kind: outcome })),
      ...(unread.length > 0 && { unreadOptions: unread }),
    },
    answer: (optionId) => {
      const chosen = choices.find((choice) => choice.optionId === optionId);
      return chosen ? { outcome: chosen.outcome, ...(chosen.isOwn && { optionId: chosen.optionId }) } : REFUSED;
    },
  };
}

/** True when `type` is the kind of the update, and not that of the tool. */
function isKind(update: Fields): boolean {
  return !isPresent(update.sessionUpdate);
}

interface Choice {
  readonly outcome: Outcome;
  readonly optionId: string;
  readonly name: string;
  /** The agent has sent the id. */
  readonly isOwn: boolean;
}

/** Returns the agent's options that name an outcome. All four outcomes, when there are none. */
function choicesOf(options: unknown): readonly Choice[] {
  const offered = (Array.isArray(options) ? options : []).flatMap(choiceOf);
  const unique = offered.filter(({ optionId }, index) => offered.findIndex((each) => each.optionId === optionId) === index);
  return unique.length > 0 ? unique : OUTCOMES.map((outcome) => ({ outcome, optionId: outcome, name: nameOf(outcome), isOwn: false }));
}

function choiceOf(raw: unknown): Choice[] {
  const fields: Fields = isRecord(raw) ? raw : { optionId: raw };
  const id = textOf(fields.optionId) ?? textOf(fields.id);
  const outcome = [fields.kind, fields.outcome, id].flatMap((word) => OUTCOMES.find((each) => each === word) ?? [])[0];
  if (outcome === undefined) {
    return [];
  }
  const name = labelOf(fields.name) ?? labelOf(fields.label) ?? nameOf(outcome);
  return [{ outcome, optionId: id ?? outcome, name, isOwn: isRecord(raw) && id !== undefined }];
}

/** The dialect's word as a name, for example "Allow once". */
function nameOf(outcome: Outcome): string {
  return `${outcome[0]!.toUpperCase()}${outcome.slice(1).replace('_', ' ')}`;
}
