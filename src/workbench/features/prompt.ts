import { type DraftBlock, isMention } from '../../core/mentions/mention';
import type { ContentBlock } from '../../core/model/content';
import { type Failure, failureOf } from '../../core/model/failure';
import type { prompt } from '../../core/protocol/channels/prompt';
import type { Session } from '../../session/session';
import type { AgentPreferencesStore } from '../preferences/agentPreferences';
import type { Mailbox } from '../../application/chat/mailbox';
import { returnPrompt } from '../../application/chat/returnPrompt';
import type { AttachCommands } from '../attachments/attachCommands';
import type { Mentions } from '../mentions/mentions';
import type { SessionHandover } from '../sessions/sessionHandover';
import { warnOf } from '../shared/showFailure';
import { feature } from '../routing/feature';

interface PromptServices {
  readonly preferences: Pick<AgentPreferencesStore, 'said'>;
  mentions(): Promise<Pick<Mentions, 'resolve'>>;
  attachCommands(): Promise<Pick<AttachCommands, 'chosen' | 'dropped'>>;
  commandActions(): Promise<Pick<SessionHandover, 'resend'>>;
}

type Post = Pick<Mailbox, 'post'>;

export default feature<typeof prompt, PromptServices>(({ preferences, mentions, attachCommands, commandActions }) => {
  /** The messages whose mentions are being read, by session. */
  const pending = new WeakMap<Session, Promise<void>>();

  /** Reads the content of mentions before sending. Later messages wait, so that the order is kept. */
  const read = (
    session: Session,
    { post }: Post,
    content: readonly DraftBlock[],
    send: (content: readonly ContentBlock[]) => void,
  ): void => {
    const earlier = pending.get(session);
    if (!earlier && !content.some(isMention)) {
      return send(content.filter((block) => !isMention(block)));
    }
    const giveBack = (error: unknown): void => {
      post({ type: 'restore_message', content });
      warnOf(failureOf(error));
    };
    const sending = (earlier ?? Promise.resolve())
      .then(async () => {
        const resolved = await (await mentions()).resolve(session, content);
        if (resolved) {
          send(resolved);
        } else {
          post({ type: 'restore_message', content });
        }
      })
      .catch(giveBack)
      .finally(() => pending.get(session) === sending && pending.delete(session));
    pending.set(session, sending);
  };

  /** Returns a message that was not accepted to the composer, as a whole. */
  const refuse = (mailbox: Post, content: readonly ContentBlock[], failure: Failure): void => {
    returnPrompt(mailbox, content);
    warnOf(failure);
  };

  return {
    prompt: ({ content: draft, now }, { session, post }) =>
      read(session, { post }, draft, (content) => {
        const failure = session.submit(content, now);
        if (failure) {
          refuse({ post }, content, failure);
        } else {
          preferences.said(session.agentId, content, session.store.state.commands);
        }
      }),
    resend: ({ entryId, content: draft }, { session, post }) =>
      read(session, { post }, draft, (content) => {
        void commandActions()
          .then((actions) => actions.resend(session, entryId, content))
          .catch(failureOf)
          .then((failure) => failure && refuse({ post }, content, failure));
      }),
    retry_prompt: ({ turnId }, { session }) => warnOf(session.retryPrompt(turnId)),
    cancel: (_, { session }) => session.cancel(),
    confirm_cancel: async (_, { session }) => (await import('../permission/confirmStop')).confirmStop(session),
    attach_files: async (_, { session }) => (await attachCommands()).chosen(session),
    attach_uris: async ({ uris }, { session }) => (await attachCommands()).dropped(session, uris),
  };
});
