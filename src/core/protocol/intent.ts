/**
 * The messages that a page may send, and their validation. The page is ours, but an agent's text influences what runs in it. Each message is checked
 * from `unknown`, copied field by field, and limited in size, by the channel that declares it. A message that does not fit is refused as a whole.
 */
import { type Schema, variant } from '../schema/schema';
import type { Channel, Message, MessageRules, Sent, Taken } from './messages/channel';
import * as channels from './channels';

type Channels = typeof channels;
export type FromView = { [Name in keyof Channels]: Taken<Channels[Name]> }[keyof Channels];
export type ToView = { [Name in keyof Channels]: Sent<Channels[Name]> }[keyof Channels];

/** The declarations of all messages, by name. */
export const messages = Object.assign({}, ...Object.values<Channel>(channels).map(({ takes }) => takes)) as Readonly<
  Record<FromView['type'], Message<object>>
>;

const intent = variant(
  'type',
  Object.fromEntries(Object.entries(messages).map(([type, { schema }]) => [type, schema])),
) as unknown as Schema<FromView>;

/** Returns the message as an intent; undefined when it is not a valid one. */
export function parseIntent(message: unknown): FromView | undefined {
  return intent.validate(message) ? intent.parse(message) : undefined;
}

/** Returns the rules that the message's channel declares. */
export function rulesOf({ type }: Pick<FromView, 'type'>): MessageRules<object> {
  return messages[type].rules;
}

/** Returns `message` in the form that is accepted for a replayed log, or undefined. */
export function recordedIntent(message: FromView): FromView | undefined {
  const { recorded } = rulesOf(message);
  if (typeof recorded !== 'function') {
    return recorded && message;
  }
  const accepted = recorded(message);
  return accepted === message ? message : accepted && ({ ...accepted, type: message.type } as FromView);
}

/** Returns `message` if Restricted Mode accepts it; otherwise undefined. */
export function restrictedIntent(message: FromView): FromView | undefined {
  const { restricted } = rulesOf(message);
  return (typeof restricted === 'function' ? restricted(message) : restricted) ? message : undefined;
}

/** True when the message keeps a previewed session open. */
export function keepsPreview(message: FromView): boolean {
  const { keepsPreview: rule } = rulesOf(message);
  return typeof rule === 'function' ? rule(message) : rule === true;
}
