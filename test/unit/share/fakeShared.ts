/** A shared session whose events the test makes. */
import type { ContentBlock } from '../../../src/core/model/content';
import type { EventInput } from '../../../src/core/model/event';
import { SessionStore } from '../../../src/session/state/store';
import type { SharedSession } from '../../../src/share/sharedSession';
import { systemClock } from '../../../src/util/clock';

export class FakeShared implements SharedSession {
  readonly store = new SessionStore(systemClock);
  readonly prompts: (readonly ContentBlock[])[] = [];
  readonly answers: string[] = [];
  title = 'Session';

  constructor(readonly key = 'one') {
    this.happen({ type: 'session_opened', agentName: 'Agent', cwd: '/work' }, { type: 'session_ready', sessionId: 'S' });
  }

  get state() {
    return this.store.state;
  }

  happen(...events: EventInput[]): void {
    this.store.append(...events);
  }

  say(text: string, messageId = 'm'): void {
    this.happen({ type: 'message_chunk', role: 'agent', messageId, content: { type: 'text', text } });
  }

  onEvents: SharedSession['onEvents'] = (listener) => this.store.onEvents((_seq, events, whole) => listener(events, whole));
  outputOf = (): undefined => undefined;
  prompt: SharedSession['prompt'] = (content) => {
    this.prompts.push(content);
    return { refused: 'No agent.' };
  };
  cancel = (): void => void this.answers.push('cancel');
  removeQueued: SharedSession['removeQueued'] = () => undefined;
  answerPermission: SharedSession['answerPermission'] = (permissionId, optionId) => {
    this.answers.push(optionId);
    return this.state.pendingPermissions.includes(permissionId);
  };
  answerElicitation = async (): Promise<boolean> => true;
  dispose = (): void => undefined;
  setConfig = (configId: string): void => void this.answers.push(configId);
}
