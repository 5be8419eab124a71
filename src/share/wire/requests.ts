/** The questions of a session as requests of version 1, for clients that may answer. Pure. */
import { toolCallIn, wholeSubject } from '../../core/approval/permissionSubject';
import type { ElicitationBody, ElicitationField } from '../../core/elicitation/elicitation';
import type { ElicitationEntry, PermissionEntry, SessionState } from '../../core/model/state';
import { type OutputOf, small, wireKind, wireToolContent } from './updates';
import { defined, type Wire } from './wireContent';

/** Returns the parameters of `session/request_permission`. */
export function permissionParams(sessionId: string, entry: PermissionEntry, state: SessionState, outputOf: OutputOf): Wire {
  const { permissionId, title, description, options } = entry;
  const subject = wholeSubject(entry.subject, state);
  const call = toolCallIn(state, subject.toolCallId);
  const command = subject.command === undefined ? [] : [{ type: 'content', content: { type: 'text', text: subject.command } }];
  const about = description === undefined ? [] : [{ type: 'content', content: { type: 'text', text: description } }];
  return {
    sessionId,
    toolCall: {
      toolCallId: subject.toolCallId ?? permissionId,
      title: title || call?.title || permissionId,
      kind: wireKind(subject.kind),
      status: 'pending',
      content: [...about, ...command, ...wireToolContent(subject.content ?? [], outputOf)],
      locations: (subject.locations ?? []).map(({ path, line }) => ({ path, ...defined({ line }) })),
      ...defined({ rawInput: small(subject.rawInput) }),
    },
    options: options.map(({ optionId, name, kind }) => ({ optionId, name, kind })),
  };
}

/** Returns the parameters of `elicitation/create`. */
export function elicitationParams(sessionId: string, { message, body, toolCallId }: ElicitationEntry): Wire {
  const about = { sessionId, message, ...defined({ toolCallId }) };
  return body.mode === 'url'
    ? { ...about, mode: 'url', elicitationId: body.elicitationId, url: body.url }
    : { ...about, mode: 'form', requestedSchema: formSchema(body) };
}

function formSchema({ title, description, fields }: Extract<ElicitationBody, { mode: 'form' }>): Wire {
  return {
    type: 'object',
    ...defined({ title, description }),
    properties: Object.fromEntries(fields.map((field) => [field.name, property(field)])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
}

function property(field: ElicitationField): Wire {
  const { title, description } = field;
  const head = defined({ title, description });
  switch (field.type) {
    case 'string': {
      const { minLength, maxLength, pattern, format, defaultValue } = field;
      return { type: 'string', ...head, ...defined({ minLength, maxLength, pattern, format, default: defaultValue }) };
    }
    case 'choice':
      return { type: 'string', ...head, oneOf: choices(field.choices), ...defined({ default: field.defaultValue }) };
    case 'choices': {
      const { minItems, maxItems, defaultValue } = field;
      return {
        type: 'array',
        ...head,
        items: { anyOf: choices(field.choices) },
        ...defined({ minItems, maxItems, default: defaultValue }),
      };
    }
    case 'number':
    case 'integer': {
      const { type, minimum, maximum, defaultValue } = field;
      return { type, ...head, ...defined({ minimum, maximum, default: defaultValue }) };
    }
    case 'boolean':
      return { type: 'boolean', ...head, ...defined({ default: field.defaultValue }) };
  }
}

function choices(all: readonly { readonly value: string; readonly title: string }[]): Wire[] {
  return all.map(({ value, title }) => ({ const: value, title }));
}
